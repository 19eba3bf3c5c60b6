import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { implement } from '../../../../server/implement.ts'
import { appClientOf } from '../../../ground/projects/public.ts'
import { checkCode, codeActions, sendCode } from '../codes.ts'
import { errors } from '../contract.ts'
import { confirmTotp, finishSignIn, listFactors, removeTotp, startTotp } from '../factors/steps.ts'
import { appUserKeys } from '../key-ring.ts'
import { inProject, openMethod } from '../product.ts'
import { limits, providerNumbers } from '../rules.ts'
import { endSessions, refreshSession } from '../sessions.ts'
import { readRefreshToken, signToken } from '../tokens.ts'
import { deleteOwn, getProfile, resetForgotten, setOwnPassword, setOwnTarget, setProfile } from './account.ts'
import { appAuthDevice, appAuthKeys } from './contract.ts'
import { numberIn, prove, targetOf, textIn } from './credential.ts'
import { linkWay, proveAgain, unlinkWay } from './linking.ts'
import { openToPages } from './rules.ts'
import { type Opened, registerAnonymous, registerUser, signedInAnswer, signInBy } from './sign-in.ts'
import { answer, type Called, called, calledByUser, factorToAdd, secondStep } from './wire.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()
const wordOf = (body: Record<string, unknown>, name: string) => textIn(body[name])

async function opened(found: Called, made: Opened): Promise<Download> {
  if ('ticket' in made) return secondStep(made.ticket)
  if ('enrolment' in made) return factorToAdd(made.enrolment)
  return answer(await signedInAnswer(found, made.user, made.session))
}

