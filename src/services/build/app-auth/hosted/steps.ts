import { and, eq, isNull } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { checkCode, codeActions, sendCode } from '../codes.ts'
import { errors } from '../contract.ts'
import { resetForgotten } from '../device/account.ts'
import { prove, targetOf, textIn } from '../device/credential.ts'
import { registerUser, signInBy } from '../device/sign-in.ts'
import type { Called } from '../device/wire.ts'
import type { Enrolment } from '../factors/first-proof.ts'
import { finishSignIn } from '../factors/steps.ts'
import { openMethod } from '../product.ts'
import { providerNumbers } from '../rules.ts'
import type { SessionRow } from '../sessions.ts'
import { appUserSessions } from '../tables.ts'
import { issuerOf } from '../tokens.ts'
import type { Flow } from './flow.ts'
import { hostedTimes, type View } from './rules.ts'

export interface Form {
  step: unknown
  view: View
  name: string
  password: string
  code: string
  /** Of the first step, for who has a second factor. */
  ticket: string
}

/** What came of a step: somebody signed in, or the next page. */
export type Outcome =
  | { session: SessionRow; recoveryCodes?: string[] | null }
  | { ticket: string }
  | { enrolment: Enrolment }
  | { view: View; isSent: boolean; told: 'codeSent' | 'resetDone' }

/** One step of the page, over what the calls of devices do; refuses as they do. */
export async function takeStep(called: Called, flow: Flow, sealed: string, form: Form): Promise<Outcome> {
  const { step, view } = form
  if (step === 'factor' || step === 'enrol') {
    const { session, recoveryCodes } = await finishSignIn(called, form)
    return { session, recoveryCodes }
  }
  if (step === 'go') return { session: await sessionOf(called.project, form.ticket) }
  if (step === 'send') return sendCodeFor(called, flow, sealed, form)
  if (view === 'register') return registerBy(called, form)
  if (view === 'reset') {
    const { provider } = wayOf(form.name)
    await resetForgotten(called, { provider, account: form.name, password: form.password, verifyCode: form.code })
    return { view: 'signIn', isSent: false, told: 'resetDone' }
  }
  const { provider } = wayOf(form.name)
  if (form.password === '') refuse(errors.noPassword)
  const extraData = JSON.stringify({ password: form.password, verifyCode: '' })
  return signInBy(called, await prove(called, { provider, token: form.name, extraData }), 0)
}

/** An address has an @, a number none. */
function wayOf(name: string) {
  const provider = name.includes('@') ? providerNumbers.email : providerNumbers.phone
  return { provider, sent: { email: name, phone: name } }
}

async function sendCodeFor(called: Called, flow: Flow, sealed: string, { name, view }: Form): Promise<Outcome> {
  const { project, caller, settings } = called
  const { provider, sent } = wayOf(name)
  const target = targetOf(provider, sent)
  const action = view === 'reset' ? codeActions.reset : codeActions.signIn
  const link = linkOf(project, sealed, view, target.target)
  await project.transact(async inner => {
    await openMethod(inner, caller.projectId, provider)
    await sendCode(inner, caller, { ...target, action, lang: flow.language, settings, link })
  })
  return { view, isSent: true, told: 'codeSent' }
}

/** Leads back to the page of the same browser; the code is put behind it when the mail is written. */
function linkOf(ctx: Context, flow: string, view: View, name: string): string {
  return `${issuerOf(ctx.server, ctx.zone)}/authorize?${new URLSearchParams({ flow, view, name, code: '' })}`
}

async function registerBy(called: Called, { name, code, password }: Form): Promise<Outcome> {
  const { project, caller } = called
  const { provider, sent } = wayOf(name)
  await project.transact(inner => openMethod(inner, caller.projectId, provider))
  if (textIn(password) === '') refuse(errors.noPassword)
  const target = targetOf(provider, sent)
  const codeId = await checkCode(project, caller, { ...target, actions: [codeActions.signIn], code })
  return registerUser(called, { provider, target, codeId, password })
}

const codesPurpose = 'app auth recovery page'

/** What leads on from the page of recovery codes to the app. */
export function sealSession(ctx: Context, { uid, familyId }: SessionRow): string {
  return ctx.server.masterKey.seal(codesPurpose, ctx.zone, JSON.stringify({ uid, familyId, at: ctx.now() }))
}

async function sessionOf(ctx: Context, sealed: string): Promise<SessionRow> {
  const found = await ctx.transact(async inner => {
    try {
      const read = JSON.parse(inner.server.masterKey.open(codesPurpose, inner.zone, sealed))
      const { uid, familyId, at } = read as { uid: string; familyId: string; at: number }
      if (inner.now() - at > hostedTimes.codesMs) return null
      const isIt = and(eq(appUserSessions.familyId, familyId), eq(appUserSessions.uid, uid))
      const [row] = await inner.db
        .select()
        .from(appUserSessions)
        .where(and(isIt, isNull(appUserSessions.endedAt)))
      return row ?? null
    } catch {
      return null
    }
  })
  return found ?? refuse(errors.ticketOver)
}
