import { and, count, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { tellGroup } from '../groups.ts'
import { loadGroup, usersOfIds } from '../queries.ts'
import { limits } from '../rules.ts'
import { testUsers } from '../tables.ts'
import { subscribeAccount, unsubscribeAccount } from './answering.ts'
import { betaInvitationsV2, betaInvitations as contract } from './contract.ts'
import { createLink, pageOfLinks, revokeLink, toLink } from './links.ts'
import { toBeInvited } from './mail.ts'

const { errors } = contract

const handlers: Handlers<typeof contract> = {
  inviteGroup: (ctx, { params }) => inviteGroup(ctx, params.groupId),

  inviteUsers: (ctx, { body }) => inviteUsers(ctx, body.userIds),

  createLink: async (ctx, { params, body }) => toLink(ctx, await createLink(ctx, params.groupId, body)),

  listLinks: async (ctx, { params, query }) => {
    await loadGroup(ctx, params.groupId)
    return pageOfLinks(ctx, { ...query, ...params })
  },

  revokeLink: async (ctx, { params, query }) => {
    await revokeLink(ctx, params.groupId, query.linkId)
    return {}
  },

  subscribe: (ctx, { body }) => subscribe(ctx, body.token),

  unsubscribe: (ctx, { body }) => unsubscribe(ctx, body.token),
}

export default implement(contract, handlers)
export const secondGeneration = implement(betaInvitationsV2, handlers)

export async function inviteGroup(ctx: Context, groupId: string) {
  const group = await loadGroup(ctx, groupId)
  const [found] = await ctx.db
    .select({ people: count() })
    .from(testUsers)
    .where(and(eq(testUsers.groupId, groupId), toBeInvited(ctx)))
  const invited = found?.people ?? 0
  if (invited === 0) refuse(errors.nobodyToInvite)
  tellGroup(ctx, group, 'invite', { people: invited })
  return { jobId: startMails(ctx, { groupId }), invited }
}

/** One foreign id refuses the whole. */
export async function inviteUsers(ctx: Context, userIds: readonly string[]) {
  const found = await usersOfIds(ctx, userIds)
  const known = new Set(found.map(user => user.userId))
  const missing = userIds.find(userId => !known.has(userId))
  if (missing) refuse(commonErrors.notFound, { entity: 'test user', id: missing })
  const due = await ctx.db
    .select({ userId: testUsers.userId })
    .from(testUsers)
    .where(and(inArray(testUsers.userId, [...userIds]), toBeInvited(ctx)))
  if (due.length === 0) refuse(errors.nobodyToInvite)
  ctx.audit({
    action: 'testUser.invite',
    entity: 'testUser',
    entityId: due[0]?.userId ?? '',
    after: { people: due.length },
  })
  return { jobId: startMails(ctx, { userIds: due.map(one => one.userId) }), invited: due.length }
}

function startMails(ctx: Context, input: { groupId: string } | { userIds: string[] }): string {
  const subject = 'groupId' in input ? input.groupId : (input.userIds[0] ?? '')
  return ctx.startJob({ kind: 'betaTest.invite', subject, input, deadlineMs: limits.mailMs })
}

/** The rows are another team's: what may be done with them, the token and the caller's own address say. */
export const subscribe = (ctx: Context, token: string) =>
  asSystem(ctx).transact(inner => subscribeAccount(ctx, inner, token))

export const unsubscribe = async (ctx: Context, token: string) => ({
  hasLeft: await asSystem(ctx).transact(inner => unsubscribeAccount(ctx, inner, token)),
})

const asSystem = (ctx: Context) => systemContext(ctx.server, ctx.zone, { name: 'tests' })
