import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Finding, packages } from '../contract.ts'
import { matches, signingStatuses } from './rules.ts'

const Digest = text(64)
const Bytes = Type.Integer({ minimum: 0 })
const ObjectId = text(200, 1)

const Made = shape({ fileName: text(255), objectId: ObjectId, sizeBytes: Bytes, sha256: Digest })

const ResignInfo = shape({
  appId: Id,
  pkgId: Id,
  status: oneOf(signingStatuses),
  /** The job that processes it or did so last. */
  taskId: Id,
  upload: shape({ ...Made.properties, signers: list(Digest) }),
  /** What devices get, where that is not the upload. */
  resigned: nullable(shape({ ...Made.properties, signers: list(Digest), lineage: list(Digest), hasChannel: flag() })),
  findings: list(Finding),
  isHeld: flag(),
  revision: Revision,
  allowedActions: list(oneOf(['signAgain'])),
})

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['signing.read', 'signing.manage'],
} as const

/** What the store makes of packages for devices. */
export const madePackages = service({
  ...shared,
  prefix: '/abs',
  errors: {
    inUse: packages.errors.inUse,
    nothingToSign: [
      202020040,
      422,
      'There is nothing to sign: the package is signed with the key in use, or the store does not sign this app.',
    ],
  },
  calls: {
    getApks: {
      method: 'GET',
      path: '/app-bundle/apks',
      who: 'cp',
      may: 'signing.read',
      summary: 'The packages that devices get of an upload, and which of them a described device gets',
      query: shape({
        appId: Id,
        pkgId: Id,
        /** Joined by commas, the one the device likes best first: `arm64-v8a,armeabi-v7a`. */
        abis: optional(text(200)),
        sdkVersion: optional(integer(1, 10_000)),
        /** Of its screen, in dots per inch; with it `parts` says what the device installs together. */
        density: optional(integer(1, 10_000)),
        /** Joined by commas, BCP 47. */
        languages: optional(text(500)),
      }),
      answer: shape({
        appId: Id,
        pkgId: Id,
        versionCode: nullable(text(20)),
        signers: list(Digest),
        lineage: list(Digest),
        apks: list(
          shape({
            ...Made.properties,
            /** UNIVERSAL is for every device, ABI for those of one processor. */
            kind: oneOf(['UNIVERSAL', 'ABI']),
            abi: nullable(text(40)),
            minSdk: nullable(Type.Integer()),
            isChosen: flag(),
            downloadUrl: text(4000),
          }),
        ),
        /** The set that devices install together, the base first; what decides who gets one is null but for one. */
        parts: list(
          shape({
            ...Made.properties,
            /** As Android knows it; null of the base. */
            split: nullable(text(200)),
            abi: nullable(text(40)),
            density: nullable(Type.Integer()),
            language: nullable(text(20)),
            isChosen: flag(),
            downloadUrl: text(4000),
          }),
        ),
        /** Why none is for the device. */
        reason: nullable(oneOf(['SDK', 'ABI'])),
      }),
    },
    getResignInfo: {
      method: 'GET',
      path: '/resign-app-info',
      who: 'cp',
      may: 'signing.read',
      transaction: false,
      summary: 'How far the store’s signature on a package is, with the digests of what devices get',
      query: shape({ appId: Id, pkgId: Id }),
      answer: ResignInfo,
    },
    resign: {
      method: 'POST',
      path: '/resign-app-info',
      who: 'cp',
      may: 'signing.manage',
      transaction: false,
      summary: 'Signs a package with the store’s key that was accepted before the store signed, or with an older key',
      body: shape({ appId: Id, pkgId: Id, revision: optional(Revision) }),
      answer: ResignInfo,
    },
  },
})

export const signChecks = service({
  ...shared,
  prefix: '/certmanage/cert-manage/v1',
  errors: {
    oneOfTwo: [202020041, 400, 'Name either a package or a file, by pkgId or objectId.'],
    notReadable: [202020042, 422, 'The file {fileName} is no APK or AAB; nothing else is signed in this way.'],
  },
  calls: {
    checkSignature: {
      method: 'POST',
      path: '/app/sign/check',
      who: 'cp',
      may: 'signing.read',
      transaction: false,
      summary: 'As what the signer of a package or of an uploaded file counts for an app',
      body: shape({ appId: Id, pkgId: optional(Id), objectId: optional(ObjectId) }),
      answer: shape({
        appId: Id,
        match: oneOf(matches),
        certSha256: nullable(Digest),
        certSha1: nullable(Digest),
        certMd5: nullable(Digest),
        /** From the oldest to the signer, as the file proves it. */
        lineage: list(Digest),
        expected: list(shape({ match: oneOf(['UPLOAD_CERT', 'APP_CERT', 'LINEAGE']), certSha256: Digest })),
      }),
    },
  },
})
