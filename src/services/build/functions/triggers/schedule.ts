import type { Context } from '../../../../server/context.ts'
import { fire } from './firing.ts'
import type { TriggerRow } from './queries.ts'
import { dueOf } from './rules.ts'

interface Due {
  trigger: TriggerRow
  dueAt: number
}

/**
 * Fires the timers that are due. One process sweeps at a time, the rows are held, and each time has one id: whatever dies
 * or comes twice, it fires once.
 */
export async function fireTimers(ctx: Context): Promise<void> {
  for (const { trigger, dueAt } of await dueTimers(ctx)) {
    const { cron = '', timezone = 'UTC', missed = 'SKIP', payload = null } = trigger.config
    const { fireAt, nextAt } = dueOf({ cron, timezone, missed }, dueAt, ctx.now())
    if (fireAt !== null)
      await fire(ctx, [{ trigger, id: `cron:${fireAt}`, event: { time: fireAt, cron, timezone, payload } }])
    await ctx.transaction(ctx.zone).query({
      name: 'functions timer set',
      text: 'UPDATE fn_triggers SET next_fire_at = $2 WHERE trigger_id = $1',
      values: [trigger.triggerId, nextAt],
    })
  }
}

async function dueTimers(ctx: Context): Promise<Due[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<TriggerRow & { nextFireAt: string }>({
    name: 'functions timers due',
    text: `SELECT trigger_id AS "triggerId", function_id AS "functionId", team_id AS "teamId", project_id AS "projectId", name,
        type_code AS "typeCode", qualifier, config, next_fire_at AS "nextFireAt"
      FROM fn_triggers WHERE is_enabled AND next_fire_at <= $1 ORDER BY next_fire_at LIMIT 200 FOR UPDATE SKIP LOCKED`,
    values: [ctx.now()],
  })
  return rows.map(row => ({ trigger: row, dueAt: Number(row.nextFireAt) }))
}
