import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { isFeatureOn } from '../../menu/public.ts'
import { isMember } from '../../teams/public.ts'
import { withSite } from '../answer.ts'
import { createProject, deleteProject, updateProject } from '../life.ts'
import { loadProject, type ProjectRow, pageOfProjects } from '../queries.ts'
import { projectMembers } from '../tables.home.ts'
import { devProjects as contract } from './contract.ts'
import { isOfProject, partsIn, peopleOf, withNames } from './people.ts'
import { projectMemberLimit } from './rules.ts'

const handlers: Handlers<typeof contract> = {
  getDevProject: async (ctx, { query }) => {
    if (query.projectId) {
      const project = await toDevProject(ctx, await loadProject(ctx, query.projectId))
      return { total: 1, list: [project], nextCursor: null }
    }
    const page = await pageOfProjects(ctx, { ...query, memberId: ctx.accountId })
    const partOf = await partsIn(
      ctx,
      page.list.map(row => row.projectId),
    )
    return { ...page, list: page.list.map(row => ({ ...withSite(row), ...partOf(row.projectId) })) }
  },

  createDevProject: async (ctx, { body }) => {
    const row = await createProject(ctx, body)
    const { projectId, teamId, createdAt: addedAt } = row
    const { accountId } = ctx
    await ctx.home
      .insert(projectMembers)
      .values({ projectId, teamId, accountId, role: 'owner', addedBy: accountId, addedAt })
    return toDevProject(ctx, row)
  },

  updateDevProject: async (ctx, { body }) => toDevProject(ctx, await updateProject(ctx, body)),

  deleteDevProject: async (ctx, { query }) => {
    await deleteProject(ctx, query.projectId)
    return {}
  },

  listProjectMembers: async (ctx, { query }) => {
    const { projectId } = await loadProject(ctx, query.projectId)
    const list = await peopleOf(ctx, projectId)
    return { total: list.length, list }
  },

  addProjectMembers: async (ctx, { body }) => {
    const { projectId } = await locked(ctx, body.projectId)
    const before = new Set((await peopleOf(ctx, projectId)).map(row => row.accountId))
    for (const { accountId, role } of body.members) {
      if (before.has(accountId)) refuse(contract.errors.alreadyMember, { accountId })
      if (!(await isMember(ctx, ctx.teamId, accountId))) refuse(contract.errors.notOfTeam, { accountId })
      before.add(accountId)
      const added = { addedBy: ctx.accountId, addedAt: ctx.now() }
      await ctx.home.insert(projectMembers).values({ projectId, accountId, teamId: ctx.teamId, role, ...added })
      tell(ctx, 'project.member_added', projectId, { accountId, role })
    }
    if (before.size > projectMemberLimit) {
      refuse(contract.errors.tooManyProjectMembers, { limit: projectMemberLimit })
    }
    const list = await peopleOf(ctx, projectId)
    return { total: list.length, list }
  },

  changeProjectMember: async (ctx, { body }) => {
    const { projectId, accountId, role } = body
    await locked(ctx, projectId)
    const before = await memberOf(ctx, projectId, accountId)
    if (before.role === 'owner' && role !== 'owner') await keepAnOwner(ctx, projectId)
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    const [row] = await ctx.home
      .update(projectMembers)
      .set({ role, revision: sql`${projectMembers.revision} + 1` })
      .where(and(isOfProject(ctx, projectId), eq(projectMembers.accountId, accountId)))
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before.revision })
    tell(ctx, 'project.member_changed', projectId, { accountId, role })
    const [named] = await withNames(ctx, [row])
    return named ?? refuse(commonErrors.internal)
  },

  removeProjectMember: async (ctx, { query }) => {
    const { projectId, accountId } = query
    await locked(ctx, projectId)
    const before = await memberOf(ctx, projectId, accountId)
    if (before.role === 'owner') await keepAnOwner(ctx, projectId)
    await ctx.home
      .delete(projectMembers)
      .where(and(isOfProject(ctx, projectId), eq(projectMembers.accountId, accountId)))
    tell(ctx, 'project.member_removed', projectId, { accountId })
    return {}
  },
}

export default implement(contract, handlers)

async function toDevProject(ctx: Context, row: ProjectRow) {
  const partOf = await partsIn(ctx, [row.projectId])
  return { ...withSite(row), ...partOf(row.projectId) }
}

/** Changes of one project's people take turns, so that an owner stays. */
async function locked(ctx: Context, projectId: string): Promise<ProjectRow> {
  const project = await loadProject(ctx, projectId)
  // Specification 6: member editing of demo projects depends on a flag.
  if (project.isDemo && !(await isFeatureOn(ctx, 'demoMemberEditing'))) refuse(commonErrors.demoReadOnly, { projectId })
  await ctx.transaction('home').query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
  return project
}

async function memberOf(ctx: Context, projectId: string, accountId: string) {
  const people = await peopleOf(ctx, projectId)
  const found = people.find(row => row.accountId === accountId)
  return found ?? refuse(commonErrors.notFound, { entity: 'member', id: accountId })
}

async function keepAnOwner(ctx: Context, projectId: string): Promise<void> {
  const owners = (await peopleOf(ctx, projectId)).filter(row => row.role === 'owner')
  if (owners.length < 2) refuse(contract.errors.lastOwner)
}

function tell(ctx: Context, type: string, projectId: string, data: Record<string, unknown>): void {
  ctx.audit({ action: type, entity: 'project', entityId: projectId, after: data }, 'home')
  ctx.emit({ type, entity: 'project', entityId: projectId, data }, 'home')
}
