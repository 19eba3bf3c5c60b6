import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download, WireAccess } from '../../../../server/implement.ts'
import { callerJudgeOf, type KnownCaller } from '../caller.ts'
import { errors } from '../contract.ts'
import type { Enrolment } from '../factors/first-proof.ts'
import { inProject, settingsOf } from '../product.ts'
import type { AuthSettings } from '../tables.ts'
import { json, openToPages } from './rules.ts'

/** The wire’s success: `ret` beside what it answers. */
export function answer(body: Record<string, unknown>): Download {
  return {
    headers: { ...json, ...openToPages },
    body: JSON.stringify({ ret: { code: 0, msg: 'success' }, ...body }),
  }
}

/** The first proof was right and is not enough: public SDKs see a refusal, others take the ticket along. */
export function secondStep(ticket: string): Download {
  const [code, , msg] = errors.factorNeeded
  return {
    headers: { ...json, ...openToPages },
    body: JSON.stringify({ ret: { code, msg }, ticket, kinds: ['TOTP', 'RECOVERY_CODE'] }),
  }
}

/** The same for who must add a second factor before he is let in. */
export function factorToAdd(enrolment: Enrolment): Download {
  const [code, , msg] = errors.factorToAdd
  return {
    headers: { ...json, ...openToPages },
    body: JSON.stringify({ ret: { code, msg }, ...enrolment, kinds: ['TOTP'] }),
  }
}

export interface Called {
  /** A context over the rows of the project; it has no transaction of its own. */
  project: Context
  caller: KnownCaller
  settings: AuthSettings
  device: string
}

/** Who calls, where, and whether pages of this origin may. */
export async function called(ctx: Context, { request }: WireAccess): Promise<Called> {
  const caller = await callerJudgeOf(ctx.server).judge(request.headers)
  const project = inProject(ctx, caller)
  const settings = await project.transact(inner => settingsOf(inner, caller.projectId))
  const { origin } = request.headers
  if (origin !== undefined && settings.allowedOrigins.length > 0 && !settings.allowedOrigins.includes(origin))
    refuse(errors.originRefused, { origin })
  if (!settings.enabled) refuse(errors.serviceOff)
  const { sdktype, sdkplatform, packagename } = request.headers
  const words = [sdkplatform, sdktype, packagename, request.headers['user-agent']].filter(
    one => typeof one === 'string',
  )
  return { project, caller, settings, device: words.join(' ').slice(0, 200) }
}

export type SignedIn = Called & { uid: string; session: { familyId: string; authAt: number } }

/** The same for a call of a user. */
export async function calledByUser(ctx: Context, wire: WireAccess): Promise<SignedIn> {
  const found = await called(ctx, wire)
  const { user, session } = found.caller
  if (!user || !session) return refuse(commonErrors.tokenExpired)
  return { ...found, uid: user.uid, session }
}
