import { AnyJson, oneOf, optional, shape, text } from '../../../../../kernel/shape.ts'
import type { Download } from '../../../../../server/implement.ts'
import { answerOf, hopsOf } from '../../answering.ts'
import type { Ran } from '../../invocation.ts'
import { refusalOf } from '../../invoke.ts'
import { callLater, callNow } from '../../queue/calling.ts'
import { functionQueue } from '../../queue/contract.ts'
import { clientKeyOf } from '../../queue/enqueue.ts'
import { asyncLimits, asyncStates } from '../../queue/rules.ts'
import { limits } from '../../rules.ts'
import { namedBy } from '../functions.ts'
import { type Asked, bare, pageSizeOf, withBody } from './asked.ts'

const logBytes = 4096

/** The end of what a call logged, so much of it as the kit shows. */
function tailOf({ logs }: Ran): string {
  const lines = logs.map(({ at, level, line }) => `${new Date(at).toISOString()} ${level.toUpperCase()} ${line}`)
  return Buffer.from(lines.join('\n')).subarray(-logBytes).toString('utf8')
}

/** `v1` wraps what the function answered; without it the answer goes out as it is. */
function wrapped(ran: Ran, withLog: boolean): object {
  const refusal = refusalOf(ran)
  if (refusal) throw refusal
  const { result, requestId: request_id } = ran
  const text = result?.kind === 'json' ? result.text : JSON.stringify(httpOf(ran))
  return { request_id, result: text, log: withLog ? tailOf(ran) : '', status: 200 }
}

function httpOf({ result }: Ran) {
  if (result?.kind !== 'http') return null
  const { status: statusCode, headers, body, isBase64: isBase64Encoded } = result
  return { statusCode, headers, body, isBase64Encoded }
}

const namesOf = async (asked: Asked) => {
  const { projectId, functionName, qualifier } = await namedBy(asked, asked.params['urn'] ?? '')
  return { projectId, functionName, qualifier }
}

export const invokeNow = withBody(
  { body: AnyJson, limitBytes: limits.eventBytes, as: 'invokeFunction' },
  async (asked, payload) => {
    const { headers } = asked
    const call = { ...(await namesOf(asked)), payload, hops: hopsOf(asked.ctx) }
    const ran = await callNow(asked.ctx, call, headers)
    const isWrapped = headers['x-cff-request-version'] === 'v1'
    const answer: Download = isWrapped ? json(wrapped(ran, headers['x-cff-log-type'] === 'tail')) : answerOf(ran)
    return { ...answer, headers: { ...answer.headers, 'x-cff-request-id': ran.requestId } }
  },
)

const json = (body: object): Download => ({
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

export const invokeLater = withBody(
  { body: AnyJson, limitBytes: asyncLimits.payloadBytes, as: 'invokeFunction', status: 202 },
  async (asked, payload) => {
    const call = { ...(await namesOf(asked)), payload, hops: hopsOf(asked.ctx) }
    return { request_id: await callLater(asked.ctx, call, clientKeyOf(asked.headers)) }
  },
)

type Later = Awaited<ReturnType<typeof pageOfLater>>['list'][number]

async function pageOfLater(asked: Asked, functionId: string) {
  const { query } = asked
  const state = asyncStates.find(one => one === query['status'])
  const wanted = { state, cursor: query['marker'], pageSize: pageSizeOf(query, 'limit') }
  return asked.ask(functionQueue, 'listAsyncCalls', { params: { functionId }, query: wanted as never })
}

const laterOf = (call: Later) => ({
  ...{ request_id: call.requestId, status: call.state },
  ...{ error_code: call.errorType ?? '', error_message: call.reason ?? '' },
  start_time: new Date(call.createdAt).toISOString(),
  end_time: call.finishedAt === null ? null : new Date(call.finishedAt).toISOString(),
})

export const listLater = bare(async asked => {
  const { row } = await namedBy(asked, asked.params['urn'] ?? '')
  const { functionId } = row
  const requestId = asked.query['request_id']
  if (requestId !== undefined) {
    const { call } = await asked.ask(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })
    return { invocations: [laterOf(call)], count: 1, next_marker: null }
  }
  const page = await pageOfLater(asked, functionId)
  return { invocations: page.list.map(laterOf), count: page.total, next_marker: page.nextCursor }
})

const Cancel = shape(
  { request_id: text(20, 1), type: optional(oneOf(['recursive', 'force', 'default'])) },
  { additionalProperties: true },
)

export const cancelLater = withBody({ body: Cancel }, async (asked, body) => {
  const { row } = await namedBy(asked, asked.params['urn'] ?? '')
  const params = { functionId: row.functionId, requestId: body.request_id }
  await asked.ask(functionQueue, 'cancelAsyncCall', { params })
  return null
})
