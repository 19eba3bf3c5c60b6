import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import type { Compiled } from '../fetch/compiled.ts'
import { type Kind, samples } from '../rules.ts'

type Attributes = Readonly<Record<string, unknown>>

interface Window {
  zone: ZoneId
  projectId: string
  kind: Kind
  teamId: string
  count: number
  kept: { attributes: Attributes; seenAt: number }[]
}

const writeAfterMs = 60_000
const mostOfWindow = 200
const mostWindows = 2_000

/** Keeps some of the contexts that clients ask with: by lot in memory (Vitter's algorithm R), a minute of them at a time. */
class ContextSample {
  readonly #server: Server
  #windows = new Map<string, Window>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server) {
    this.#server = server
  }

  add(zone: ZoneId, { projectId, kind, teamId }: Compiled, attributes: Attributes): void {
    if (teamId === null) return
    const name = `${zone} ${projectId} ${kind}`
    let window = this.#windows.get(name)
    if (!window) {
      if (this.#windows.size >= mostWindows) return
      window = { zone, projectId, kind, teamId, count: 0, kept: [] }
      this.#windows.set(name, window)
      this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs).unref()
    }
    window.count++
    const place = window.kept.length < mostOfWindow ? window.kept.length : Math.floor(Math.random() * window.count)
    if (place < mostOfWindow) window.kept[place] = { attributes, seenAt: this.#server.clock.now() }
  }

  /** Writes down the last minute; what cannot be written is gone. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const windows = [...this.#windows.values()]
    this.#windows = new Map()
    for (const zone of new Set(windows.map(one => one.zone))) {
      const rows = windows.filter(one => one.zone === zone).flatMap(rowsOf)
      if (rows.length > 0) await this.#write(zone, rows)
    }
  }

  async #write(zone: ZoneId, rows: readonly object[]): Promise<void> {
    const ctx = systemContext(this.#server, zone, { name: 'remoteConfig' })
    const write = {
      name: 'remote config contexts',
      // In the order of the key, so that two servers do not wait for each other crosswise.
      text: `INSERT INTO rcs_contexts (project_id, kind, place, team_id, seen_at, attributes)
        SELECT DISTINCT ON ("projectId", kind, place) "projectId", kind, place, "teamId", "seenAt", attributes
        FROM json_to_recordset($1::json) AS one ("projectId" bigint, kind text, place int, "teamId" bigint, "seenAt" bigint, attributes jsonb)
        ORDER BY "projectId", kind, place
        ON CONFLICT (project_id, kind, place) DO UPDATE SET seen_at = excluded.seen_at, attributes = excluded.attributes`,
      values: [JSON.stringify(rows)],
    }
    await ctx
      .transact(inner => inner.transaction(zone).query(write))
      .catch((error: Error) => {
        this.#server.log.warn({ reason: error.message }, 'contexts of clients are not kept')
      })
  }
}

/** PostgreSQL keeps no NUL and no half of a character; what is long says little more and costs much. */
const isKept = (text: string) => text.length <= samples.contextChars && !/\\u(?:0000|d[89a-f])/i.test(text)

function rowsOf({ projectId, kind, teamId, kept }: Window): object[] {
  return kept.flatMap(({ attributes, seenAt }) =>
    isKept(JSON.stringify(attributes))
      ? [{ projectId, kind, teamId, seenAt, attributes, place: Math.floor(Math.random() * samples.kept) }]
      : [],
  )
}

const all = new WeakMap<Server, ContextSample>()

/** One a process. */
export function contextSampleOf(server: Server): ContextSample {
  const sample = all.get(server) ?? new ContextSample(server)
  all.set(server, sample)
  return sample
}
