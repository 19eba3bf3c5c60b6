import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { AnyJson } from '../../../../kernel/shape.ts'
import { remoteConfigErrors } from '../contract.ts'

/** Apps read `ret` and the status. */
const refusal: RefusalForm = ({ status, number, message, detail }, { method, id }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'etag, retry-after',
    'x-request-id': id,
    ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
  },
  body: method === 'HEAD' ? null : JSON.stringify({ ret: { code: number, msg: message } }),
})

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, rate: 'data' } as const

/** Values as apps and servers fetch them. */
export const remoteConfigFetch = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: [],
  errors: remoteConfigErrors,
  refusal,
  calls: {
    fetchConfig: {
      ...open,
      method: 'GET',
      path: '/config',
      summary: 'The values for who asks; what the query says besides appId, kind, minVersion and debug is the context',
    },
    fetchConfigFor: {
      ...open,
      method: 'POST',
      path: '/config',
      summary: 'The values for a context; minVersion waits up to two seconds for a version that was told of',
      body: AnyJson,
    },
    askFetchConfig: {
      ...open,
      method: 'OPTIONS',
      path: '/config',
      summary: 'What pages of other origins may do',
    },
    streamConfig: {
      ...open,
      method: 'GET',
      path: '/stream',
      summary: 'Tells of each version that comes into force, as server-sent events; goes on by Last-Event-ID',
    },
  },
})
