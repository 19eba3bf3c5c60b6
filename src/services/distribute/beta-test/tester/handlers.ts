import { refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { readSecret } from '../address.ts'
import { fileTicket, giveFeedback, type Sender, senderKey, takeFile } from '../feedback/giving.ts'
import { answerInvitation, invitedBy, joinedAs, leave } from '../invitations/answering.ts'
import { betaInvitations } from '../invitations/contract.ts'
import { answerJoin, askToJoin } from '../invitations/joining.ts'
import { betaTester as contract } from './contract.ts'
import { testerOf, testOfSecret } from './holding.ts'
import { pageOfOpen, viewOf } from './viewing.ts'

const { notInvited } = betaInvitations.errors

export default implement(contract, {
  viewInvitation: (ctx, { body }) => asSystem(ctx).transact(inner => viewOf(inner, body.token)),

  acceptInvitation: (ctx, { body }) =>
    asSystem(ctx).transact(async inner => {
      const { userId } = personOf(inner, body.token)
      const { app } = await invitedBy(inner, userId)
      return joinedAs(inner, app, await answerInvitation(inner, userId, 'yes'))
    }),

  declineInvitation: async (ctx, { body }) => {
    await asSystem(ctx).transact(inner => answerInvitation(inner, personOf(inner, body.token).userId, 'no'))
    return {}
  },

  askToJoin: async (ctx, { body: { token, ...wish } }) => {
    await asSystem(ctx).transact(async inner => {
      const holder = readSecret(inner, token)
      if (holder?.kind !== 'link' && holder?.kind !== 'activity') refuse(notInvited)
      await askToJoin(inner, holder, { ...wish, language: wish.language ?? ctx.place.language })
    })
    return {}
  },

  confirmJoin: (ctx, { body }) =>
    asSystem(ctx).transact(async inner => {
      const holder = readSecret(inner, body.token)
      if (holder?.kind !== 'join') refuse(notInvited)
      const { app, user } = await answerJoin(inner, holder.joinId)
      return joinedAs(inner, app, user)
    }),

  leaveTests: async (ctx, { body }) => ({
    hasLeft: await asSystem(ctx).transact(async inner => {
      const tester = await testerOf(inner, body.token)
      return tester?.kind === 'user' ? leave(inner, tester.user) : false
    }),
  }),

  makePictureTicket: async (ctx, { body: { token, versionId, extension } }) => ({
    ticket: await asSystem(ctx).transact(async inner =>
      fileTicket(inner, await senderOf(ctx, inner, token, versionId), extension),
    ),
  }),

  sendPicture: async (ctx, { params, request }) => ({ objectId: await takeFile(ctx, params.ticket, request) }),

  sendFeedback: async (ctx, { body: { token, versionId, text, device = {}, screenshots = [], logs = [] } }) => ({
    feedbackId: await asSystem(ctx).transact(async inner => {
      const sender = await senderOf(ctx, inner, token, versionId)
      return giveFeedback(inner, sender, { text, device, screenshots, logs })
    }),
  }),

  listOpenActivities: (ctx, { query }) => asSystem(ctx).transact(inner => pageOfOpen(inner, query)),
})

/** Whoever asks has no team: what he may do, his secret says. */
const asSystem = (ctx: Context) => systemContext(ctx.server, ctx.zone, { name: 'tests' })

function personOf(ctx: Context, token: string): { userId: string } {
  const holder = readSecret(ctx, token)
  return holder?.kind === 'user' ? holder : refuse(notInvited)
}

async function senderOf(ctx: Context, system: Context, token: string, versionId: string): Promise<Sender> {
  const found = await testOfSecret(system, token, versionId)
  if (!found) refuse(contract.errors.notTesting)
  return { ...found, key: senderKey(system, found.test.appId, found.userId, ctx.place.ip) }
}
