import { EventEmitter } from 'node:events'
import { type Channel, Siblings } from './siblings.ts'

/** One end of a channel within this process; what is sent arrives as a copy, as over a pipe. */
class End extends EventEmitter {
  readonly connected = true
  other: End | undefined

  send(message: unknown, sent: () => void): boolean {
    const copy = structuredClone(message)
    setImmediate(() => this.other?.emit('message', copy))
    sent()
    return true
  }
}

/** Processes that share a port, within this one: the first has a channel to each of the others. */
export function joinedSiblings(of: number): Siblings[] {
  const all = Array.from({ length: of }, (_, at) => new Siblings({ at, of }))
  const [first, ...others] = all
  for (const other of others) {
    const [here, there] = [new End(), new End()]
    here.other = there
    there.other = here
    first?.join(here as Channel)
    other.join(there as Channel)
  }
  return all
}
