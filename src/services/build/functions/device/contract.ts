import { service } from '../../../../kernel/contract.ts'
import { shape, text } from '../../../../kernel/shape.ts'
import { callRefusal, functionErrors } from '../contract.ts'
import { limits } from '../rules.ts'

/** Functions as apps call them, in the wire form of the public client. */
export const functionCalls = service({
  name: 'build/functions',
  prefix: '/agc/apigw/wisefunction/functions',
  zone: 'current',
  permissions: [],
  errors: functionErrors,
  refusal: callRefusal,
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
