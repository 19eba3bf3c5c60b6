import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'

/** How processes hear of rows that were written: here at once, elsewhere a moment later, many writes in one notice. */
export const changesChannel = 'clouddbchanges'
const gatherMs = 8
/** Processes with listeners say so every few seconds; without such a word nobody is told. */
const listeningMs = 15_000
const listeningWord = 'listening'
/** A notice of PostgreSQL has less than 8,000 bytes; seven digits more than a sequence will need for years. */
const seqsOfNotice = 350

interface Teller {
  name: string
  waiting: Map<ZoneId, string[]>
  /** Until when somebody else may listen, by zone, in milliseconds of this process. */
  othersUntil: Map<ZoneId, number>
  timer: NodeJS.Timeout | undefined
}
const tellers = new WeakMap<Server, Teller>()

export function tellerOf(server: Server): Teller {
  let teller = tellers.get(server)
  if (!teller) {
    teller = { name: server.ids.next(), waiting: new Map(), othersUntil: new Map(), timer: undefined }
    tellers.set(server, teller)
  }
  return teller
}

/** Tells of changes that were committed. What gets lost with a process is found by looking, which each process does. */
export function tellChanges({ server, zone }: { server: Server; zone: ZoneId }, seqs: readonly string[]): void {
  if (seqs.length === 0) return
  const teller = tellerOf(server)
  server.signals.tellHere(zone, changesChannel, `here:${seqs.join(',')}`)
  if ((teller.othersUntil.get(zone) ?? 0) < performance.now()) return
  const waiting = teller.waiting.get(zone) ?? []
  waiting.push(...seqs)
  teller.waiting.set(zone, waiting)
  teller.timer ??= setTimeout(() => void sendAway(server, teller), gatherMs)
}

/** Tells the other processes that this one listens from now on. */
export async function announceListening(server: Server, zone: ZoneId): Promise<void> {
  await notify(server, zone, `${tellerOf(server).name}:${listeningWord}`)
}

/** Notes that others listen; after a lost connection they may. True: the notice was nothing but that. */
export function hearListening(server: Server, zone: ZoneId, payload: string): boolean {
  const teller = tellerOf(server)
  const isWord = payload.endsWith(`:${listeningWord}`)
  const isOwn = payload.startsWith(`${teller.name}:`)
  if (payload === '' || (isWord && !isOwn)) teller.othersUntil.set(zone, performance.now() + listeningMs)
  return isWord
}

function notify(server: Server, zone: ZoneId, payload: string) {
  return server.pools.of(zone).query({
    name: 'clouddb tell',
    text: `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
    values: [changesChannel, payload],
  })
}

async function sendAway(server: Server, teller: Teller): Promise<void> {
  const all = [...teller.waiting]
  teller.waiting.clear()
  teller.timer = undefined
  for (const [zone, seqs] of all) {
    // More than a notice holds: the others look at the log by themselves.
    const payload = seqs.length > seqsOfNotice ? `${teller.name}:look` : `${teller.name}:${seqs.join(',')}`
    await notify(server, zone, payload).catch(error =>
      server.log.warn({ zone, reason: (error as Error).message }, 'a notice of changes was not sent'),
    )
  }
}

/** What still waits goes out before the process ends. */
export async function stopTelling(server: Server): Promise<void> {
  const teller = tellers.get(server)
  if (!teller) return
  clearTimeout(teller.timer)
  await sendAway(server, teller)
}
