import { type CallSpec, service } from '../../../../../kernel/contract.ts'
import { shape, text } from '../../../../../kernel/shape.ts'
import { callRefusal, functionErrors } from '../../contract.ts'
import { triggerLimits } from '../rules.ts'

const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'protocol',
  direct: true,
  transaction: false,
  rate: 'data',
  path: '/*',
  bodyLimit: triggerLimits.httpBodyBytes,
  params: shape({ '*': text(4000, 1) }),
} as const satisfies Partial<CallSpec>

/** Addresses of functions: whatever is asked below one is given to its function. */
export const functionHttp = service({
  name: 'build/functions',
  prefix: '/fn',
  zone: 'current',
  permissions: [],
  errors: functionErrors,
  refusal: callRefusal,
  calls: {
    getFromFunction: { ...open, method: 'GET', summary: 'Asks a function by its address' },
    postToFunction: { ...open, method: 'POST', summary: 'Sends something to a function by its address' },
    putToFunction: { ...open, method: 'PUT', summary: 'Puts something to a function by its address' },
    patchOfFunction: { ...open, method: 'PATCH', summary: 'Changes something behind the address of a function' },
    deleteOfFunction: { ...open, method: 'DELETE', summary: 'Takes something away behind the address of a function' },
    optionsOfFunction: { ...open, method: 'OPTIONS', summary: 'What the address of a function takes' },
  },
})
