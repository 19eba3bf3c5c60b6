import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Listener, Work } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { asksForAudiences } from '../targeting/public.ts'
import { publishDueRequests } from './change-requests/publishing.ts'
import { changeListeners } from './change-requests/telling.ts'
import { conditionsAsking } from './checking.ts'
import { configMemoryOf } from './fetch/memory.ts'
import { streamsOf } from './fetch/streams.ts'
import { contextSampleOf } from './impact/contexts.ts'
import { publishChannel } from './publishing.ts'
import { readMemoryOf } from './reads.ts'
import { publishDue } from './releases/schedules.ts'
import { tellAgreement } from './rollouts/agreement/telling.ts'
import { giveUpLook, lookJob, lookWhenDue, runLook } from './rollouts/looking.ts'
import { advanceRollouts, dropEnded } from './rollouts/sweep.ts'
import { tellRollouts } from './rollouts/telling.ts'
import { kinds, limits, samples } from './rules.ts'
import {
  rcsChangeRequests,
  rcsContexts,
  rcsReads,
  rcsRolloutChanges,
  rcsRollouts,
  rcsSchedules,
  rcsSettings,
  rcsTemplates,
  rcsVersions,
  rcsVotes,
} from './tables.ts'

const dayMs = 86_400_000

/** Whoever set the time is told that it was not done. */
const tellConflicts: Listener = {
  name: 'remote_config.conflicts',
  on: ['remote_config.schedule_conflict'],
  run: async (ctx, { data }) => {
    const { projectId, kind, createdBy, version } = data as Record<string, string | null>
    if (!createdBy) return
    await notify(ctx, {
      to: { accountIds: [createdBy] },
      category: 'operations',
      kind: 'remoteConfig.scheduleConflict',
      title: {
        zh: '定时发布未执行：远程配置在此期间已变更',
        en: 'Not published at its time: the remote config has changed meanwhile',
        ru: 'Не опубликовано в срок: удалённая настройка тем временем изменилась',
      },
      text: {
        zh: `您定时发布的草稿基于较早的版本，现在生效的是版本 ${version}。请对比后重新发布。`,
        en: `What you scheduled was made on an older version; version ${version} is in force now. Compare them, then publish again.`,
        ru: `Запланированное сделано на основе более старой версии; сейчас действует версия ${version}. Сравните их и опубликуйте снова.`,
      },
      href: `/remote-config?projectId=${projectId}&kind=${kind}&tab=versions`,
      entityId: String(projectId),
    })
  },
}

/** Of an erased account stays that something was published, not by whom. */
const forgetAccounts: Listener = {
  name: 'remote_config.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId }) => {
    const query = ctx.transaction(ctx.zone)
    const columns = {
      rcs_templates: 'updated_by',
      rcs_versions: 'published_by',
      rcs_schedules: 'created_by',
      rcs_votes: 'voted_by',
      rcs_rollouts: 'created_by',
      rcs_rollout_changes: 'actor_id',
    }
    const written = ['rcs_change_requests created_by', 'rcs_change_requests written_by', 'rcs_rollouts written_by'].map(
      one => one.split(' ') as [string, string],
    )
    for (const [table, column] of [...Object.entries(columns), ...written])
      await query.query({ text: `UPDATE ${table} SET ${column} = NULL WHERE ${column} = $1`, values: [entityId] })
  },
}

/** What a deleted user of an app said of itself. */
const forgetUser: Listener = {
  name: 'remote_config.users',
  on: ['app_auth.user_deleted'],
  run: async (ctx, { data }) => {
    const { projectId, uid } = data as { projectId?: string; uid?: string }
    if (projectId === undefined || uid === undefined) return
    await ctx.transaction(ctx.zone).query({
      text: `DELETE FROM rcs_contexts WHERE project_id = $1
        AND (attributes->>'user.id' = $2 OR attributes->>'targetingKey' = $2)`,
      values: [projectId, uid],
    })
  },
}

export default {
  start: (server: Server) => {
    asksForAudiences('grow/remote-config', conditionsAsking)
    configMemoryOf(server).listen()
    const streams = streamsOf(server)
    streams.start()
    return async () => {
      streams.stop()
      await Promise.all([readMemoryOf(server).flush(), contextSampleOf(server).flush()])
    }
  },
  jobs: [{ kind: lookJob, run: runLook, giveUp: giveUpLook }],
  listeners: [
    ...[tellConflicts, forgetAccounts, forgetUser, tellRollouts, tellAgreement, ...changeListeners],
    atProjectEnd('remote_config.projectDeleted', forgetProject),
  ],
  sweeps: [
    { name: 'remote_config.schedules', every: '*/5 * * * * *', database: 'zone', run: publishDue },
    { name: 'remote_config.change_requests', every: '*/5 * * * * *', database: 'zone', run: publishDueRequests },
    { name: 'remote_config.rollouts', every: '*/5 * * * * *', database: 'zone', run: advanceRollouts },
    { name: 'remote_config.looks', every: '35 * * * * *', database: 'zone', run: lookWhenDue },
    { name: 'remote_config.retention', every: '50 17 * * * *', database: 'zone', run: dropOld },
  ],
  handover: {
    stays: {
      rcs_templates: 'remote config is the project’s, not an app’s',
      rcs_versions: 'as the templates',
      rcs_reads: 'as the templates',
      rcs_contexts: 'as the templates',
      rcs_schedules: 'as the templates',
      rcs_settings: 'as the templates',
      rcs_change_requests: 'as the templates',
      rcs_votes: 'as the templates',
      rcs_rollouts: 'as the templates',
      rcs_rollout_changes: 'as the templates',
    },
  },
} satisfies Work

async function forgetProject(ctx: Context, projectId: string): Promise<void> {
  const tables = [rcsVotes, rcsChangeRequests, rcsSchedules, rcsRolloutChanges, rcsRollouts, rcsContexts]
  for (const table of [...tables, rcsVersions, rcsTemplates, rcsReads, rcsSettings])
    await ctx.db.delete(table).where(eq(table.projectId, projectId))
  for (const kind of kinds) ctx.signal(ctx.zone, publishChannel, `${projectId} ${kind} 0`)
}

/** What is older than 90 days goes; the version in force stays however old it is, and so does what has not ended. */
export async function dropOld(ctx: Context): Promise<void> {
  const query = ctx.transaction(ctx.zone)
  const before = ctx.now() - limits.keptDays * dayMs
  await query.query({
    name: 'remote config drop versions',
    text: `DELETE FROM rcs_versions v USING rcs_templates t
      WHERE t.project_id = v.project_id AND t.kind = v.kind AND v.published_at < $1 AND v.version <> t.version`,
    values: [before],
  })
  await query.query({
    name: 'remote config drop schedules',
    text: `DELETE FROM rcs_schedules WHERE state <> 'SCHEDULED' AND updated_at < $1`,
    values: [before],
  })
  await dropEnded(ctx, before)
  await query.query({
    name: 'remote config drop contexts',
    text: 'DELETE FROM rcs_contexts WHERE seen_at < $1',
    values: [ctx.now() - samples.keptDays * dayMs],
  })
  // Those that are open stay; what they stand on goes with the versions.
  await query.query({
    name: 'remote config drop change requests',
    text: `WITH gone AS (
        DELETE FROM rcs_change_requests WHERE state IN ('PUBLISHED', 'DISCARDED') AND updated_at < $1
        RETURNING change_request_id
      ) DELETE FROM rcs_votes v USING gone WHERE v.change_request_id = gone.change_request_id`,
    values: [before],
  })
}
