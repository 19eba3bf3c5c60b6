import { type CallSpec, type Contract, service } from '../../../kernel/contract.ts'
import type { ErrorRow } from '../../../kernel/errors.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  text,
} from '../../../kernel/shape.ts'
import { bucketStates, levels, limits, versioningStates } from './rules.ts'

/** Refusals of storage, whichever protocol asks; numbers of the 220 family are the field's own. */
export const storageErrors = {
  badPath: [220400010, 400, 'The path {path} {problem}.'],
  overQuota: [
    220402001,
    402,
    'This takes {quota} of the project above {limit}; {used} are used. Delete something, or ask for more.',
  ],
  suspended: [
    220423001,
    402,
    'Storage of this project is suspended: files can be read, not changed. Settle what is open.',
  ],
  rulesDenied: [220403002, 403, 'The security rules do not let this caller {method} here.'],
  noBucket: [220404001, 404, 'There is no bucket {bucket}.'],
  noFile: [220404002, 404, 'There is no file {path} in this bucket.'],
  nameTaken: [220409001, 409, 'The bucket name {name} is taken; choose another.'],
  notEmpty: [
    220409003,
    409,
    'The bucket {bucket} still holds files; delete them first, or let them be deleted with it.',
  ],
  wrongOffset: [220412001, 409, 'The upload goes on at byte {receiveBytes}, not at {offset}.'],
  preconditionFailed: [
    220412002,
    412,
    'The file is not as this request expects it; it is at generation {generation} now.',
  ],
  typeNotAllowed: [220415001, 415, 'The bucket does not take {contentType}; it takes {allowed}.'],
  wrongBytes: [220422001, 422, 'The bytes have the {algorithm} {found}, not {expected}. Send them again.'],
  diskFull: [
    220507001,
    507,
    'There is no room left for files here; the operator has to make some. Nothing of this was kept.',
  ],
  uploadCut: [
    204030001,
    400,
    'The connection ended before all bytes were in. What came can be gone on from, if this upload can.',
  ],
  tooManyBuckets: [204030002, 422, 'A project has at most {limit} buckets at this level.'],
  tooManyTokens: [204030003, 422, 'A file has at most {limit} download tokens; revoke one first.'],
  tooManyKeys: [204030004, 422, 'A project has at most {limit} S3 keys; delete one first.'],
  notOpened: [204030005, 409, 'Cloud storage is not open in this project; open it first.'],
  uploadOver: [204030006, 409, 'The upload is {state}; begin a new one.'],
  keepsOne: [204030007, 422, 'The default bucket goes last: delete the others first.'],
  noSite: [204030008, 404, 'The bucket {bucket} is no site.'],
  lengthNeeded: [204030009, 411, 'Say how many bytes there are, by Content-Length or X-Agc-File-Size.'],
  tokenWrong: [204030010, 403, 'The download token is wrong, was revoked, or has ended.'],
} as const satisfies Record<string, ErrorRow>

export const BucketId = text(63, 3)
const Count = integer(0, Number.MAX_SAFE_INTEGER)

export const CorsRuleShape = shape({
  /** `*`, `https://example.com`, `https://*.example.com`. */
  allowedOrigins: list(text(200, 1), { minItems: 1, maxItems: 20 }),
  allowedMethods: list(oneOf(['GET', 'PUT', 'POST', 'DELETE', 'HEAD']), { minItems: 1, maxItems: 5 }),
  allowedHeaders: list(text(200, 1), { maxItems: 50 }),
  exposeHeaders: list(text(200, 1), { maxItems: 50 }),
  maxAgeSeconds: integer(0, 86_400),
})

const Days = integer(1, 36_500)
export const LifecycleRuleShape = shape({
  prefix: text(limits.pathBytes),
  expireDays: optional(Days),
  abortDays: optional(Days),
  olderVersionDays: optional(Days),
})

export const Bucket = shape({
  bucketId: BucketId,
  name: text(57),
  projectId: Id,
  isDefault: flag(),
  state: oneOf(bucketStates),
  versioning: oneOf(versioningStates),
  maxObjectBytes: nullable(Count),
  allowedTypes: list(text(100)),
  lifecycle: list(LifecycleRuleShape),
  corsRules: Count,
  isSite: flag(),
  size: Count,
  count: Count,
  createdAt: Instant,
  revision: Revision,
})

const OfProject = shape({ projectId: Id })
const NewBucket = shape({ projectId: Id, name: text(57, 3), versioning: optional(flag()) })
const read = { method: 'POST', who: 'cp', may: 'storage.read' } as const satisfies Partial<CallSpec>
const manage = { method: 'POST', who: 'cp', may: 'storage.manage' } as const satisfies Partial<CallSpec>

