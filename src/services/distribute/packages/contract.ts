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
import { limits, packageKinds, packageStates, packageUsages } from './rules.ts'
import { trustVerdicts } from './trust/rules.ts'

const ObjectId = text(200, 1)
const Bytes = Type.Integer({ minimum: 0 })
const Digest = text(64)
const State = oneOf(packageStates)
const Usage = oneOf(packageUsages)
const Kind = oneOf(packageKinds)
const Action = oneOf(['processAgain', 'archive', 'restore', 'delete'])
const Bundled = { fileName: text(255), objectId: ObjectId, sizeBytes: Bytes, sha256: text(64) }

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
  kind: Kind,
  packageType: text(40),
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

/** What only packages of one kind have. */
const Details = shape({
  bundle: optional(shape({ madeBy: text(500) })),
  harmony: optional(
    shape({
      bundleType: text(500),
      apiReleaseType: text(500),
      buildVersion: text(500),
      profile: nullable(
        shape({
          type: text(500),
          bundleName: text(500),
          developerId: text(500),
          notBefore: Type.Number(),
          notAfter: Type.Number(),
          distribution: text(500),
          acls: list(text(500)),
          restrictedPermissions: list(text(500)),
          deviceCount: Bytes,
        }),
      ),
    }),
  ),
  quickApp: optional(
    shape({
      minPlatformVersion: nullable(Type.Number()),
      entry: text(500),
      appType: text(500),
      address: nullable(text(2000)),
    }),
  ),
  site: optional(
    shape({
      index: text(500),
      startUrl: text(500),
      files: Bytes,
      expandedBytes: Bytes,
      manifest: nullable(text(500)),
    }),
  ),
  program: optional(
    shape({
      machine: text(20),
      bits: integer(0, 64),
      subsystem: text(20),
      product: text(500),
      company: text(500),
      description: text(500),
      linkedAt: nullable(Bytes),
      isTimestamped: flag(),
    }),
  ),
  expansion: optional(shape({ slot: text(10), versionCode: text(20), packageName: text(500) })),
})

export const Package = shape({
  ...PackageSummary.properties,
  /** What the store's trusted roots say of who signed, now; null for kinds without a chain, and where the store names no root. */
  trust: nullable(shape({ verdict: oneOf(trustVerdicts), root: nullable(text(1000)) })),
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
  deviceTypes: list(text(500)),
  languages: list(text(500)),
  modules: list(
    shape({
      name: text(500),
      type: text(500),
      sizeBytes: Bytes,
      deviceTypes: optional(list(text(500))),
      delivery: optional(text(500)),
    }),
  ),
  components: list(shape({ kind: text(20), name: text(500), isExported: flag() })),
  sdks: list(shape({ name: text(100), provider: text(100), version: nullable(text(100)) })),
  nativeLibraries: list(shape({ path: text(500), abi: text(500), sizeBytes: Bytes })),
  details: Details,
  hasPrivacyManifest: optional(flag()),
  /** Made of a bundle for devices; null where they install the upload itself, or where none could be made. */
  installable: nullable(shape(Bundled)),
  uploadSigners: list(Digest),
})

const Compared = shape({
  pkgId: Id,
  fileName: text(255),
  versionCode: nullable(text(20)),
  versionName: nullable(text(500)),
  sizeBytes: Bytes,
  minSdk: nullable(Type.Integer()),
  targetSdk: nullable(Type.Integer()),
  debuggable: flag(),
})
const AddedRemoved = shape({ added: list(text(600)), removed: list(text(600)) })
const Grown = list(shape({ name: text(500), fromBytes: Bytes, toBytes: Bytes }))

export const Difference = shape({
  from: Compared,
  to: Compared,
  permissions: AddedRemoved,
  features: AddedRemoved,
  abis: AddedRemoved,
  languages: AddedRemoved,
  deviceTypes: AddedRemoved,
  components: AddedRemoved,
  exported: AddedRemoved,
  sdks: shape({
    ...AddedRemoved.properties,
    changed: list(shape({ name: text(100), from: text(100), to: text(100) })),
  }),
  modules: Grown,
  nativeLibraries: Grown,
  folders: list(shape({ folder: text(500), fromBytes: Bytes, toBytes: Bytes })),
  signer: shape({ isSame: flag(), isProven: flag(), from: list(Digest), to: list(Digest) }),
})

/** What became of each package of a call for many. */
const Outcomes = shape({
  results: list(shape({ pkgId: Id, isDone: flag(), code: integer(0, 999_999_999), message: nullable(text(500)) })),
})
const PkgIds = Type.Array(Id, { minItems: 1, maxItems: limits.atOnce, uniqueItems: true })

/** Where the calls of this service lie; those for atomic services only are the same ones below `/ascf`. */
export const places = { all: '/amis/package-manage/v1', atomic: '/amis/package-manage/v1/ascf' } as const

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload'],
  errors: {
    kindMismatch: [
      204144693,
      422,
      'The package type does not match the file {fileName}: an app of type {packageType} takes {expected}.',
    ],
    tooLarge: [1006, 422, 'The package has {sizeBytes} bytes; at most {limitBytes} are taken.'],
    inUse: [202020001, 422, '{holdCount} versions refer to this package; take it out of them first.'],
    usageBlocked: [202020002, 422, 'The package can be used for testing only: {reasons}'],
    codeTaken: [
      202020003,
      422,
      'Version code {versionCode} is taken by another package of the app; archive that first.',
    ],
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
      summary: 'Packages of an app, or of the team where none is named, the newest first',
      query: shape({
        appId: optional(Id),
        search: optional(text(100)),
        kind: optional(Kind),
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
    changePackageStates: {
      method: 'PUT',
      path: '/app/pkg/state',
      who: 'cp',
      may: 'packages.upload',
      transaction: false,
      summary: 'Archives packages that are not needed now, or takes them back: each by itself',
      body: shape({ pkgIds: PkgIds, state: oneOf(['ARCHIVED', 'READY']) }),
      answer: Outcomes,
    },
    deletePackages: {
      method: 'POST',
      path: '/app/pkg/batch/delete',
      who: 'cp',
      may: 'packages.upload',
      transaction: false,
      summary: 'Deletes packages that no version refers to: each by itself',
      body: shape({ pkgIds: PkgIds }),
      answer: Outcomes,
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
} as const

export const packages = service({ ...shared, prefix: places.all })
export const atomicPackages = service({ ...shared, prefix: places.atomic })
