import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../../server/context.ts'
import { type Download, implement, type UploadInput } from '../../../../../server/implement.ts'
import { type AppCaller, appCallerOf } from '../../../app-auth/public.ts'
import { answerOf, bodyOf, hopsOf, httpEvent } from '../../answering.ts'
import { functionErrors } from '../../contract.ts'
import { invoke } from '../../invoke.ts'
import { targetsOf } from '../../targets.ts'
import { noteTrigger } from '../notes.ts'
import type { TriggerRow } from '../queries.ts'
import { triggerLimits } from '../rules.ts'
import { triggers } from '../tables.ts'
import { functionHttp } from './contract.ts'

/** A page of a function is on the console's own host: it gets no origin, so nothing of the console is within its reach. */
const noOrigin = 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads'

async function callByAddress(outer: Context, input: { params: { '*': string } } & UploadInput): Promise<Download> {
  const { server, zone } = outer
  const { request, stream } = input
  const { headers } = request
  const hops = hopsOf(outer)
  const urlKey = input.params['*'].split('/', 1)[0] ?? ''
  const ctx = systemContext(server, zone, { name: 'functions.http', scope: 'all' })
  const trigger = await ctx.transact(inner => triggerAt(inner, urlKey))
  const { authType = 'none', enableUrlDecode = true } = trigger.config
  const caller = authType === 'none' ? null : await admitted(outer, trigger, request)
  const { functionId, qualifier } = trigger
  const runnable = await targetsOf(server).runnable(zone, functionId, qualifier, headers)
  const body = await bodyOf(stream, triggerLimits.httpBodyBytes)
  const text = textOf(body)
  const path = pathBelow(request, urlKey)
  const asked = {
    path: enableUrlDecode ? decoded(path) : path,
    httpMethod: request.method,
    headers,
    queryStringParameters: request.query,
    body: text ?? body.toString('base64'),
    isBase64Encoded: text === null,
  }
  const event = httpEvent(asked, authType === 'none')
  const user = caller?.user ? { uid: caller.user.uid, claims: caller.user.claims } : null
  const { triggerId } = trigger
  const ran = await invoke(server, { runnable, qualifier, source: 'TRIGGER', event, caller: user, headers, hops })
  const result = ran.outcome === 'SUCCESS' ? 'SUCCESS' : ran.outcome === 'REFUSED' ? 'REFUSED' : 'FAIL'
  noteTrigger(server, zone, triggerId, { firedAt: ran.startedAt, result })
  return withoutOrigin(answerOf(ran))
}

async function triggerAt(ctx: Context, urlKey: string): Promise<TriggerRow> {
  const [row] = await ctx.db.select().from(triggers).where(eq(triggers.urlKey, urlKey))
  if (!row) refuse(functionErrors.noTrigger)
  if (!row.isEnabled) refuse(functionErrors.triggerOff)
  return row
}

/** Who calls, where the address is not for anybody. Refuses 401. */
async function admitted(ctx: Context, trigger: TriggerRow, request: FastifyRequest): Promise<AppCaller> {
  const caller = await appCallerOf(ctx.server, request.headers)
  const { authType } = trigger.config
  const isRight =
    caller.projectId === trigger.projectId &&
    (authType === 'user' ? caller.user !== null : authType === 'cloudgw-client' ? caller.isServer : !caller.isServer)
  if (!isRight) refuse(authType === 'user' ? commonErrors.tokenExpired : commonErrors.tokenInvalid)
  return caller
}

/** Null where the bytes are no text. */
function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return null
  }
}

/** As it was sent: what stands behind the key, without the query. */
function pathBelow(request: FastifyRequest, urlKey: string): string {
  const [path = ''] = request.originalUrl.split('?', 1)
  return path.slice(path.indexOf(urlKey) + urlKey.length) || '/'
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function withoutOrigin(answer: Download): Download {
  const own = answer.headers['content-security-policy']
  const policy = own === undefined ? noOrigin : `${noOrigin}, ${own}`
  const headers = { ...answer.headers, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' }
  return { ...answer, headers: { 'cross-origin-resource-policy': 'cross-origin', ...headers } }
}

export default implement(functionHttp, {
  getFromFunction: callByAddress,
  postToFunction: callByAddress,
  putToFunction: callByAddress,
  patchOfFunction: callByAddress,
  deleteOfFunction: callByAddress,
  optionsOfFunction: callByAddress,
})
