import { and, desc, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { lowestIdAt } from '../../../../server/ids.ts'
import { functionErrors } from '../contract.ts'
import { tellControls } from '../governance/controls.ts'
import { recordedCalls } from '../recording/recorded.ts'
import { functionAliases } from '../tables.ts'
import type { Health } from './rules.ts'
import { canaries, canaryHistory } from './tables.ts'

export type CanaryRow = typeof canaries.$inferSelect

/** The one that moves an alias now. */
export async function openCanary(ctx: Context, functionId: string, aliasName: string): Promise<CanaryRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(canaries)
    .where(
      and(
        eq(canaries.functionId, functionId),
        eq(canaries.aliasName, aliasName),
        inArray(canaries.state, ['RUNNING', 'PAUSED']),
      ),
    )
  return row
}

/** Refuses where a canary moves the alias: two would pull it to and fro. */
export async function assertNoCanary(ctx: Context, functionId: string, aliasName: string): Promise<void> {
  if (await openCanary(ctx, functionId, aliasName)) refuse(functionErrors.canaryRuns, { name: aliasName })
}

export async function canaryOf(ctx: Context, functionId: string, canaryId: string, lock = false): Promise<CanaryRow> {
  const isIt = and(eq(canaries.canaryId, canaryId), eq(canaries.functionId, functionId))
  const query = ctx.db.select().from(canaries).where(isIt)
  const [row] = await (lock ? query.for('update') : query)
  return row ?? refuse(commonErrors.notFound, { entity: 'canary', id: canaryId })
}

/** Of refusals that say nothing of the code: there was no room, or an open breaker held the call back. */
const heldBack = Object.values(functionErrors).flatMap(([number, status]) => (status === 429 ? [String(number)] : []))

/** What the second version did for this alias since the step began; calls that did not come to it are none of its. */
export async function healthOf(ctx: Context, row: CanaryRow): Promise<Health> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ calls: string; failures: string; p95: number | null }>({
    text: `SELECT count(*) AS calls, count(*) FILTER (WHERE outcome <> 'SUCCESS') AS failures,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY run_ms) FILTER (WHERE outcome <> 'REFUSED') AS p95
      FROM ${recordedCalls} AS call WHERE function_id = $1 AND qualifier = $2 AND version = $3 AND started_at >= $4
        AND last_id >= $5 AND request_id >= $5 AND NOT (outcome = 'REFUSED' AND coalesce(error_type, '') = ANY($6))`,
    values: [
      ...[row.functionId, row.aliasName, row.toVersion, row.stepStartedAt, lowestIdAt(row.stepStartedAt)],
      heldBack,
    ],
  })
  const [found] = rows
  return { calls: Number(found?.calls ?? 0), failures: Number(found?.failures ?? 0), p95Ms: found?.p95 ?? null }
}

/** Leads the alias of a canary: a share to the second version, or all calls to one of both. */
export async function leadAlias(
  ctx: Context,
  { functionId, aliasName, fromVersion, toVersion }: CanaryRow,
  to: { weight: number } | 'first' | 'second',
): Promise<void> {
  const [alias] = await ctx.db
    .select()
    .from(functionAliases)
    .where(and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, aliasName)))
    .for('update')
  if (!alias) return
  const version = to === 'second' ? toVersion : fromVersion
  const additional = typeof to === 'string' ? null : { version: toVersion, mode: 'WEIGHT' as const, weight: to.weight }
  await ctx.db
    .update(functionAliases)
    .set({ version, additional, updatedAt: ctx.now(), revision: alias.revision + 1 })
    .where(and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, aliasName)))
  tellControls(ctx, functionId)
}

/** Adds a line to the history. */
export async function remember(
  ctx: Context,
  { canaryId, teamId }: CanaryRow,
  entry: { action: string; weight: number; health: Health },
): Promise<void> {
  const { action, weight, health } = entry
  const { calls, failures, p95Ms } = health
  await ctx.db.insert(canaryHistory).values({
    ...{ entryId: ctx.newId(), canaryId, teamId, at: ctx.now(), action, weight, calls, failures, p95Ms },
    actor: ctx.caller.accountId,
  })
}

export async function historyOf(ctx: Context, canaryId: string) {
  return ctx.db
    .select()
    .from(canaryHistory)
    .where(eq(canaryHistory.canaryId, canaryId))
    .orderBy(desc(canaryHistory.entryId))
    .limit(100)
}

/** Of a function that is deleted. */
export async function forgetCanaries(ctx: Context, functionId: string): Promise<void> {
  const own = ctx.db.select({ id: canaries.canaryId }).from(canaries).where(eq(canaries.functionId, functionId))
  await ctx.db.delete(canaryHistory).where(inArray(canaryHistory.canaryId, own))
  await ctx.db.delete(canaries).where(eq(canaries.functionId, functionId))
}
