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
const params = shape({ bucket: text(63, 3), '*': text(4000) })
const file = { ...open, path: '/:bucket/*', params } as const

/** What the public client reads is the status; people read the rest. */
const refusal: RefusalForm = ({ status, number, message, detail }, { method, id }) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(typeof detail['decisionId'] === 'string' ? { 'x-decision-id': detail['decisionId'] } : {}),
  },
  body:
    method === 'HEAD' || status === 304
      ? null
      : JSON.stringify({
          errorCode: number,
          message,
          requestId: id,
          ...(detail['fields'] === undefined ? {} : { fields: detail['fields'] }),
          ...(detail['receiveBytes'] === undefined ? {} : { receiveBytes: String(detail['receiveBytes']) }),
        }),
})

/** Files of an app, as the public client of the field sends and reads them. */
export const storageDevice = service({
  name: 'build/storage',
  prefix: '/v0',
  zone: 'current',
  permissions: [],
  errors: storageErrors,
  refusal,
  calls: {
    listForApp: {
      ...open,
      method: 'GET',
      path: '/:bucket',
      params: shape({ bucket: text(63, 3) }),
      summary: 'Files and folders of a bucket',
    },
    readFile: {
      ...file,
      method: 'GET',
      summary:
        'The bytes of a file; with metadata=query or =update what is said of it, with token=create a download token',
    },
    lookAtFile: { ...file, method: 'HEAD', summary: 'The head of a file' },
    sendFile: { ...file, method: 'PUT', summary: 'Takes a file at once, or the next bytes of a long one' },
    beginFile: { ...file, method: 'POST', summary: 'Takes a file at once, or says where a long one goes on' },
    changeFile: { ...file, method: 'PATCH', summary: 'Changes what is said of a file' },
    removeFile: { ...file, method: 'DELETE', summary: 'Deletes a file' },
    askBucket: {
      ...open,
      method: 'OPTIONS',
      path: '/:bucket',
      params: shape({ bucket: text(63, 3) }),
      summary: 'What pages of other origins may do',
    },
    askFile: { ...file, method: 'OPTIONS', summary: 'What pages of other origins may do with a file' },
  },
})
