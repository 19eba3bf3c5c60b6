import { type RefusalForm, service } from '../../../../kernel/contract.ts'
import { shape, text } from '../../../../kernel/shape.ts'

const refusal: RefusalForm = ({ status, message }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  },
  body: JSON.stringify({ status, message, error: message }),
})

const open = { who: 'anonymous', may: 'none', kind: 'protocol', transaction: false, rate: 'data' } as const

/** Published templates as clients of others read them, so that apps can move one by one. Nothing is written here. */
export const remoteConfigForeign = service({
  name: 'grow/remote-config',
  prefix: '/api',
  zone: 'current',
  permissions: [],
  errors: {},
  refusal,
  calls: {
    unleashFeatures: {
      ...open,
      method: 'GET',
      path: '/client/features',
      summary: 'The parameters as features of Unleash; those that cannot be said so are named in x-not-exported',
    },
    growthBookFeatures: {
      ...open,
      method: 'GET',
      path: '/features/:clientKey',
      summary: 'The parameters as features of GrowthBook, by a key of the project',
      params: shape({ clientKey: text(120, 1) }),
    },
  },
})
