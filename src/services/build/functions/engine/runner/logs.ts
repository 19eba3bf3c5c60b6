import { keptOfCall, type LogLevel, logLevels, type Report } from '../frames.ts'
import { currentCall } from './current-call.ts'

export type Log = Record<LogLevel, (...parts: unknown[]) => void>

const mostCharacters = 10_000

let tell: (report: Report) => void = () => undefined

/** What is still listened to, of each level: which of them are kept is not known here. */
class Room {
  readonly #left = Object.fromEntries(logLevels.map(level => [level, { ...keptOfCall }])) as Record<
    LogLevel,
    { lines: number; characters: number }
  >

  /** One more than is kept: then it is known that something is lacking. */
  isFull(level: LogLevel): boolean {
    const { lines, characters } = this.#left[level]
    return lines < 0 || characters < 0
  }

  take(level: LogLevel, line: string): void {
    const left = this.#left[level]
    left.lines--
    left.characters -= line.length
  }
}

/** Of the calls that run; one that wrote nothing yet has none. */
const rooms = new Map<string, Room | null>()
/** For what belongs to no call. */
const nobodys = new Room()

/** Until what is answered is called, lines of a call have room of their own. */
export function makeRoomFor(call: string): () => void {
  rooms.set(call, null)
  return () => void rooms.delete(call)
}

function roomOf(call: string | null): Room {
  const known = call === null ? undefined : rooms.get(call)
  if (call === null || known === undefined) return nobodys
  const room = known ?? new Room()
  if (known === null) rooms.set(call, room)
  return room
}

/** A loop that writes lines for ever costs itself most: what nobody would keep is not even put into words. */
function write(id: string | null, level: LogLevel, parts: readonly unknown[]): void {
  const room = roomOf(id)
  if (room.isFull(level)) return
  // Asked for with the first line: an isolate reads it for a sixth of the time that it takes to begin.
  const text = process.getBuiltinModule('node:util').format(...parts)
  const line = text.length > mostCharacters ? `${text.slice(0, mostCharacters)} ...` : text
  room.take(level, line)
  tell({ type: 'logged', id, level, line })
}

export function logOf(id: string | null): Log {
  return {
    debug: (...parts) => write(id, 'debug', parts),
    info: (...parts) => write(id, 'info', parts),
    warn: (...parts) => write(id, 'warn', parts),
    error: (...parts) => write(id, 'error', parts),
  }
}

/** Takes what the code writes to the console and to its streams; each line knows its call. */
export function catchLogs(say: (report: Report) => void): void {
  tell = say
  const at =
    (level: LogLevel) =>
    (...parts: unknown[]) =>
      write(currentCall.getStore()?.id ?? null, level, parts)
  Object.assign(console, {
    ...{ log: at('info'), info: at('info'), debug: at('debug'), trace: at('debug') },
    ...{ warn: at('warn'), error: at('error'), dir: at('info') },
  })
  catchStream('stdout', 'info')
  catchStream('stderr', 'error')
  Object.assign(globalThis, { logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } })
}

/** A stream is made when it is first asked for: most code writes to the console alone, and one takes an isolate long to make. */
function catchStream(name: 'stdout' | 'stderr', level: LogLevel): void {
  let caught: (typeof process)['stdout'] | undefined
  const make = () => {
    const stream = own?.get?.call(process) ?? own?.value
    stream.write = (chunk: string | Uint8Array) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      write(currentCall.getStore()?.id ?? null, level, [text.replace(/\n$/, '')])
      return true
    }
    return stream
  }
  const own = descriptorOf(process, name)
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => (caught ??= make()) })
}

function descriptorOf(object: object | null, name: string): PropertyDescriptor | undefined {
  return object === null
    ? undefined
    : (Object.getOwnPropertyDescriptor(object, name) ?? descriptorOf(Object.getPrototypeOf(object), name))
}
