import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { shape, text } from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { limits } from '../rules.ts'

/** The public client reads `ret` and the status. */
const refusal: RefusalForm = ({ status, number, message, detail }, { method, id }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': id,
    ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
  },
  body: method === 'HEAD' ? null : JSON.stringify({ ret: { code: number, msg: message } }),
})

/** Functions as apps call them, in the wire form of the public client. */
export const functionCalls = service({
  name: 'build/functions',
  prefix: '/agc/apigw/wisefunction/functions',
  zone: 'current',
  permissions: [],
  errors: functionErrors,
  refusal,
  calls: {
    callFunction: {
      who: 'anonymous',
      may: 'none',
      kind: 'protocol',
      direct: true,
      transaction: false,
      rate: 'data',
      method: 'POST',
      path: '/:space/:target',
      bodyLimit: limits.eventBytes,
      summary: 'Calls a function: `name-$latest`, `name-3` or `name-alias`',
      params: shape({ space: text(40, 1), target: text(130, 3) }),
    },
  },
})
