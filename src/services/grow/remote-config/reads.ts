import { and, eq } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Where } from './drafts.ts'
import type { Compiled } from './fetch/compiled.ts'
import { rcsReads } from './tables.ts'

const dayMs = 86_400_000
const writeAfterMs = 5_000

interface Read extends Where {
  zone: ZoneId
  teamId: string
  key: string
  readAt: number
}

/** Tells which parameters clients read: once a day for each template and key, seconds later; no client waits for it. */
class ReadMemory {
  readonly #server: Server
  readonly #told = new WeakMap<Compiled, { day: number; keys: Set<string> }>()
  #waiting = new Map<string, Read>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server) {
    this.#server = server
  }

  /** A client got one parameter, or all of them. */
  mark(zone: ZoneId, compiled: Compiled, key = ''): void {
    const readAt = this.#server.clock.now()
    const day = Math.floor(readAt / dayMs)
    let told = this.#told.get(compiled)
    if (told?.day !== day) {
      told = { day, keys: new Set() }
      this.#told.set(compiled, told)
    }
    if (told.keys.has(key)) return
    told.keys.add(key)
    const { projectId, kind, teamId } = compiled
    if (teamId === null) return
    this.#waiting.set(`${zone} ${projectId} ${kind} ${key}`, { zone, projectId, kind, teamId, key, readAt })
    this.#timer ??= setTimeout(() => void this.flush(), writeAfterMs).unref()
  }

  /** Writes down what was read; what cannot be written now is told again on another day. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    for (const zone of new Set(waiting.map(one => one.zone))) {
      const rows = waiting.filter(one => one.zone === zone)
      const ctx = systemContext(this.#server, zone, { name: 'remoteConfig' })
      await ctx
        .transact(inner => write(inner, rows))
        .catch((error: Error) => {
          this.#server.log.warn({ reason: error.message }, 'what clients read is not written down')
        })
    }
  }
}

/** In the order of the key, so that two servers do not wait for each other crosswise. */
async function write(ctx: Context, rows: readonly Read[]): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'remote config reads',
    text: `INSERT INTO rcs_reads (project_id, kind, key, team_id, read_at)
      SELECT "projectId", kind, key, "teamId", "readAt"
      FROM json_to_recordset($1::json) AS one ("projectId" bigint, kind text, key text, "teamId" bigint, "readAt" bigint)
      ORDER BY 1, 2, 3
      ON CONFLICT (project_id, kind, key) DO UPDATE SET read_at = greatest(rcs_reads.read_at, excluded.read_at)`,
    values: [JSON.stringify(rows)],
  })
}

const memories = new WeakMap<Server, ReadMemory>()

/** One memory a process. */
export function readMemoryOf(server: Server): ReadMemory {
  const memory = memories.get(server) ?? new ReadMemory(server)
  memories.set(server, memory)
  return memory
}

/** When each parameter of a template was last read; null for never. */
export async function readsOf(ctx: Context, { projectId, kind }: Where): Promise<(key: string) => number | null> {
  const rows = await ctx.db
    .select({ key: rcsReads.key, readAt: rcsReads.readAt })
    .from(rcsReads)
    .where(and(eq(rcsReads.projectId, projectId), eq(rcsReads.kind, kind)))
  const byKey = new Map(rows.map(one => [one.key, one.readAt]))
  const all = byKey.get('') ?? 0
  return key => Math.max(byKey.get(key) ?? 0, all) || null
}
