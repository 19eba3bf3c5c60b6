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
const upload = { ...open, path: '/:uploadId', params: shape({ uploadId: text(60, 1) }) } as const

const refusal: RefusalForm = ({ status, message, detail }, { method }) => ({
  status,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'tus-resumable': '1.0.0',
    'access-control-allow-origin': '*',
    ...(typeof detail['decisionId'] === 'string' ? { 'x-decision-id': detail['decisionId'] } : {}),
  },
  body: method === 'HEAD' ? null : `${message}\n`,
})

/** Uploads that go on where they were cut: TUS 1.0 with creation, termination, checksum and expiration. */
export const storageTus = service({
  name: 'build/storage',
  prefix: '/tus',
  zone: 'current',
  permissions: [],
  errors: storageErrors,
  refusal,
  calls: {
    askTus: { ...open, method: 'OPTIONS', path: '', summary: 'TUS: what this server can' },
    createTus: {
      ...open,
      method: 'POST',
      path: '',
      summary: 'TUS: begins an upload of `bucket` and `path`, as its metadata name them',
    },
    askTusUpload: { ...upload, method: 'OPTIONS', summary: 'TUS: what this server can' },
    offsetOfTus: { ...upload, method: 'HEAD', summary: 'TUS: where an upload goes on' },
    patchTus: { ...upload, method: 'PATCH', summary: 'TUS: the next bytes' },
    endTus: { ...upload, method: 'DELETE', summary: 'TUS: gives an upload up' },
  },
})
