import type { Context } from '../../../server/context.ts'
import type { Event, Work } from '../../../server/work.ts'
import { projectsHandover } from './handover.ts'
import { homeListener } from './home/jobs.ts'

/**
 * Keeps the number of apps. The event is of a zone, the count of home, and nothing commits both at once: the count is
 * written first and by app, so telling it again, or late, changes nothing.
 */
async function countApp(ctx: Context, event: Event): Promise<void> {
  const { projectId } = event.data
  if (typeof projectId !== 'string' || event.teamId === null) return
  const hasEnded = event.type === 'app.deleted'
  const { name, packageType } = event.data
  await ctx.transact(async inner => {
    const transaction = inner.transaction('home')
    await transaction.query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
    await transaction.query(
      `INSERT INTO project_apps (app_id, team_id, project_id, has_ended, name, package_type) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (app_id) DO UPDATE SET has_ended = project_apps.has_ended OR excluded.has_ended,
          name = coalesce(nullif(excluded.name, ''), project_apps.name),
          package_type = coalesce(nullif(excluded.package_type, ''), project_apps.package_type)`,
      [event.entityId, event.teamId, projectId, hasEnded, textOf(name), textOf(packageType)],
    )
    await transaction.query(
      `UPDATE projects SET app_count = (SELECT count(*) FROM project_apps WHERE project_id = $1 AND NOT has_ended)
        WHERE project_id = $1 AND team_id = $2`,
      [projectId, event.teamId],
    )
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : '')

/** Follows an app's name, where the event tells it. */
async function renameApp(ctx: Context, event: Event): Promise<void> {
  const name = textOf(event.data['name'])
  if (name === '' || event.teamId === null) return
  await ctx.transact(async inner => {
    await inner.transaction('home').query({
      text: 'UPDATE project_apps SET name = $3 WHERE app_id = $1 AND team_id = $2',
      values: [event.entityId, event.teamId, name],
    })
  })
}

/** Who leaves the team leaves its projects. */
async function dropMember(ctx: Context, event: Event): Promise<void> {
  const { accountId, teamId } = event.data
  if (typeof accountId !== 'string' || typeof teamId !== 'string') return
  await ctx.transact(async inner => {
    await inner.transaction('home').query({
      text: 'DELETE FROM project_members WHERE team_id = $1 AND account_id = $2',
      values: [teamId, accountId],
    })
  })
}

export default {
  handover: projectsHandover,
  listeners: [
    { name: 'projects.count-apps', on: ['app.created', 'app.deleted'], run: countApp },
    { name: 'projects.rename-apps', on: ['app.updated'], run: renameApp },
    { name: 'projects.drop-members', on: ['team.member_removed'], run: dropMember },
    homeListener,
  ],
} satisfies Work
