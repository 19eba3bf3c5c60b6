import { type CallSpec, service } from '../../../../kernel/contract.ts'
import { shape, text } from '../../../../kernel/shape.ts'
import { storageErrors } from '../contract.ts'
import { s3Errors, s3Refusal } from './rules.ts'

const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'protocol',
  transaction: false,
  rate: 'data',
} as const satisfies Partial<CallSpec>
const bucket = { ...open, path: '/:bucket', params: shape({ bucket: text(63, 1) }) } as const
const object = { ...open, path: '/:bucket/*', params: shape({ bucket: text(63, 1), '*': text(4000) }) } as const

/** The same files for every tool that knows S3: signed with a key of the project, path style, or by a host of its own. */
export const storageS3 = service({
  name: 'build/storage',
  prefix: '/s3',
  zone: 'current',
  permissions: [],
  errors: { ...storageErrors, ...s3Errors },
  refusal: s3Refusal,
  calls: {
    listBuckets: { ...open, method: 'GET', path: '', summary: 'S3: the buckets that the key reaches' },
    listBucketsToo: { ...open, method: 'GET', path: '/', summary: 'S3: the same' },
    readBucket: {
      ...bucket,
      method: 'GET',
      summary: 'S3: files (V1, V2), uploads, CORS, place and versioning of a bucket',
    },
    headBucket: { ...bucket, method: 'HEAD', summary: 'S3: whether a bucket is there' },
    writeBucket: { ...bucket, method: 'PUT', summary: 'S3: makes a bucket, or sets its CORS or versioning' },
    removeBucket: { ...bucket, method: 'DELETE', summary: 'S3: deletes an empty bucket, or its CORS' },
    postBucket: { ...bucket, method: 'POST', summary: 'S3: deletes up to 1000 files' },
    askBucketS3: { ...bucket, method: 'OPTIONS', summary: 'S3: what pages of other origins may do' },
    readObject: { ...object, method: 'GET', summary: 'S3: a file, or the parts of an upload' },
    headObject: { ...object, method: 'HEAD', summary: 'S3: the head of a file' },
    putObject: { ...object, method: 'PUT', summary: 'S3: takes or copies a file or a part' },
    postObject: { ...object, method: 'POST', summary: 'S3: begins or completes an upload in parts' },
    deleteObject: { ...object, method: 'DELETE', summary: 'S3: deletes a file, or gives an upload up' },
    askObject: { ...object, method: 'OPTIONS', summary: 'S3: what pages of other origins may do with a file' },
  },
})
