import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { commonErrors } from '../../../../kernel/errors.ts'
import { AnyJson, shape, text } from '../../../../kernel/shape.ts'
import { remoteConfigErrors } from '../contract.ts'
import { limits } from '../rules.ts'

/** What the protocol calls a refusal; whatever else is general. */
function codeOf(number: number): string {
  if (number === commonErrors.badInput[0]) return 'PARSE_ERROR'
  return number === remoteConfigErrors.badContext[0] ? 'INVALID_CONTEXT' : 'GENERAL'
}

const refusal: RefusalForm = ({ status, number, message, detail }, { url }) => {
  const key = /\/evaluate\/flags\/([^/?]+)/.exec(url)?.[1]
  const told = status === 400 ? { ...(key && { key: plain(key) }), errorCode: codeOf(number) } : {}
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
    },
    body: JSON.stringify({ ...told, errorDetails: message }),
  }
}

function plain(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, rate: 'data' } as const

/** The OpenFeature Remote Evaluation Protocol 0.3: any OpenFeature client is a client of remote config. */
export const ofrep = service({
  name: 'grow/remote-config',
  prefix: '/ofrep/v1',
  zone: 'current',
  permissions: [],
  errors: {},
  refusal,
  calls: {
    evaluateFlag: {
      ...open,
      method: 'POST',
      path: '/evaluate/flags/:key',
      summary: 'The value of one parameter for a context',
      params: shape({ key: text(limits.keyLength, 1) }),
      body: AnyJson,
    },
    evaluateFlags: {
      ...open,
      method: 'POST',
      path: '/evaluate/flags',
      summary: 'The values of all parameters for a context, with an ETag and where changes are told',
      body: AnyJson,
    },
    askEvaluateFlag: {
      ...open,
      method: 'OPTIONS',
      path: '/evaluate/flags/:key',
      summary: 'What pages of other origins may do',
      params: shape({ key: text(limits.keyLength, 1) }),
    },
    askEvaluateFlags: {
      ...open,
      method: 'OPTIONS',
      path: '/evaluate/flags',
      summary: 'What pages of other origins may do',
    },
    streamFlags: {
      ...open,
      method: 'GET',
      path: '/stream',
      summary: 'Tells when values may have changed, as server-sent events; goes on by Last-Event-ID',
    },
  },
})
