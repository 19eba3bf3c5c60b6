import { Refusal } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { answerOf, hopsOf, httpEvent } from '../answering.ts'
import { invoke } from '../invoke.ts'
import { functionNamed, projectHere } from '../queries.ts'
import { latest } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import type { ProxyAnswer, ProxyCall } from './contract.ts'

/** Calls a function as its address would, for somebody who wants to see the answer as it goes over the wire. */
export async function proxyCall(
  ctx: Context,
  { projectId, functionName }: { projectId: string; functionName: string },
  call: Static<typeof ProxyCall>,
): Promise<Static<typeof ProxyAnswer>> {
  const { qualifier = latest, method = 'GET', path = '/', body = '' } = call
  const headers = Object.fromEntries(Object.entries(call.headers ?? {}).map(([name, one]) => [name.toLowerCase(), one]))
  const { functionId } = await ctx.transact(async inner => {
    await projectHere(inner, projectId)
    return functionNamed(inner, projectId, functionName)
  })
  const runnable = await targetsOf(ctx.server).runnable(ctx.zone, functionId, qualifier, headers)
  const [bare = '/', search = ''] = path.split('?', 2)
  const queryStringParameters = Object.fromEntries(new URLSearchParams(search))
  const asked = { path: bare || '/', httpMethod: method, headers, queryStringParameters, body, isBase64Encoded: false }
  const event = httpEvent(asked, true)
  const hops = hopsOf(ctx)
  const ran = await invoke(ctx.server, { runnable, qualifier, source: 'CONSOLE', event, caller: null, headers, hops })
  return { requestId: ran.requestId, durationMs: Math.round(ran.phases.runMs), ...shown(answered(() => answerOf(ran))) }
}

/** What a caller would get, refusals too. */
function answered(answer: () => Download): Download {
  try {
    return answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const body = JSON.stringify({ ret: { code: error.number, msg: error.message } })
    return { status: error.status, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
  }
}

function shown({ status = 200, headers, body }: Download) {
  const bytes = Buffer.isBuffer(body) ? body : null
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: bytes ? bytes.toString('base64') : String(body ?? ''),
    isBase64Encoded: bytes !== null,
  }
}
