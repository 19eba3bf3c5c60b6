import { createReadStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import { segmentName, type WrittenParquet } from '../../../server/engines/analytics/analytics.ts'
import { writeParquet } from '../../../server/engines/analytics/ask.ts'
import type { Row } from '../../../server/engines/analytics/messages.ts'
import type { Server } from '../../../server/server.ts'
import { dayOf, limits } from './rules.ts'

/** The columns of every file. What reads them says `"at"` in quotes: the word is DuckDB's. */
export const fileColumns = 'id, name, unit, "at", value, experiment, variant, props'
export const fileOrder = 'name, unit, "at", id'
const given = {
  ...{ id: 'BIGINT', name: 'VARCHAR', unit: 'VARCHAR', at: 'BIGINT', value: 'DOUBLE' },
  ...{ experiment: 'VARCHAR', variant: 'VARCHAR', props: 'VARCHAR' },
}
/** An event that comes again may have been corrected by another offset of its clock. */
const sameEventMs = 10 * 60_000
const rowsOfPage = 5_000
const triesAtMost = 6

/** Rows that another one has put into a file meanwhile. */
class TakenMeanwhile extends Error {}

interface Sealing {
  running: Promise<void>
  next: Promise<void> | null
}

const sealings = new WeakMap<Server, Map<string, Sealing>>()

/** Puts everything that was committed before the call into files. Several who ask at once wait for one. */
export function sealProject(server: Server, zone: ZoneId, projectId: string): Promise<void> {
  const all = sealings.get(server) ?? new Map<string, Sealing>()
  sealings.set(server, all)
  const key = `${zone} ${projectId}`
  const begin = () => sealAll(systemContext(server, zone, { name: 'appEvents' }), projectId)
  const known = all.get(key)
  if (!known) {
    const sealing: Sealing = { running: begin(), next: null }
    all.set(key, sealing)
    void follow(all, key, sealing)
    return sealing.running
  }
  // What runs may have looked before our rows came: the one after it has not.
  known.next ??= known.running.catch(() => undefined).then(begin)
  return known.next
}

async function follow(all: Map<string, Sealing>, key: string, sealing: Sealing) {
  for (;;) {
    await sealing.running.catch(() => undefined)
    if (!sealing.next) {
      all.delete(key)
      return
    }
    sealing.running = sealing.next
    sealing.next = null
  }
}

async function sealAll(ctx: Context, projectId: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      for (const stretch of await stretches(ctx, projectId)) while (await sealSome(ctx, projectId, stretch)) {}
      return
    } catch (error) {
      if (!(error instanceof TakenMeanwhile) || tries === triesAtMost) throw error
      await pause(Math.random() * 200 * tries)
    }
  }
}

/** What waits of one UTC day, by when it happened, both ends included. */
interface Stretch {
  day: string
  from: number
  to: number
}

async function stretches(ctx: Context, projectId: string): Promise<Stretch[]> {
  const { rows } = await ctx.transact(inner =>
    inner.transaction(inner.zone).query<{ from: number; to: number }>({
      name: 'app events stretches',
      text: `SELECT min(at)::float8 AS "from", max(at)::float8 AS "to" FROM app_event_buffer WHERE project_id = $1
        GROUP BY at / 86400000 ORDER BY 1`,
      values: [projectId],
    }),
  )
  return rows.map(row => ({ ...row, day: dayOf(row.from) }))
}

/**
 * A file of the rows of a day, then one transaction that takes exactly those out of the buffer and names the file: whoever is
 * killed before it leaves a file that nobody knows, and whoever comes second finds fewer rows than it read and does nothing.
 * Answers whether there may be more.
 */
async function sealSome(ctx: Context, projectId: string, stretch: Stretch): Promise<boolean> {
  const taken = new Taken(projectId, stretch)
  const first = await taken.page(ctx)
  if (first.length === 0) return false
  // The files come after the rows: one that is sealed meanwhile is among them, or its rows are gone when we come to take them.
  const before = await ctx.transact(inner =>
    segmentsBetween(inner, projectId, stretch.from - sameEventMs, stretch.to + sameEventMs),
  )
  const files = before.map(one => segmentName(ctx.zone, one.sha256))
  const segmentId = ctx.newId()
  const written = await writeParquet(ctx.server, {
    source: {
      ...{ columns: given, rows: taken.rows(ctx, first), files },
      ...(files.length > 0 && { where: 'id NOT IN (SELECT id FROM read_parquet($files))' }),
    },
    select: `id, name, unit, epoch_ms("at") AS "at", value, experiment, variant, props`,
    orderBy: fileOrder,
    label: segmentId,
  })
  const stored = await keptFile(ctx, written)
  await ctx.transact(async inner => {
    const query = inner.transaction(inner.zone)
    await lockProject(inner, projectId)
    const { rowCount } = await query.query({
      name: 'app events take',
      text: 'DELETE FROM app_event_buffer WHERE project_id = $1 AND event_id = ANY($2::bigint[])',
      values: [projectId, taken.ids],
    })
    if (rowCount !== taken.ids.length) throw new TakenMeanwhile()
    if (!stored) return
    const { minAt, maxAt, teamId } = taken
    await addSegment(inner, { ...stored, segmentId, teamId, projectId, day: stretch.day, minAt, maxAt })
  })
  return taken.hasMore
}

