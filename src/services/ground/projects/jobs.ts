import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'

/**
 * Keeps the number of apps. The event is of a zone, the count of home, and nothing commits both at once: the count is
 * written first and by app, so telling it again, or late, changes nothing.
 */
async function countApp(ctx: Context, event: Event): Promise<void> {
  const { projectId } = event.data
  if (typeof projectId !== 'string' || event.teamId === null) return
  const hasEnded = event.type === 'app.deleted'
  await ctx.transact(async inner => {
    const transaction = inner.transaction('home')
    await transaction.query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
    await transaction.query(
      `INSERT INTO project_apps (app_id, team_id, project_id, has_ended) VALUES ($1, $2, $3, $4)
        ON CONFLICT (app_id) DO UPDATE SET has_ended = project_apps.has_ended OR excluded.has_ended`,
      [event.entityId, event.teamId, projectId, hasEnded],
    )
    await transaction.query(
      `UPDATE projects SET app_count = (SELECT count(*) FROM project_apps WHERE project_id = $1 AND NOT has_ended)
        WHERE project_id = $1 AND team_id = $2`,
      [projectId, event.teamId],
    )
  })
}

export default {
  listeners: [{ name: 'projects.count-apps', on: ['app.created', 'app.deleted'], run: countApp }],
} satisfies Work
