import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import { reasonOf } from '../../../../server/log.ts'
import type { Server } from '../../../../server/server.ts'

type Result = 'SUCCESS' | 'FAIL' | 'DISCARD' | 'RETRY' | 'REFUSED'

interface Note {
  fired: number
  firedAt: number | null
  result: Result | null
}

const writeAfterMs = 500

/** What became of triggers lately, written a few at a time: one that fires all the time is no row that all wait for. */
class TriggerNotes {
  readonly #server: Server
  #waiting = new Map<ZoneId, Map<string, Note>>()
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  add(zone: ZoneId, triggerId: string, { firedAt, result }: { firedAt?: number; result?: Result }): void {
    const ofZone = this.#waiting.get(zone) ?? new Map<string, Note>()
    this.#waiting.set(zone, ofZone)
    const note = ofZone.get(triggerId) ?? { fired: 0, firedAt: null, result: null }
    ofZone.set(triggerId, note)
    if (firedAt !== undefined) {
      note.fired++
      note.firedAt = Math.max(note.firedAt ?? 0, firedAt)
    }
    note.result = result ?? note.result
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs)
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#writing = this.#writing.then(async () => {
      for (const [zone, notes] of waiting) await this.#write(zone, notes)
    })
    return this.#writing
  }

  async #write(zone: ZoneId, notes: ReadonlyMap<string, Note>): Promise<void> {
    // In one order, so that two processes never wait for each other in a circle.
    const rows = [...notes].sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
    const ctx = systemContext(this.#server, zone, { name: 'functions.triggers', scope: 'all' })
    await ctx
      .transact(inner =>
        inner.transaction(zone).query({
          name: 'functions trigger notes',
          text: `UPDATE fn_triggers t SET fired = t.fired + n.fired, last_fired_at = greatest(t.last_fired_at, n.fired_at),
              last_result = coalesce(n.result, t.last_result)
            FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS one(trigger_id, fired, fired_at, result)
              ORDER BY trigger_id) AS n WHERE t.trigger_id = n.trigger_id`,
          values: [
            rows.map(([triggerId]) => triggerId),
            rows.map(([, one]) => one.fired),
            rows.map(([, one]) => one.firedAt),
            rows.map(([, one]) => one.result),
          ],
        }),
      )
      .catch(error => this.#server.log.warn({ zone, reason: reasonOf(error) }, 'what triggers did was not noted'))
  }
}

const all = new WeakMap<Server, TriggerNotes>()

function notesOf(server: Server): TriggerNotes {
  let notes = all.get(server)
  if (!notes) {
    notes = new TriggerNotes(server)
    all.set(server, notes)
  }
  return notes
}

export const noteTrigger = (
  server: Server,
  zone: ZoneId,
  triggerId: string,
  what: { firedAt?: number; result?: Result },
): void => notesOf(server).add(zone, triggerId, what)

/** Writes what waits on this process: before a stop. */
export const flushOwnNotes = (server: Server): Promise<void> => notesOf(server).flush()

const gathered = 'functions.triggerNotes'

/** Call when the process starts. */
export const gatherNotes = (server: Server): void => server.gathered.add(gathered, () => flushOwnNotes(server))

/** Writes what waits anywhere: before somebody looks. */
export const flushNotes = (server: Server): Promise<void> => server.gathered.write(gathered)
