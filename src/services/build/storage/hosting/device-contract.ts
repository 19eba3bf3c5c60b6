import { type CallSpec, type RefusalForm, service } from '../../../../kernel/contract.ts'
import { shape, text } from '../../../../kernel/shape.ts'
import { storageErrors } from '../contract.ts'

const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'protocol',
  transaction: false,
  rate: 'data',
} as const satisfies Partial<CallSpec>

const refusal: RefusalForm = ({ status, message }, { method }) => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: method === 'HEAD' ? null : `${message}\n`,
})

/** Sites on the web; on a host of their own where the operator gave a domain for them. */
export const hostedSites = service({
  name: 'build/storage',
  prefix: '/hosting',
  zone: 'current',
  permissions: [],
  errors: storageErrors,
  refusal,
  calls: {
    openSite: {
      ...open,
      method: 'GET',
      path: '/:site',
      params: shape({ site: text(63, 1) }),
      summary: 'To the first page of a site',
    },
    readSite: {
      ...open,
      method: 'GET',
      path: '/:site/*',
      params: shape({ site: text(63, 1), '*': text(4000) }),
      summary: 'A file of a site',
    },
  },
})
