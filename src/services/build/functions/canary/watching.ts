import { and, asc, eq, gt } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { flushRecords } from '../recording/recording.ts'
import { type CanaryRow, healthOf, leadAlias, remember } from './queries.ts'
import { canaryLifeCycle, type Health, nextMove, passedLimit, type Step } from './rules.ts'
import { canaries } from './tables.ts'

const atOnce = 100

/** Looks at every canary that runs; each is moved by itself, so that one that fails holds up no other. */
export async function watchCanaries(ctx: Context): Promise<void> {
  await flushRecords(ctx.server)
  for (let after = '0'; ; ) {
    const rows = await ctx.db
      .select()
      .from(canaries)
      .where(and(eq(canaries.state, 'RUNNING'), gt(canaries.canaryId, after)))
      .orderBy(asc(canaries.canaryId))
      .limit(atOnce)
    for (const row of rows)
      await ctx
        .transact(inner => watch(inner, row))
        .catch(error => ctx.log.warn({ canaryId: row.canaryId, reason: (error as Error).message }, 'a canary stands'))
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return
    after = last.canaryId
  }
}

async function watch(ctx: Context, row: CanaryRow): Promise<void> {
  const health = await healthOf(ctx, row)
  const action = nextMove(row, health, ctx.now())
  if (action) await moveCanary(ctx, row, action, health)
}

type Action = 'pause' | 'resume' | 'finish' | 'rollBack' | 'abort' | 'advance' | 'complete'

/** Moves a canary and its alias with it, and remembers why. Refuses what its life cycle refuses. */
export async function moveCanary(ctx: Context, row: CanaryRow, action: Action, health: Health): Promise<void> {
  const { canaryId, teamId, functionId, aliasName } = row
  const why = action === 'abort' ? { limit: passedLimit(row.limits, health) } : {}
  const data = { functionId, aliasName, ...health, ...why }
  const moving = { id: canaryId, state: row.state, revision: row.revision }
  const { state } = await transition(ctx, {
    ...{ cycle: canaryLifeCycle, table: 'fn_canaries', idColumn: 'canary_id', row: moving, action, data, teamId },
    isConsequence: ctx.caller.kind === 'system',
  })
  const step = action === 'advance' ? row.step + 1 : row.step
  const isOver = state !== 'RUNNING' && state !== 'PAUSED'
  const begins = action === 'advance' || action === 'resume'
  await ctx.db
    .update(canaries)
    .set({ step, ...(begins && { stepStartedAt: ctx.now() }), ...(isOver && { endedAt: ctx.now() }) })
    .where(eq(canaries.canaryId, canaryId))
  const weight = state === 'DONE' ? 100 : isOver ? 0 : (row.steps[step] as Step).weight
  if (isOver) await leadAlias(ctx, row, state === 'DONE' ? 'second' : 'first')
  else if (action === 'advance') await leadAlias(ctx, row, { weight })
  await remember(ctx, row, { action: action === 'abort' ? `abort.${why.limit}` : action, weight, health })
}
