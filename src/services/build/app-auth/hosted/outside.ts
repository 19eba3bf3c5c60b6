import type { FastifyRequest } from 'fastify'
import { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier } from 'openid-client'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { errors } from '../contract.ts'
import { prove } from '../device/credential.ts'
import { type Opened, signInBy } from '../device/sign-in.ts'
import type { Called } from '../device/wire.ts'
import { openMethod } from '../product.ts'
import { configurationOf } from '../providers/openid.ts'
import { openSecret } from '../providers/prove.ts'
import { completeSettings, openidSettings } from '../providers/settings.ts'
import { providerKinds } from '../rules.ts'
import { issuerOf } from '../tokens.ts'
import { browserOf } from './flow.ts'
import { hostedTimes } from './rules.ts'

const purpose = 'app auth provider'

/** What goes to the provider and comes back, sealed: whose step it is, and what proves that the code is for it. */
interface Step {
  flow: string
  provider: number
  verifier: string
  nonce: string
  browser: string
  at: number
}

const doneAddress = (ctx: Context) => `${issuerOf(ctx.server, ctx.zone)}/provider-done`

/** The address of a provider's own page, on which somebody signs in there. */
export async function providerPage(
  { project, caller }: Called,
  wish: { flow: string; provider: number; browser: string },
): Promise<string> {
  const { name, row } = await project.transact(inner => openMethod(inner, caller.projectId, wish.provider))
  if (providerKinds[name] !== 'openid') refuse(errors.providerOff, { provider: name })
  const configuration = await configurationOf(
    project,
    openidSettings(completeSettings(name, row.config), openSecret(project, row)),
  )
  const [verifier, nonce] = [randomPKCECodeVerifier(), randomNonce()]
  const step: Step = { ...wish, verifier, nonce, at: project.now() }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: doneAddress(project),
    scope: 'openid email profile',
    state: project.server.masterKey.seal(purpose, project.zone, JSON.stringify(step)),
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

/** The step that an answer of a provider belongs to; null for one that is over, or of another browser. */
export function stepOf(ctx: Context, request: FastifyRequest, state: unknown): Step | null {
  if (typeof state !== 'string' || state.length > 16_000) return null
  try {
    const step = JSON.parse(ctx.server.masterKey.open(purpose, ctx.zone, state)) as Step
    const { browser, isNew } = browserOf(request)
    return !isNew && browser === step.browser && ctx.now() - step.at < hostedTimes.outsideMs ? step : null
  } catch {
    return null
  }
}

/** Signs in whom the provider's code proves; makes a user of who is new here. */
export async function signInOutside(called: Called, step: Step, code: string): Promise<Opened> {
  const { provider, verifier, nonce } = step
  const extraData = JSON.stringify({ redirectUri: doneAddress(called.project), codeVerifier: verifier, nonce })
  return signInBy(called, await prove(called, { provider, token: code, extraData }), 1)
}
