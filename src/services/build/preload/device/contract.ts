import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { Id, Instant, oneOf, optional, shape, text } from '../../../../kernel/shape.ts'
import { preloadErrors } from '../contract.ts'
import { kinds, limits } from '../rules.ts'

const refusal: RefusalForm = ({ status, number, message }, { method, id }) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id },
  body: method === 'HEAD' ? null : JSON.stringify({ ret: { code: number, msg: message } }),
})

const Target = shape({ appId: Id, kind: oneOf(kinds) })

/** What devices ask for before an app is opened. */
export const preloadData = service({
  name: 'build/preload',
  prefix: '/agc/apigw/preload/v1',
  zone: 'current',
  permissions: [],
  errors: preloadErrors,
  refusal,
  calls: {
    fetchPreload: {
      who: 'anonymous',
      may: 'none',
      kind: 'protocol',
      transaction: false,
      rate: 'data',
      method: 'GET',
      path: '/:appId/:kind',
      summary: 'The answer of the source, kept or fetched',
      params: Target,
      query: shape({
        token: optional(text(limits.tokenChars, 1)),
        params: optional(text(limits.paramsChars)),
        link: optional(text(limits.linkChars, 1)),
      }),
    },
    registerPreload: {
      who: 'anonymous',
      may: 'none',
      transaction: false,
      rate: 'data',
      method: 'POST',
      path: '/:appId/PERIODIC',
      summary: 'Has the answer fetched again and again for 72 hours; to be renewed before',
      params: shape({ appId: Id }),
      body: shape({ token: text(limits.tokenChars, 1), params: optional(text(limits.paramsChars)) }),
      answer: shape({ nextAt: Instant, endsAt: Instant }),
    },
  },
})
