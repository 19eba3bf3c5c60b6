import type { Context } from '../../../server/context.ts'
import type { Listener, Work } from '../../../server/work.ts'
import { tellDenials, watchPublishes } from './alarm.ts'
import { startMemory } from './memory.ts'
import { limits } from './rules.ts'

const dayMs = 86_400_000
const mostAtOnce = 20_000

/** A deleted user of an app leaves no request behind. */
const forgetUsers: Listener = {
  name: 'rules.users',
  on: ['app_auth.user_deleted'],
  run: async (ctx, { data }) => {
    const { projectId, uid } = data as { projectId?: string; uid?: string }
    if (projectId === undefined || uid === undefined) return
    await ctx.transaction(ctx.zone).query({
      text: 'DELETE FROM rules_decisions WHERE project_id = $1 AND uid = $2',
      values: [projectId, uid],
    })
  },
}

/** Of an erased account stays that a version was published, not by whom. */
const forgetAccounts: Listener = {
  name: 'rules.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    const query = ctx.transaction(ctx.zone)
    await query.query({
      text: `UPDATE rules_versions SET published_by = '' WHERE published_by = $1`,
      values: [entityId],
    })
    await query.query({ text: 'UPDATE rules_heads SET draft_by = NULL WHERE draft_by = $1', values: [entityId] })
  },
}

export default {
  start: startMemory,
  listeners: [forgetUsers, forgetAccounts, { name: 'rules.denials', on: ['rules.denials_rose'], run: tellDenials }],
  sweeps: [
    { name: 'rules.retention', every: '40 7 * * * *', database: 'zone', run: dropOld },
    { name: 'rules.alarm', every: '20 * * * * *', database: 'zone', run: watchPublishes },
  ],
  handover: {
    stays: {
      rules_heads: 'rules are the project’s, not an app’s',
      rules_versions: 'as the rules',
      rules_decisions: 'requests to the project’s data',
      rules_minutes: 'counts of the project',
      rules_statement_hours: 'counts of the project',
    },
  },
} satisfies Work

async function dropOld(ctx: Context): Promise<void> {
  const oldest = ctx.now() - limits.keptDays * dayMs
  const query = ctx.transaction(ctx.zone)
  await query.query({
    name: 'rules drop decisions',
    text: 'DELETE FROM rules_decisions WHERE ctid = ANY (ARRAY(SELECT ctid FROM rules_decisions WHERE at < $1 LIMIT $2))',
    values: [oldest, mostAtOnce],
  })
  await query.query({
    name: 'rules drop minutes',
    text: 'DELETE FROM rules_minutes WHERE minute < $1',
    values: [Math.floor(oldest / 60_000)],
  })
  await query.query({
    name: 'rules drop hours',
    text: 'DELETE FROM rules_statement_hours WHERE hour < $1',
    values: [Math.floor(oldest / 3_600_000)],
  })
}
