import { eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { applyJob, giveUp, refreshJob, runApply, runRefresh, startRefresh } from './audiences/refreshing.ts'
import { thinSizes } from './audiences/sizes.ts'
import type { Refresh } from './rules.ts'
import { audienceMembers, audienceSizes, audiences, ruleSets, ruleSetVersions } from './tables.ts'

const dayMs = 86_400_000

export default {
  jobs: [
    { kind: refreshJob, run: runRefresh, giveUp },
    { kind: applyJob, run: runApply, giveUp },
  ],
  listeners: [
    { name: 'targeting.users', on: ['app_auth.user_deleted'], run: forgetUser },
    { name: 'targeting.erased', on: ['session.account_forgotten'], run: forgetAccount },
    atProjectEnd('targeting.projectDeleted', forgetProject),
  ],
  sweeps: [
    { name: 'targeting.refresh', every: '35 * * * * *', database: 'zone', run: refreshDue },
    { name: 'targeting.sizes', every: '50 19 * * * *', database: 'zone', run: thinSizes },
    { name: 'targeting.batches', every: '50 17 * * * *', database: 'zone', run: dropLeft },
  ],
  handover: {
    stays: {
      targeting_rule_sets: 'of the project, which stays',
      targeting_rule_set_versions: 'as the rule sets',
      targeting_audiences: 'of the project, which stays',
      targeting_members: 'as the audiences',
      targeting_sizes: 'as the audiences',
      targeting_batches: 'as the audiences',
    },
  },
} satisfies Work

/** Starts what is due, some at a time; an audience whose job still runs waits for its next time. */
async function refreshDue(ctx: Context): Promise<void> {
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<{ audienceId: string; teamId: string; refreshEvery: Refresh }>({
      text: `SELECT audience_id::text AS "audienceId", team_id::text AS "teamId", refresh_every AS "refreshEvery"
      FROM targeting_audiences WHERE next_refresh_at <= $1 ORDER BY next_refresh_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
      values: [ctx.now()],
    })
  for (const { audienceId, teamId, refreshEvery } of rows) await startRefresh(ctx, audienceId, teamId, refreshEvery)
}

/** Uploads and runs that nobody finished. */
async function dropLeft(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `WITH gone AS (DELETE FROM targeting_batches WHERE created_at < $1 RETURNING batch_id)
      DELETE FROM targeting_batch_units u USING gone WHERE u.batch_id = gone.batch_id`,
    values: [ctx.now() - dayMs],
  })
}

/** A deleted user of an app is in no audience of its project. */
async function forgetUser(ctx: Context, { data }: Event): Promise<void> {
  const { projectId, uid } = data as { projectId?: string; uid?: string }
  if (projectId === undefined || uid === undefined) return
  await ctx.transaction(ctx.zone).query({
    text: `WITH gone AS (
        DELETE FROM targeting_members m USING targeting_audiences a
        WHERE a.project_id = $1 AND m.audience_id = a.audience_id AND m.unit = $2 RETURNING m.audience_id
      ) UPDATE targeting_audiences a SET size = size - 1 FROM gone WHERE a.audience_id = gone.audience_id`,
    values: [projectId, uid],
  })
}

/** Of an erased account stays that a version was published, not by whom. */
async function forgetAccount(ctx: Context, { entityId }: Event): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `UPDATE targeting_rule_set_versions SET published_by = '' WHERE published_by = $1`,
    values: [entityId],
  })
}

async function forgetProject({ db }: Context, projectId: string): Promise<void> {
  const ownSets = db.select({ id: ruleSets.ruleSetId }).from(ruleSets).where(eq(ruleSets.projectId, projectId))
  const ownAudiences = db.select({ id: audiences.audienceId }).from(audiences).where(eq(audiences.projectId, projectId))
  await db.delete(ruleSetVersions).where(inArray(ruleSetVersions.ruleSetId, ownSets))
  await db.delete(ruleSets).where(eq(ruleSets.projectId, projectId))
  for (const table of [audienceMembers, audienceSizes])
    await db.delete(table).where(inArray(table.audienceId, ownAudiences))
  await db.delete(audiences).where(eq(audiences.projectId, projectId))
}
