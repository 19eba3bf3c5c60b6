import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { forgetNames } from './collecting/names.ts'
import { compact, dropFiles, dropOrphans } from './compacting.ts'
import { eraseJob, eraseUnit } from './erasing.ts'
import { liveEventsOf } from './live/watching.ts'

export default {
  start: server => {
    liveEventsOf(server).listen()
    return async () => undefined
  },
  jobs: [{ kind: eraseJob, run: eraseUnit }],
  listeners: [
    atProjectEnd('app_events.projectDeleted', forgetProject),
    { name: 'app_events.users', on: ['app_auth.user_deleted'], run: forgetUser },
  ],
  sweeps: [
    { name: 'app_events.compact', every: '20 * * * * *', database: 'zone', run: compact },
    { name: 'app_events.drop', every: '40 */5 * * * *', database: 'zone', run: dropFiles },
    { name: 'app_events.names', every: '50 41 * * * *', database: 'zone', run: forgetNames },
    { name: 'app_events.orphans', every: '10 42 * * * *', database: 'zone', run: dropOrphans },
  ],
  handover: {
    stays: {
      app_event_buffer: 'events are the project’s, not an app’s',
      app_event_segments: 'as the events',
      app_event_names: 'as the events',
    },
  },
} satisfies Work

/** The files go with the next look for those whose time has come. */
async function forgetProject(ctx: Context, projectId: string): Promise<void> {
  const query = ctx.transaction(ctx.zone)
  await query.query({ text: 'DELETE FROM app_event_buffer WHERE project_id = $1', values: [projectId] })
  await query.query({ text: 'DELETE FROM app_event_names WHERE project_id = $1', values: [projectId] })
  await query.query({
    text: 'UPDATE app_event_segments SET drop_at = $2 WHERE project_id = $1 AND (drop_at IS NULL OR drop_at > $2)',
    values: [projectId, ctx.now()],
  })
}

/** What a deleted user of an app did goes too. */
async function forgetUser(ctx: Context, { data, teamId }: Event): Promise<void> {
  const { projectId, uid } = data as { projectId?: string; uid?: string }
  if (projectId === undefined || uid === undefined) return
  const { rows } = await ctx.transaction(ctx.zone).query({
    text: `SELECT 1 WHERE EXISTS (SELECT FROM app_event_buffer WHERE project_id = $1)
      OR EXISTS (SELECT FROM app_event_segments WHERE project_id = $1 AND drop_at IS NULL)`,
    values: [projectId],
  })
  if (rows.length === 0) return
  ctx.startJob({ kind: eraseJob, subject: projectId, input: { projectId, unit: uid }, deadlineMs: 3_600_000, teamId })
}
