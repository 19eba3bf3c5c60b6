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
import { Content } from './content/contract.ts'
import { limits, packageKinds, packageStates, packageUsages } from './rules.ts'
import { trustVerdicts } from './trust/rules.ts'

const ObjectId = text(200, 1)
const Bytes = Type.Integer({ minimum: 0 })
const Digest = text(64)
const State = oneOf(packageStates)
const Usage = oneOf(packageUsages)
const Kind = oneOf(packageKinds)
const Action = oneOf(['processAgain', 'archive', 'restore', 'delete'])

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

export const Package = shape({
  ...PackageSummary.properties,
  /** What the store's trusted roots say of who signed, now; null for kinds without a chain, and where the store names no root. */
  trust: nullable(shape({ verdict: oneOf(trustVerdicts), root: nullable(text(1000)) })),
  ...Content.properties,
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
    otherKind: [202020004, 422, '{fileName} is a package of the kind {kind}; here come {expected}.'],
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
        /** Refused when it is none of these. */
        kinds: optional(Type.Array(Kind, { minItems: 1, maxItems: packageKinds.length, uniqueItems: true })),
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
        /** Any of these, joined by commas. */
        kinds: optional(pattern('^[A-Z0-9]{2,3}(,[A-Z0-9]{2,3}){0,9}$', 60, 'APK,AAB')),
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
  },
} as const

export const packages = service({ ...shared, prefix: places.all })
export const atomicPackages = service({ ...shared, prefix: places.atomic })
