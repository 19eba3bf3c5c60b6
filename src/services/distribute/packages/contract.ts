import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, packageStates, packageUsages } from './rules.ts'

const ObjectId = text(200, 1)
const Bytes = Type.Integer({ minimum: 0 })
const Digest = text(64)
const State = oneOf(packageStates)
const Usage = oneOf(packageUsages)
const Action = oneOf(['processAgain', 'delete'])

export const Finding = shape({
  code: integer(0, 999_999_999),
  severity: oneOf(['BLOCK', 'WARN']),
  appliesTo: oneOf(['ANY', 'FORMAL']),
  /** The English sentence; `code` and `params` are for other languages. */
  detail: text(2000),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
})

export const PackageSummary = shape({
  pkgId: Id,
  appId: Id,
  kind: oneOf(['APK']),
  usage: Usage,
  remark: text(limits.remarkLength),
  objectId: ObjectId,
  fileName: text(255),
  sizeBytes: Bytes,
  sha256: Digest,
  packageName: nullable(text(255)),
  /** A decimal string: version codes have 64 bits. */
  versionCode: nullable(text(20)),
  versionName: nullable(text(500)),
  label: nullable(text(500)),
  iconObjectId: nullable(ObjectId),
  debuggable: flag(),
  state: State,
  successStatus: integer(0, 2),
  findings: list(Finding),
  taskId: Id,
  isHeld: flag(),
  uploadedBy: Id,
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(Action),
})

export const Package = shape({
  ...PackageSummary.properties,
  labels: Type.Record(Type.String(), Type.String()),
  minSdk: nullable(Type.Integer()),
  targetSdk: nullable(Type.Integer()),
  compileSdk: nullable(Type.Integer()),
  abis: list(text(40)),
  permissions: list(shape({ name: text(500), maxSdk: optional(Type.Integer()) })),
  features: list(shape({ name: text(500), isRequired: flag() })),
  signers: list(Digest),
  lineage: list(Digest),
  certificates: list(
    shape({
      scheme: text(10),
      certSha256: Digest,
      certSha1: Digest,
      certMd5: Digest,
      subject: text(2000),
      serial: text(200),
      notBefore: Type.Integer(),
      notAfter: Type.Integer(),
      keyAlgorithm: text(40),
      keyBits: nullable(Type.Integer()),
      modulusHex: optional(text(5000)),
    }),
  ),
  signatureSchemes: list(text(10)),
  dexCount: Bytes,
  folders: list(shape({ folder: text(500), files: Bytes, compressedBytes: Bytes, expandedBytes: Bytes })),
})

const Compared = shape({
  pkgId: Id,
  versionCode: nullable(text(20)),
  versionName: nullable(text(500)),
  sizeBytes: Bytes,
  minSdk: nullable(Type.Integer()),
  targetSdk: nullable(Type.Integer()),
  debuggable: flag(),
})
const AddedRemoved = shape({ added: list(text(500)), removed: list(text(500)) })

export const Difference = shape({
  from: Compared,
  to: Compared,
  permissions: AddedRemoved,
  features: AddedRemoved,
  abis: AddedRemoved,
  folders: list(shape({ folder: text(500), fromBytes: Bytes, toBytes: Bytes })),
  signer: shape({ isSame: flag(), isProven: flag(), from: list(Digest), to: list(Digest) }),
})

export const packages = service({
  name: 'distribute/packages',
  prefix: '/amis/package-manage/v1',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload'],
  errors: {
    kindMismatch: [
      204144693,
      422,
      'The package type does not match the file {fileName}: an app of type {packageType} takes {expected}.',
    ],
    kindUnsupported: [995, 422, 'Packages of kind {kind} ({fileName}) are not taken yet; upload an APK.'],
    tooLarge: [1006, 422, 'The package has {sizeBytes} bytes; at most {limitBytes} are taken.'],
    inUse: [202020001, 422, '{holdCount} versions refer to this package; take it out of them first.'],
    usageBlocked: [202020002, 422, 'The package can be used for testing only: {reasons}'],
  },
  calls: {
    createPackage: {
      method: 'POST',
      path: '/app/pkg',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Makes a package of an uploaded file and starts to process it',
      body: shape({
        appId: Id,
        objectId: ObjectId,
        usage: optional(Usage),
        remark: optional(text(limits.remarkLength)),
      }),
      answer: Package,
    },
    getPackage: {
      method: 'GET',
      path: '/app/pkg',
      who: 'cp',
      may: 'packages.read',
      summary: 'A package with everything its bytes say',
      query: shape({ pkgId: Id }),
      answer: Package,
    },
    listPackages: {
      method: 'GET',
      path: '/app/pkg/list',
      who: 'cp',
      may: 'packages.read',
      summary: 'Packages of an app, the newest first',
      query: shape({
        appId: Id,
        search: optional(text(100)),
        state: optional(State),
        usage: optional(Usage),
        ...PageQuery,
      }),
      answer: pageOf(PackageSummary),
    },
    updatePackage: {
      method: 'PUT',
      path: '/app/pkg',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Changes what a package is for, and the remark',
      body: shape({
        pkgId: Id,
        usage: optional(Usage),
        remark: optional(text(limits.remarkLength)),
        revision: Revision,
      }),
      answer: Package,
    },
    deletePackage: {
      method: 'DELETE',
      path: '/app/pkg',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Deletes a package that no version refers to',
      query: shape({ pkgId: Id }),
    },
    getPackageTask: {
      method: 'GET',
      path: '/app/pkg/process/task',
      who: 'cp',
      may: 'packages.read',
      transaction: false,
      summary: 'How far processing is; with wait it answers when it is over, or after so many seconds',
      query: shape({ taskId: Id, wait: optional(integer(0, limits.waitSeconds)) }),
      answer: shape({
        taskId: Id,
        pkgId: Id,
        state: oneOf(['queued', 'running', 'done', 'failed', 'canceled']),
        step: nullable(text(100)),
        percent: integer(0, 100),
        error: nullable(text(500)),
        startedAt: nullable(Instant),
        finishedAt: nullable(Instant),
        processState: nullable(State),
      }),
    },
    processPackageAgain: {
      method: 'POST',
      path: '/app/pkg/process/task',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Processes a package again that had failed',
      body: shape({ pkgId: Id, revision: optional(Revision) }),
      answer: Package,
    },
    getPackageStates: {
      method: 'GET',
      path: '/app/pkg/state',
      who: 'cp',
      may: 'packages.read',
      summary: 'The public status of packages: 0 ok, 1 processing, 2 failed',
      query: shape({ pkgIds: pattern('^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18}){0,99}$', 2000, '736430079244000001') }),
      answer: shape({
        pkgStateList: list(
          shape({ pkgId: Id, successStatus: integer(0, 2), processState: State, findings: list(Finding) }),
        ),
      }),
    },
    comparePackages: {
      method: 'GET',
      path: '/app/pkg/difference',
      who: 'cp',
      may: 'packages.read',
      summary: 'What changes when a package takes the place of another',
      query: shape({ pkgId: Id, otherPkgId: Id }),
      answer: Difference,
    },
  },
})