/** Rows of the buffer, page by page, and what is to be known of them afterwards. */
class Taken {
  readonly #projectId: string
  readonly #stretch: Stretch
  readonly ids: string[] = []
  minAt = Number.MAX_SAFE_INTEGER
  maxAt = 0
  teamId = ''
  hasMore = false
  #bytes = 0

  constructor(projectId: string, stretch: Stretch) {
    this.#projectId = projectId
    this.#stretch = stretch
  }

  async page(ctx: Context): Promise<Row[]> {
    const { rows } = await ctx.transact(inner =>
      inner.transaction(inner.zone).query<{ id: string; at: string; team: string; row: string }>({
        name: 'app events buffered',
        text: `SELECT event_id::text AS id, at::text AS at, team_id::text AS team, json_build_object('id', event_id::text, 'name', name,
            'unit', unit, 'at', at, 'value', value, 'experiment', experiment, 'variant', variant, 'props', props)::text AS row
          FROM app_event_buffer WHERE project_id = $1 AND event_id > $2 AND at >= $3 AND at <= $4 ORDER BY event_id LIMIT $5`,
        values: [this.#projectId, this.ids.at(-1) ?? '0', this.#stretch.from, this.#stretch.to, rowsOfPage],
      }),
    )
    for (const { id, at, team, row } of rows) {
      this.ids.push(id)
      this.minAt = Math.min(this.minAt, Number(at))
      this.maxAt = Math.max(this.maxAt, Number(at))
      this.teamId = team
      this.#bytes += row.length
    }
    this.hasMore = rows.length === rowsOfPage
    return rows.map(({ row }) => JSON.parse(row) as Row)
  }

  async *rows(ctx: Context, first: Row[]): AsyncGenerator<Row[]> {
    yield first
    while (this.hasMore && this.ids.length < limits.rowsOfFile && this.#bytes < limits.bytesOfFile)
      yield await this.page(ctx)
  }
}

export interface StoredFile {
  sha256: string
  sizeBytes: number
  rows: number
}

/** Moves a file that was written to the zone's bytes; null for one without rows. */
export async function keptFile(ctx: Context, written: WrittenParquet): Promise<StoredFile | null> {
  try {
    if (written.rows === 0) return null
    const source = createReadStream(written.path)
    const stored = await ctx.server.bytes(ctx.zone, 'events').put(source, { limitBytes: Number.MAX_SAFE_INTEGER })
    return { ...stored, rows: written.rows }
  } finally {
    await written.remove()
  }
}

/** Until the end of the transaction nobody else names or replaces files of the project. */
export async function lockProject(ctx: Context, projectId: string): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'app events in turns',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 117))',
    values: [projectId],
  })
}

export interface NewSegment extends StoredFile {
  segmentId: string
  teamId: string
  projectId: string
  day: string
  minAt: number
  maxAt: number
}

export async function addSegment(ctx: Context, one: NewSegment): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'app events add segment',
    text: `INSERT INTO app_event_segments (segment_id, team_id, project_id, day, seq, rows, size_bytes, min_at, max_at, sha256, created_at)
      SELECT $1, $2, $3, $4, coalesce(max(seq), 0) + 1, $5, $6, $7, $8, $9, $10
      FROM app_event_segments WHERE project_id = $3 AND day = $4`,
    values: [
      ...[one.segmentId, one.teamId, one.projectId, one.day, one.rows, one.sizeBytes, one.minAt, one.maxAt],
      ...[one.sha256, ctx.now()],
    ],
  })
}

export interface Segment {
  segmentId: string
  teamId: string
  day: string
  rows: number
  minAt: number
  maxAt: number
  sha256: string
}

/** The files in force with events from an instant to before another one. */
export async function segmentsBetween(ctx: Context, projectId: string, from: number, to: number): Promise<Segment[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<Segment>({
    name: 'app events segments',
    text: `SELECT segment_id::text AS "segmentId", team_id::text AS "teamId", day, rows::float8 AS rows,
        min_at::float8 AS "minAt", max_at::float8 AS "maxAt", sha256
      FROM app_event_segments WHERE project_id = $1 AND drop_at IS NULL AND max_at >= $2 AND min_at < $3 ORDER BY day, seq`,
    values: [projectId, from, to],
  })
  return rows
}
