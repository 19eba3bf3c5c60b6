import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { refuse } from '../../../../kernel/errors.ts'
import { unitOf } from '../../../../kernel/targeting/bucket.ts'
import type { Context } from '../../../../server/context.ts'
import { limits, type UploadMode } from '../rules.ts'
import { audiences as contract } from './contract.ts'
import type { AudienceRule } from './rules.ts'
import { keepSize } from './sizes.ts'

const batchRows = 10_000

/** Opens a batch: what an audience is to become is gathered under its id, and nobody sees it. */
export async function openBatch(ctx: Context, batchId: string, audienceId: string, mode: UploadMode): Promise<void> {
  const query = ctx.transaction(ctx.zone)
  await query.query({ text: 'DELETE FROM targeting_batch_units WHERE batch_id = $1', values: [batchId] })
  await query.query({
    text: `INSERT INTO targeting_batches (batch_id, audience_id, team_id, mode, created_at)
      SELECT $1, audience_id, team_id, $3, $4 FROM targeting_audiences WHERE audience_id = $2
      ON CONFLICT (batch_id) DO NOTHING`,
    values: [batchId, audienceId, mode, ctx.now()],
  })
}

/** Puts units into a batch, each once; answers how many were new to it. */
export async function gather(ctx: Context, batchId: string, units: readonly string[]): Promise<number> {
  const { rowCount } = await ctx.transaction(ctx.zone).query({
    name: 'targeting gather',
    text: `INSERT INTO targeting_batch_units (batch_id, unit) SELECT $1, unit FROM unnest($2::text[]) unit
      ON CONFLICT DO NOTHING`,
    values: [batchId, [...new Set(units)].sort()],
  })
  return rowCount ?? 0
}

/** Takes units out of a batch again. */
export async function letGo(ctx: Context, batchId: string, units: readonly string[]): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'targeting let go',
    text: 'DELETE FROM targeting_batch_units WHERE batch_id = $1 AND unit = ANY($2::text[])',
    values: [batchId, units],
  })
}

export async function dropBatch(ctx: Context, batchId: string): Promise<void> {
  const query = ctx.transaction(ctx.zone)
  await query.query({ text: 'DELETE FROM targeting_batch_units WHERE batch_id = $1', values: [batchId] })
  await query.query({ text: 'DELETE FROM targeting_batches WHERE batch_id = $1', values: [batchId] })
}

/** Reads ids from the first column of a CSV into a batch, however long the file is. */
export async function gatherFile(
  ctx: Context,
  batchId: string,
  stream: Readable,
  hasHeader: boolean,
): Promise<{ received: number; repeated: number; refused: number }> {
  const done = { received: 0, repeated: 0, refused: 0 }
  let units: string[] = []
  const settle = async () => {
    const sent = units
    units = []
    const added = await ctx.transact(inner => gather(inner, batchId, sent))
    done.received += added
    done.repeated += sent.length - added
    if (done.received > limits.members) refuse(contract.errors.tooManyMembers, { limit: limits.members })
  }
  const reader = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    from: hasHeader ? 2 : 1,
    max_record_size: 65_536,
  })
  stream.on('error', error => reader.destroy(error))
  for await (const [first] of stream.pipe(reader) as AsyncIterable<string[]>) {
    const unit = unitOf(first)
    if (unit === undefined || unit.length > limits.unitLength || unit.includes('\0')) done.refused++
    else units.push(unit)
    if (units.length >= batchRows) await settle()
  }
  if (units.length > 0) await settle()
  return done
}

/** The rows that a batch takes away and brings, by its mode. */
const leaving: Record<UploadMode, string> = {
  REPLACE: 'AND NOT EXISTS (SELECT 1 FROM targeting_batch_units b WHERE b.batch_id = $2 AND b.unit = m.unit)',
  REMOVE: 'AND EXISTS (SELECT 1 FROM targeting_batch_units b WHERE b.batch_id = $2 AND b.unit = m.unit)',
  ADD: 'AND false',
}
const entering: Record<UploadMode, string> = { REPLACE: '', ADD: '', REMOVE: 'AND false' }

/**
 * Puts a batch in force, in the caller's transaction: only who left is deleted and only who came is added, so that nobody is
 * out for a moment. Does nothing the second time, and nothing when the audience has another rule than `rule` by now.
 */
export async function applyBatch(ctx: Context, batchId: string, rule: AudienceRule | null): Promise<void> {
  const query = ctx.transaction(ctx.zone)
  const { rows } = await query.query<{
    audienceId: string
    projectId: string
    teamId: string
    mode: UploadMode
    rule: unknown
  }>({
    text: `SELECT a.audience_id::text AS "audienceId", a.project_id::text AS "projectId", a.team_id::text AS "teamId",
        b.mode, a.rule
      FROM targeting_batches b JOIN targeting_audiences a USING (audience_id) WHERE b.batch_id = $1 FOR UPDATE`,
    values: [batchId],
  })
  const [batch] = rows
  if (!batch || (rule !== null && JSON.stringify(batch.rule) !== JSON.stringify(rule))) return dropBatch(ctx, batchId)
  const { audienceId, projectId, teamId, mode } = batch
  const changed = await query.query<{ entered: number; left: number }>({
    text: `WITH gone AS (
        DELETE FROM targeting_members m WHERE m.audience_id = $1 ${leaving[mode]} RETURNING 1
      ), came AS (
        INSERT INTO targeting_members (audience_id, unit, team_id, since)
        SELECT $1, b.unit, $3, $4 FROM targeting_batch_units b WHERE b.batch_id = $2 ${entering[mode]}
        ON CONFLICT DO NOTHING RETURNING 1
      ) SELECT (SELECT count(*) FROM came)::int AS entered, (SELECT count(*) FROM gone)::int AS left`,
    values: [audienceId, batchId, teamId, ctx.now()],
  })
  const { entered, left } = changed.rows[0] ?? { entered: 0, left: 0 }
  await dropBatch(ctx, batchId)
  const { rows: sizes } = await query.query<{ size: string }>({
    text: `UPDATE targeting_audiences SET size = size + $2, refreshed_at = $3, problem = NULL
      WHERE audience_id = $1 RETURNING size`,
    values: [audienceId, entered - left, ctx.now()],
  })
  const size = Number(sizes[0]?.size)
  const tell = (type: string, count: number) =>
    ctx.emit({ type, entity: 'audience', entityId: audienceId, teamId, data: { projectId, count, size } })
  await keepSize(ctx, { audienceId, teamId, size })
  if (entered > 0) tell('audience.entered', entered)
  if (left > 0) tell('audience.left', left)
  if (size > limits.members) refuse(contract.errors.tooManyMembers, { limit: limits.members })
}