/** Buckets of a project; which of the two generations is called is a switch of the site. */
export const storage = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['storage.read', 'storage.manage'],
  errors: storageErrors,
  calls: {
    existService: {
      ...read,
      path: '/storage/existService',
      summary: 'Whether cloud storage is open in a project',
      body: OfProject,
      answer: shape({ exist: flag(), enabled: flag(), region: text(2), switchNew: flag(), projectId: Id }),
    },
    initData: {
      ...manage,
      path: '/common/initData',
      summary: 'Opens cloud storage: a first bucket and rules to begin with',
      body: shape({ projectId: Id, bucketName: optional(text(57, 3)) }),
      answer: shape({ bucketId: BucketId, rules: text(262_144) }),
      transaction: false,
    },
    queryBucketIds: {
      ...read,
      path: '/common/queryBucketIds',
      summary: 'The buckets of a project with what they hold',
      body: OfProject,
      answer: shape({ total: Count, list: list(Bucket), nextCursor: nullable(text(1)), buckets: list(Bucket) }),
    },
    createStorageBucket: {
      ...manage,
      path: '/storage/createBucket',
      summary: 'Makes a bucket',
      body: NewBucket,
      answer: Bucket,
      transaction: false,
    },
    getBucketId: {
      ...read,
      path: '/common/getBucketId',
      summary: 'The default bucket of a project, or the one of a name',
      body: shape({ projectId: Id, name: optional(text(57, 3)) }),
      answer: shape({ bucketId: BucketId }),
    },
    getUserLevel: {
      ...read,
      path: '/common/getUserLevel',
      summary: 'What a project may use of storage, and what of it is used',
      body: OfProject,
      answer: shape({
        level: oneOf(levels),
        quotas: list(shape({ metric: text(40), limit: nullable(Count), used: Count })),
      }),
    },
    createBucket: {
      ...manage,
      path: '/file/createBucket',
      summary: 'Makes a bucket',
      body: NewBucket,
      answer: Bucket,
      transaction: false,
    },
    deleteBucket: {
      ...manage,
      path: '/file/deleteBucket',
      summary: 'Deletes a bucket; with force its files go with it, as a job',
      body: shape({ bucketId: BucketId, force: optional(flag()) }),
      answer: shape({ jobId: nullable(Id) }),
      transaction: false,
    },
    updateBucket: {
      ...manage,
      path: '/bucket/update',
      summary: 'Versions, limits and lifecycle of a bucket',
      body: shape({
        bucketId: BucketId,
        versioning: optional(oneOf(['ON', 'PAUSED'])),
        maxObjectBytes: optional(nullable(integer(1, limits.objectBytes))),
        allowedTypes: optional(list(text(100, 1), { maxItems: limits.allowedTypes })),
        lifecycle: optional(list(LifecycleRuleShape, { maxItems: limits.lifecycleRules })),
        revision: Revision,
      }),
      answer: Bucket,
    },
    queryCors: {
      ...read,
      path: '/bucket/queryCors',
      summary: 'What pages of other origins may do with a bucket',
      body: shape({ bucketId: BucketId }),
      answer: shape({ rules: list(CorsRuleShape), revision: Revision }),
    },
    updateCors: {
      ...manage,
      path: '/bucket/updateCors',
      summary: 'Sets what pages of other origins may do',
      body: shape({
        bucketId: BucketId,
        rules: list(CorsRuleShape, { maxItems: limits.corsRules }),
        revision: optional(Revision),
      }),
      answer: shape({ rules: list(CorsRuleShape), revision: Revision }),
    },
    deleteCors: {
      ...manage,
      path: '/bucket/deleteCors',
      summary: 'Lets no page of another origin in any more',
      body: shape({ bucketId: BucketId }),
      answer: shape({ rules: list(CorsRuleShape), revision: Revision }),
    },
    queryJob: {
      ...read,
      path: '/common/queryJob',
      summary: 'How far work on a bucket is that takes long',
      body: shape({ jobId: Id, kind: oneOf(['storage.emptyBucket', 'storage.deletePrefixes', 'storage.refreshSite']) }),
      answer: shape({
        state: oneOf(['queued', 'running', 'done', 'failed', 'canceled']),
        percent: integer(0, 100),
        step: nullable(text(500)),
      }),
    },
    listUsage: {
      ...read,
      path: '/usage/listUsage',
      summary: 'What a project or a bucket was used for, by day or month',
      body: shape({
        projectId: Id,
        bucketId: optional(BucketId),
        from: text(10, 10, { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-22'] }),
        to: text(10, 10, { pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-22'] }),
        granularity: optional(oneOf(['DAY', 'MONTH'])),
      }),
      answer: shape({
        points: list(
          shape({
            date: text(10),
            storedBytes: Count,
            objects: Count,
            classA: Count,
            classB: Count,
            egressBytes: Count,
          }),
        ),
        totals: shape({ classA: Count, classB: Count, egressBytes: Count }),
      }),
    },
  },
})

const { existService, initData, queryBucketIds, createStorageBucket } = storage.calls

/** The older generation of what it has of them. */
export const storageOlder: Contract<
  Pick<typeof storage.calls, 'existService' | 'initData' | 'queryBucketIds' | 'createStorageBucket'>,
  typeof storage.errors
> = {
  ...storage,
  prefix: '/css/cloud-storage/v1',
  calls: { existService, initData, queryBucketIds, createStorageBucket },
}