export default implement(appAuthDevice, {
  clientToken: async (ctx, { body }) => {
    const client = await inHome(ctx, inner => appClientOf(inner, wordOf(body, 'client_id')))
    const isRight = timingSafeEqual(digest(client?.clientSecret ?? ''), digest(wordOf(body, 'client_secret')))
    if (!client || !isRight || wordOf(body, 'grant_type') !== 'client_credentials') refuse(errors.clientWrong)
    const { zone } = inProject(ctx, client)
    const { projectId, clientId, appId } = client
    const seconds = limits.clientTokenSeconds
    const token = await signToken(ctx.server, zone, 'client', {
      projectId,
      subject: clientId,
      seconds,
      claims: { client_id: clientId, app: appId },
    })
    return answer({ access_token: token, expires_in: seconds, token_type: 'Bearer' })
  },

  register: async (ctx, { body }, wire) => {
    const found = await called(ctx, wire)
    const { project, caller } = found
    const provider = numberIn(body['provider'])
    const isOwn = provider === providerNumbers.email || provider === providerNumbers.phone
    await project.transact(inner => openMethod(inner, caller.projectId, isOwn ? provider : -1))
    const target = targetOf(provider, { email: body['email'], phone: body['phone'] })
    const actions = [codeActions.signIn]
    const codeId = await checkCode(project, caller, { ...target, actions, code: body['verifyCode'] })
    const password = wordOf(body, 'password')
    return opened(found, await registerUser(found, { provider, target, codeId, password }))
  },

  signIn: async (ctx, { body }, wire) => {
    const found = await called(ctx, wire)
    return opened(found, await signInBy(found, await prove(found, body), body['autoCreateUser']))
  },

  signInByFactor: async (ctx, { body }, wire) => {
    const found = await called(ctx, wire)
    const made = await finishSignIn(found, { ticket: body['ticket'], code: body['code'] })
    const { recoveryCodes } = made
    return answer({
      ...(await signedInAnswer(found, made.user, made.session)),
      ...(recoveryCodes === null ? {} : { recoveryCodes }),
    })
  },

  signInAnonymously: async (ctx, _input, wire) => {
    const found = await called(ctx, wire)
    const { project, caller } = found
    await project.transact(inner => openMethod(inner, caller.projectId, providerNumbers.anonymous))
    const made = await registerAnonymous(found)
    return answer(await signedInAnswer(found, made.user, made.session))
  },

  sendVerifyCode: async (ctx, { body }, wire) => {
    const { project, caller, settings } = await called(ctx, wire)
    const isMail = wordOf(body, 'email') !== ''
    const provider = isMail ? providerNumbers.email : providerNumbers.phone
    const target = targetOf(provider, { email: body['email'], phone: body['phone'] })
    const asked = numberIn(body['action'])
    const action = Object.values(codeActions).find(one => one === asked) ?? codeActions.signIn
    await project.transact(async inner => {
      await openMethod(inner, caller.projectId, provider)
      await sendCode(inner, caller, { ...target, action, lang: wordOf(body, 'lang'), settings })
    })
    const shortestInterval = String(limits.codeGapMs / 1000)
    return answer({ shortestInterval, validityPeriod: String(limits.codeMs / 1000) })
  },

  refreshToken: async (ctx, { body }, wire) => {
    const { project, caller, settings } = await called(ctx, wire)
    const { user, tokens } = await refreshSession(project, caller, wordOf(body, 'refreshToken'), settings)
    return answer({ ...tokens, productId: caller.projectId, uid: user.uid })
  },

  signOut: async (ctx, { body }, wire) => {
    const { project, caller } = await called(ctx, wire)
    const read = readRefreshToken(ctx.server, wordOf(body, 'refreshToken'))
    const own = caller.session && caller.user && { familyId: caller.session.familyId, uid: caller.user.uid }
    await project.transact(async inner => {
      if (own) await endSessions(inner, { uids: [own.uid], familyId: own.familyId }, 'SIGN_OUT')
      if (read && read.familyId !== own?.familyId) await endFamilyOf(inner, caller.projectId, read.familyId)
    })
    return answer({})
  },

  deleteUser: async (ctx, _input, wire) => answer(await deleteOwn(await calledByUser(ctx, wire))),
  getProfile: async (ctx, _input, wire) => answer(await getProfile(await calledByUser(ctx, wire))),
  getExtra: async (ctx, _input, wire) => answer(await getProfile(await calledByUser(ctx, wire))),
  setProfile: async (ctx, { body }, wire) => answer(await setProfile(await calledByUser(ctx, wire), body)),
  setPassword: async (ctx, { body }, wire) => answer(await setOwnPassword(await calledByUser(ctx, wire), body)),
  setPhoneOrEmail: async (ctx, { body }, wire) => answer(await setOwnTarget(await calledByUser(ctx, wire), body)),
  resetPassword: async (ctx, { body }, wire) => answer(await resetForgotten(await called(ctx, wire), body)),
  link: async (ctx, { body }, wire) => answer(await linkWay(await calledByUser(ctx, wire), body)),
  unlink: async (ctx, { query }, wire) =>
    answer(await unlinkWay(await calledByUser(ctx, wire), numberIn(query['provider']))),
  reauthenticate: async (ctx, { body }, wire) => answer(await proveAgain(await calledByUser(ctx, wire), body)),
  getFactors: async (ctx, _input, wire) => answer(await listFactors(await calledByUser(ctx, wire))),
  startTotp: async (ctx, _input, wire) => answer(await startTotp(await calledByUser(ctx, wire))),
  confirmTotp: async (ctx, { body }, wire) =>
    answer(await confirmTotp(await calledByUser(ctx, wire), { ticket: body['ticket'], code: body['code'] })),
  removeTotp: async (ctx, { body }, wire) => answer(await removeTotp(await calledByUser(ctx, wire), body['code'])),
  preflight: async () => ({ status: 204, headers: openToPages, body: null }),
})

export const keySet = implement(appAuthKeys, {
  getKeySet: async (ctx): Promise<Download> => ({
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
    body: JSON.stringify({ keys: await appUserKeys.of(ctx.server, ctx.zone).published() }),
  }),
})

function inHome<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<T> {
  return systemContext(ctx.server, ctx.zone, { name: 'appAuth' }).transact(work)
}

/** The family of a refresh token, which proves itself by its sum. */
async function endFamilyOf(ctx: Context, projectId: string, familyId: string): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ uid: string }>({
    name: 'app user of family',
    text: 'SELECT uid::text AS uid FROM app_user_sessions WHERE family_id = $1 AND project_id = $2',
    values: [familyId, projectId],
  })
  for (const { uid } of rows) await endSessions(ctx, { uids: [uid], familyId }, 'SIGN_OUT')
}
