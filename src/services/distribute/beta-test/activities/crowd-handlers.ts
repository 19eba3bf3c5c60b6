import { eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import { toGroups } from '../answer.ts'
import { deleteGroup } from '../groups.ts'
import { inviteGroup, inviteUsers, subscribe, unsubscribe } from '../invitations/handlers.ts'
import { peopleHandlers } from '../people/handlers.ts'
import { startImport } from '../people/importing.ts'
import { type GroupRecord, loadGroup, pageOfGroups } from '../queries.ts'
import { activities } from '../tables.ts'
import { type ActivityRecord, createActivity, deleteActivity, moveActivity, updateActivity } from './activities.ts'
import { crowdTest as contract } from './contract.ts'

const { listGroupUsers, addGroupUsers, removeGroupUser } = peopleHandlers

export default implement(contract, {
  listGroups: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfGroups(ctx, { ...query, isRecruiting: true })
    return { ...page, list: await toCrowd(ctx, page.list) }
  },

  createGroup: async (ctx, { body: { name, title, ...wish } }) => {
    const made = await createActivity(ctx, { ...wish, title: title ?? name, groupName: name })
    await moveActivity(ctx, made.activityId, 'publish')
    return toOne(ctx, made.groupId)
  },

  updateGroup: async (ctx, { body: { groupId, revision: _sent, ...wish } }) => {
    const { activityId } = await recruitingOf(ctx, groupId)
    await updateActivity(ctx, activityId, wish)
    return toOne(ctx, groupId)
  },

  deleteGroup: async (ctx, { query }) => {
    const { activityId, state } = await recruitingOf(ctx, query.groupId)
    if (state === 'RECRUITING') await moveActivity(ctx, activityId, 'close')
    await deleteActivity(ctx, activityId)
    await deleteGroup(ctx, query.groupId)
    return {}
  },

  listGroupUsers,
  addGroupUsers,
  removeGroupUser,

  importUsers: async (ctx, { body: { appId, groupId, csv } }) => {
    await appOf(ctx, appId)
    if (groupId === undefined) return startImport(ctx, { appId, csv })
    const group = await loadGroup(ctx, groupId)
    if (group.appId !== appId) refuse(commonErrors.notFound, { entity: 'test group', id: groupId })
    return startImport(ctx, { groupId, csv })
  },

  invite: async (ctx, { body: { groupId, userIds } }) => {
    if (groupId !== undefined) return inviteGroup(ctx, groupId)
    if (userIds !== undefined) return inviteUsers(ctx, userIds)
    throw badField('/groupId', 'required', 'Name a group, or people.')
  },

  subscribe: (ctx, { body }) => subscribe(ctx, tokenOf(body)),

  unsubscribe: (ctx, { body }) => unsubscribe(ctx, tokenOf(body)),
})

function tokenOf({ activityId, token }: { activityId?: string; token?: string }): string {
  if (activityId !== undefined) return `a${activityId}`
  return token ?? badToken()
}

function badToken(): never {
  throw badField('/activityId', 'required', 'Name an activity, or send the token of an invitation.')
}

async function recruitingOf(ctx: Context, groupId: string): Promise<ActivityRecord> {
  await loadGroup(ctx, groupId)
  const [row] = await ctx.db.select().from(activities).where(eq(activities.groupId, groupId))
  return row ?? refuse(commonErrors.notFound, { entity: 'crowd-test group', id: groupId })
}

async function toOne(ctx: Context, groupId: string) {
  const [told] = await toCrowd(ctx, [await loadGroup(ctx, groupId)])
  if (!told) throw new Error('one row makes one answer')
  return told
}

async function toCrowd(ctx: Context, rows: readonly GroupRecord[]) {
  const groups = await toGroups(ctx, rows)
  const recruiting = await activitiesOf(ctx, rows)
  return groups.flatMap(group => {
    const row = recruiting.get(group.groupId)
    if (!row) return []
    const { quota, joined, reward, deviceModels, state, startAt, endAt, revision } = row
    return [{ ...group, quota, joined, reward, deviceModels, state, startAt, endAt, revision }]
  })
}

async function activitiesOf(ctx: Context, rows: readonly GroupRecord[]): Promise<Map<string, ActivityRecord>> {
  const ids = rows.map(row => row.groupId)
  if (ids.length === 0) return new Map()
  const found = await ctx.db.select().from(activities).where(inArray(activities.groupId, ids))
  return new Map(found.map(row => [row.groupId, row]))
}
