import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { AnyJson } from '../../../../kernel/shape.ts'
import { appEventsErrors } from '../contract.ts'
import { limits } from '../rules.ts'

/** Apps read `ret` and the status; pages of any origin may. */
const refusal: RefusalForm = ({ status, number, message, detail }, { id }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after',
    'x-request-id': id,
    ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
  },
  body: JSON.stringify({ ret: { code: number, msg: message } }),
})

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, rate: 'data' } as const

/** Where apps report events. */
export const appEventsCollecting = service({
  name: 'analyse/app-events',
  prefix: '/app-events/v1',
  zone: 'current',
  permissions: [],
  errors: appEventsErrors,
  refusal,
  calls: {
    reportEvents: {
      ...open,
      method: 'POST',
      path: '/events',
      summary: 'Takes a batch of at most 500 events of an app; answers how many were taken, and which were not and why',
      body: AnyJson,
      bodyLimit: limits.batchBytes,
    },
    askReportEvents: {
      ...open,
      method: 'OPTIONS',
      path: '/events',
      summary: 'What pages of other origins may do',
    },
  },
})
