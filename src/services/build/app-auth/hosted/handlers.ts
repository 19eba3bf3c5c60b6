import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { signingAlgorithm } from '../../../../server/key-ring.ts'
import { errors } from '../contract.ts'
import { textIn } from '../device/credential.ts'
import { defaultHost } from '../product.ts'
import { issuerOf } from '../tokens.ts'
import { hostedSignIn } from './contract.ts'
import { exchange } from './exchange.ts'
import { browserCookie, browserOf, csrfOf, type Flow, isFormOwn, languageAsked, openFlow, sealFlow } from './flow.ts'
import { makeGrant } from './grants.ts'
import { providerPage, signInOutside, stepOf } from './outside.ts'
import { closedPage, hostedPage, type PageState, pageHeaders, pageStyle } from './page.ts'
import { calledByPage, type Relying, relyingParty } from './relying.ts'
import { askedFault, type View, views, withQuery } from './rules.ts'
import { type Outcome, sealSession, takeStep } from './steps.ts'
import { pageWords } from './words.data.ts'

type Sent = Readonly<Record<string, unknown>>

export default implement(hostedSignIn, {
  getMetadata: async ctx => ({
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
    body: JSON.stringify(metadataOf(issuerOf(ctx.server, ctx.zone))),
  }),

  openPage: async (ctx, { query }, { request }) => {
    const sent = query as Sent
    const flow = 'flow' in sent ? openFlow(ctx, sent['flow']) : null
    if ('flow' in sent) return flow ? showPage(ctx, request, flow, sent) : closed(ctx, request, 'over')
    const relying = await relyingParty(ctx, sent['client_id'])
    const redirectUri = sent['redirect_uri']
    if (!relying || typeof redirectUri !== 'string' || !relying.host.redirectUris.includes(redirectUri))
      return closed(ctx, request, 'closed')
    const fault = askedFault(sent)
    if (fault) return back(ctx, { redirectUri, state: textIn(sent['state']).slice(0, 1000) }, { error: fault })
    return showPage(
      ctx,
      request,
      {
        ...{ clientId: relying.client.clientId, redirectUri, challenge: textIn(sent['code_challenge']) },
        ...{ state: textIn(sent['state']), nonce: textIn(sent['nonce']), scope: textIn(sent['scope']) },
        language: languageAsked(request, sent['ui_locales']),
        at: ctx.now(),
      },
      { view: sent['prompt'] === 'create' ? 'register' : 'signIn' },
    )
  },

  sendForm: async (ctx, { body }, { request }) => {
    const sent = body as Sent
    const sealed = textIn(sent['flow'])
    const flow = openFlow(ctx, sealed)
    if (!flow || !isFormOwn(ctx, request, sealed, sent['csrf'])) return closed(ctx, request, 'over')
    const relying = await relyingOf(ctx, flow)
    if (!relying) return closed(ctx, request, 'closed')
    const form = {
      ...{ step: sent['step'], view: viewOf(sent['view']), name: textIn(sent['name']).slice(0, 300) },
      ...{ password: textIn(sent['password']), code: textIn(sent['code']).trim() },
      ticket: textIn(sent['ticket']),
    }
    const called = calledByPage(relying, request, browserOf(request).browser)
    try {
      const outcome = await takeStep(called, flow, sealed, form)
      return await afterStep(ctx, request, { relying, flow, sealed, name: form.name }, outcome)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isSent = form.view !== 'signIn' && form.step !== 'send'
      const { view, name } = form
      const isOver = error.number === errors.ticketOver[0]
      const ticket = isOver ? '' : form.ticket
      const secret = isOver || form.step !== 'enrol' ? '' : secretIn(sent['secret'])
      return refused(ctx, request, relying, { flow, sealed, view, isSent, name, ticket, secret }, error)
    }
  },

  openProvider: async (ctx, { query }, { request }) => {
    const sent = query as Sent
    const flow = openFlow(ctx, sent['flow'])
    const relying = flow && (await relyingOf(ctx, flow))
    if (!flow || !relying) return closed(ctx, request, flow ? 'closed' : 'over')
    const { browser } = browserOf(request)
    const called = calledByPage(relying, request, browser)
    try {
      const wish = { flow: textIn(sent['flow']), provider: Number(sent['provider']), browser }
      const location = await providerPage(called, wish)
      const headers = { ...redirectHeaders, location, 'set-cookie': browserCookie(ctx, browser) }
      return { status: 303, headers, body: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refused(ctx, request, relying, { flow }, error)
    }
  },

  comeBack: async (ctx, { query }, { request }) => {
    const sent = query as Sent
    const step = stepOf(ctx, request, sent['state'])
    const flow = step && openFlow(ctx, step.flow)
    const relying = flow && (await relyingOf(ctx, flow))
    if (!step || !flow || !relying) return closed(ctx, request, relying === null && flow ? 'closed' : 'over')
    if (typeof sent['code'] !== 'string') return page(ctx, request, relying, { flow, sealed: step.flow })
    try {
      const outcome = await signInOutside(calledByPage(relying, request, step.browser), step, sent['code'])
      return await afterStep(ctx, request, { relying, flow, sealed: step.flow, name: '' }, outcome)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refused(ctx, request, relying, { flow, sealed: step.flow }, error)
    }
  },

  exchangeCode: (ctx, { body }) => exchange(ctx, body as Sent),

  getStyle: async (_ctx, { query }) => {
    const color = textIn((query as Sent)['color'])
    return {
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
      body: pageStyle(/^[0-9a-f]{6}$/i.test(color) ? color : defaultHost.color.slice(1)),
    }
  },
})

const viewOf = (value: unknown): View => views.find(one => one === value) ?? 'signIn'

interface Stand {
  relying: Relying
  flow: Flow
  sealed: string
  name: string
}

/** To the app, or to the page of the next step. */
async function afterStep(ctx: Context, request: FastifyRequest, stand: Stand, outcome: Outcome): Promise<Download> {
  const { relying, ...shown } = stand
  const { flow } = shown
  if ('session' in outcome) {
    const { session, recoveryCodes } = outcome
    if (recoveryCodes)
      return page(ctx, request, relying, { ...shown, recoveryCodes, ticket: sealSession(ctx, session) })
    const code = await relying.project.transact(inner => makeGrant(inner, flow, session))
    return back(ctx, flow, { code })
  }
  if ('ticket' in outcome) return page(ctx, request, relying, { ...shown, ticket: outcome.ticket })
  if ('enrolment' in outcome) {
    const { ticket, secret } = outcome.enrolment
    return page(ctx, request, relying, { ...shown, ticket, secret })
  }
  const { view, isSent, told } = outcome
  return page(ctx, request, relying, { ...shown, view, isSent, notice: pageWords[flow.language][told] })
}

type Shown = { flow: Flow; sealed?: string } & Partial<Omit<PageState, 'flow'>>

/** The same page, which says what was wrong. */
function refused(ctx: Context, request: FastifyRequest, relying: Relying, shown: Shown, error: Refusal): Download {
  const words = pageWords[shown.flow.language]
  const problem = words.refused[error.number] ?? words.wrong
  return { ...page(ctx, request, relying, { ...shown, problem }), status: error.status }
}

/** What the page itself had written into its form. */
const secretIn = (value: unknown) => (/^[A-Z2-7]{16,128}$/.test(textIn(value)) ? textIn(value) : '')

/** The app of a flow while it may still use the address: a list that was made shorter counts at once. */
async function relyingOf(ctx: Context, flow: Flow): Promise<Relying | null> {
  const relying = await relyingParty(ctx, flow.clientId)
  return relying?.host.redirectUris.includes(flow.redirectUri) ? relying : null
}

async function showPage(ctx: Context, request: FastifyRequest, asked: Flow, sent: Sent): Promise<Download> {
  const relying = await relyingOf(ctx, asked)
  if (!relying) return closed(ctx, request, 'closed')
  const locale = sent['ui_locales']
  const flow = 'flow' in sent && locale !== undefined ? { ...asked, language: languageAsked(request, locale) } : asked
  const code = /^\d{6}$/.test(textIn(sent['code'])) ? textIn(sent['code']) : ''
  const name = textIn(sent['name']).slice(0, 300)
  return page(ctx, request, relying, { flow, view: viewOf(sent['view']), isSent: code !== '', name, code })
}

const empty: Omit<PageState, 'language' | 'redirectUri' | 'ways' | 'flow' | 'csrf'> = {
  view: 'signIn',
  name: '',
  code: '',
  isSent: false,
  problem: '',
  notice: '',
  ticket: '',
  secret: '',
  recoveryCodes: [],
}

function page(
  ctx: Context,
  request: FastifyRequest,
  { host, ways }: Relying,
  { flow, sealed = sealFlow(ctx, flow), ...state }: Shown,
): Download {
  const { browser } = browserOf(request)
  const { redirectUri, language } = flow
  return {
    headers: { ...pageHeaders(host, redirectUri), 'set-cookie': browserCookie(ctx, browser) },
    body: hostedPage(host, {
      ...{ ...empty, ...state },
      ...{ language, redirectUri, ways, flow: sealed, csrf: csrfOf(ctx, browser, sealed) },
    }),
  }
}

/** Leads nowhere: an address that nobody vouched for is not gone to. */
function closed(ctx: Context, request: FastifyRequest, why: 'closed' | 'over'): Download {
  const query = request.query as Sent | undefined
  const language = languageAsked(request, query?.['ui_locales'])
  const host = { ...defaultHost, appName: new URL(ctx.server.config.publicUrl).host }
  return { status: 400, headers: pageHeaders(host, null), body: closedPage(host, language, pageWords[language][why]) }
}

/** To the app, with a code or why there is none; whose answer it is stands in it (RFC 9207). */
function back(
  ctx: Context,
  { redirectUri, state }: { redirectUri: string; state: string },
  values: Record<string, string>,
): Download {
  const query = { ...values, ...(state === '' ? {} : { state }), iss: issuerOf(ctx.server, ctx.zone) }
  return {
    status: 303,
    headers: { ...redirectHeaders, location: withQuery(redirectUri, query) },
    body: null,
  }
}

const redirectHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'content-length': 0 } as const

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'email', 'profile', 'phone'],
    prompt_values_supported: ['create'],
    ui_locales_supported: ['zh', 'en', 'ru'],
    authorization_response_iss_parameter_supported: true,
  }
}
