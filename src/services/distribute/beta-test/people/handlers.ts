import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toUsers } from '../answer.ts'
import { groupsOfIds, loadGroup, loadUser, pageOfUsers, type UserRecord } from '../queries.ts'
import { testUsers } from '../tables.ts'
import { addPeople, removePerson } from './adding.ts'
import { betaPeopleV2, betaPeople as contract } from './contract.ts'
import { exportUsers } from './exporting.ts'
import { startImport } from './importing.ts'
import { importReport, pageOfImports } from './report.ts'

export const peopleHandlers: Handlers<typeof contract> = {
  listGroupUsers: async (ctx, { params, query }) => {
    await loadGroup(ctx, params.groupId)
    const page = await pageOfUsers(ctx, { ...query, ...params })
    return { ...page, list: await toUsers(ctx, page.list) }
  },

  addGroupUsers: async (ctx, { params, body }) => {
    const { added, known } = await addPeople(ctx, params.groupId, body.users)
    return { added: await toUsers(ctx, added), known }
  },

  removeGroupUser: async (ctx, { params, query }) => {
    const { groupId } = await loadUser(ctx, query.userId)
    if (groupId !== params.groupId) refuse(commonErrors.notFound, { entity: 'test user', id: query.userId })
    await removePerson(ctx, query.userId, params)
    return {}
  },

  importGroupUsers: (ctx, { params, body }) => startImport(ctx, { ...params, ...body }),

  listUsers: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfUsers(ctx, query)
    return { ...page, list: await toUsers(ctx, page.list) }
  },

  addUsers: async (ctx, { body }) => {
    await appOf(ctx, body.appId)
    await mustBeOfApp(ctx, body)
    const added: UserRecord[] = []
    let known = 0
    for (const groupId of body.groupIds) {
      const one = await addPeople(ctx, groupId, body.users)
      added.push(...one.added)
      known += one.known
    }
    return { added: await toUsers(ctx, added), known }
  },

  updateUser: async (ctx, { body }) => {
    const user = await loadUser(ctx, body.userId)
    const [after] = await ctx.db
      .update(testUsers)
      .set({ nickname: body.nickname.trim(), revision: sql`${testUsers.revision} + 1` })
      .where(and(eq(testUsers.userId, body.userId), eq(testUsers.revision, body.revision)))
      .returning()
    if (!after) refuse(commonErrors.stale, { revision: user.revision })
    ctx.audit({ action: 'testUser.update', entity: 'testUser', entityId: body.userId, teamId: user.teamId })
    const [told] = await toUsers(ctx, [after])
    if (!told) throw new Error('one row makes one answer')
    return told
  },

  removeUser: async (ctx, { query }) => ({ removed: await removePerson(ctx, query.userId, 'app') }),

  importUsers: (ctx, { body }) => startImport(ctx, body),

  getImport: (ctx, { query }) => importReport(ctx, query.bulkId),

  listImports: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return pageOfImports(ctx, query)
  },

  exportUsers: (ctx, { query }) => exportUsers(ctx, query),
}

/** One foreign group refuses the whole. */
async function mustBeOfApp(ctx: Context, { appId, groupIds }: { appId: string; groupIds: readonly string[] }) {
  const own = new Set((await groupsOfIds(ctx, groupIds)).filter(one => one.appId === appId).map(one => one.groupId))
  const other = groupIds.find(groupId => !own.has(groupId))
  if (other) refuse(commonErrors.notFound, { entity: 'test group', id: other })
}

export default implement(contract, peopleHandlers)
export const secondGeneration = implement(betaPeopleV2, peopleHandlers)
