import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'

/** How processes hear of rows that were written: here at once, elsewhere a moment later, many writes in one notice. */
export const changesChannel = 'clouddbchanges'
const gatherMs = 8
/** A notice of PostgreSQL has less than 8,000 bytes; seven digits more than a sequence will need for years. */
const seqsOfNotice = 350

interface Teller {
  name: string
  waiting: Map<ZoneId, string[]>
  timer: NodeJS.Timeout | undefined
}
const tellers = new WeakMap<Server, Teller>()

export function tellerOf(server: Server): Teller {
  let teller = tellers.get(server)
  if (!teller) {
    teller = { name: server.ids.next(), waiting: new Map(), timer: undefined }
    tellers.set(server, teller)
  }
  return teller
}

/** Tells of changes that were committed. What gets lost with a process is found by looking, which each process does. */
export function tellChanges({ server, zone }: { server: Server; zone: ZoneId }, seqs: readonly string[]): void {
  if (seqs.length === 0) return
  const teller = tellerOf(server)
  server.signals.tellHere(zone, changesChannel, `here:${seqs.join(',')}`)
  const waiting = teller.waiting.get(zone) ?? []
  waiting.push(...seqs)
  teller.waiting.set(zone, waiting)
  teller.timer ??= setTimeout(() => void sendAway(server, teller), gatherMs)
}

async function sendAway(server: Server, teller: Teller): Promise<void> {
  const all = [...teller.waiting]
  teller.waiting.clear()
  teller.timer = undefined
  for (const [zone, seqs] of all) {
    // More than a notice holds: the others look at the log by themselves.
    const payload = seqs.length > seqsOfNotice ? `${teller.name}:look` : `${teller.name}:${seqs.join(',')}`
    await server.pools
      .of(zone)
      .query({
        name: 'clouddb tell',
        text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
        values: [changesChannel, payload],
      })
      .catch(error => server.log.warn({ zone, reason: (error as Error).message }, 'a notice of changes was not sent'))
  }
}

/** What still waits goes out before the process ends. */
export async function stopTelling(server: Server): Promise<void> {
  const teller = tellers.get(server)
  if (!teller) return
  clearTimeout(teller.timer)
  await sendAway(server, teller)
}
