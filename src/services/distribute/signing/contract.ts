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
  Revision,
  type Static,
  shape,
  text,
} from '../../../kernel/shape.ts'
import { limits, profileStates, uploadStates } from './rules.ts'

const Digest = text(64)
const Pem = text(limits.pemLength)

export const keyKinds = ['RSA4096', 'EC_P256'] as const
export type KeyKind = (typeof keyKinds)[number]

export const Certificate = shape({
  certSha256: Digest,
  certSha1: Digest,
  certMd5: Digest,
  subject: text(2000),
  notBefore: Instant,
  notAfter: Instant,
  keyAlgorithm: text(40),
  keyBits: nullable(integer(0, 100_000)),
})

export const UploadCertificate = shape({
  certId: Id,
  state: oneOf(uploadStates),
  /** Null of one that was taken from the first upload. */
  certPem: nullable(Pem),
  certificate: Certificate,
  effectiveAt: Instant,
  registeredBy: nullable(Id),
  createdAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(['approve', 'cancel'])),
})

/** What a key is encrypted to before it is sent, as a JWE of RSA-OAEP-256 and A256GCM. */
const ImportKey = shape({ kid: Id, publicKey: Pem, nonce: text(200), expiresAt: Instant })

export const SigningKey = shape({
  appId: Id,
  /** NONE: nothing was accepted yet. DEVELOPER: uploads go to devices as they are. STORE: the store signs what devices get. */
  mode: oneOf(profileStates),
  appKey: nullable(
    shape({ certPem: Pem, certificate: Certificate, source: oneOf(['GENERATED', 'IMPORTED']), createdAt: Instant }),
  ),
  /** From the first key to the one in use; empty without rotation. */
  lineage: list(Certificate),
  /** What signs where the store does not. */
  developerCert: nullable(Certificate),
  uploadCertSha256: nullable(Digest),
  /** The store's key signed a package that was accepted: it can no longer be discarded. */
  isUsed: flag(),
  nextRotationAllowedAt: nullable(Instant),
  /** Null for those who may not import. */
  importKey: nullable(ImportKey),
  revision: Revision,
  allowedActions: list(oneOf(['generate', 'import', 'rotate', 'discard'])),
})

export const signing = service({
  name: 'distribute/signing',
  prefix: '/certmanage/cert-manage/v1',
  zone: 'current',
  permissions: ['signing.read', 'signing.manage', 'signing.approve'],
  errors: {
    signerChanged: [
      204144723,
      422,
      'The certificate is {found}, devices have the app signed by {expected}. Import that key, or sign with it.',
    ],
    uploadCertPending: [
      202060001,
      409,
      'Another upload certificate waits until {effectiveAt}; cancel it first, or let a leader approve it.',
    ],
    rotationTooSoon: [202060002, 422, 'The key was rotated on {rotatedAt}; the next time is {nextRotationAllowedAt}.'],
    keyWeak: [202060003, 422, 'This key cannot sign an app: {reason}.'],
    keyAlreadyUsedByOtherApp: [202060004, 409, 'This key signs another app; each app has a key of its own.'],
    privateKeySent: [
      202060005,
      422,
      'This is a private key. Nothing of it was kept, but treat it as known: send the certificate only.',
    ],
    importUnreadable: [202060006, 422, 'The key cannot be read: {reason}.'],
    importForOther: [202060007, 422, 'This was encrypted for another app. Encrypt the key for this one.'],
    importExpired: [
      202060008,
      422,
      'What the key was encrypted with is no longer valid. Read it anew, and send again.',
    ],
    sameCertificate: [202060009, 409, 'This certificate is the upload certificate already.'],
    keyInUse: [
      202060010,
      422,
      'A package signed with the store’s key was accepted; from then on the store signs this app.',
    ],
    shelfOfDeveloper: [
      202060011,
      422,
      'Devices have the app signed by {expected}. They take no update from a new key: import that one instead.',
    ],
    notAndroid: [202060012, 422, 'The store signs Android apps only; this app is of type {packageType}.'],
    nothingPending: [202060013, 404, 'No upload certificate waits.'],
    releaseUnderWay: [
      202060015,
      422,
      'A version signed with your own key is under way to devices. Withdraw it first, or import that key.',
    ],
    factorNeeded: [
      202060014,
      403,
      'Approving before time needs a second step. Set one up under Security, confirm with it, and try again.',
    ],
  },
  calls: {
    getUploadCertificate: {
      method: 'GET',
      path: '/upload-public-cert',
      who: 'cp',
      may: 'signing.read',
      summary: 'The upload certificate of an app, the one that waits, and those before',
      query: shape({ appId: Id }),
      answer: shape({
        appId: Id,
        current: nullable(UploadCertificate),
        pending: nullable(UploadCertificate),
        previous: list(UploadCertificate),
      }),
    },
    putUploadCertificate: {
      method: 'PUT',
      path: '/upload-public-cert',
      who: 'cp',
      may: 'signing.manage',
      summary: 'Registers an upload certificate; one that takes the place of another waits 48 hours or for a leader',
      body: shape({
        appId: Id,
        /** REGISTER unless said. APPROVE is for leaders with a second step, CANCEL for whoever may register. */
        action: optional(oneOf(['REGISTER', 'APPROVE', 'CANCEL'])),
        certPem: optional(Pem),
      }),
      answer: UploadCertificate,
    },
    getSigningKey: {
      method: 'GET',
      path: '/signing-key',
      who: 'cp',
      may: 'signing.read',
      summary: 'Who signs an app for devices, with which certificate and lineage',
      query: shape({ appId: Id }),
      answer: SigningKey,
    },
    putSigningKey: {
      method: 'PUT',
      path: '/signing-key',
      who: 'cp',
      may: 'signing.manage',
      transaction: false,
      bodyLimit: 512 * 1024,
      summary: 'Has the store make, take over, rotate or discard the key that signs an app for devices',
      body: shape({
        appId: Id,
        action: oneOf(['GENERATE', 'IMPORT', 'ROTATE', 'DISCARD']),
        /** Of a key that is made: RSA4096 unless said. */
        algorithm: optional(oneOf(keyKinds)),
        /** A JWE of the key to import; see docs/signing.md. */
        encryptedKey: optional(text(limits.importLength)),
        revision: optional(Revision),
      }),
      answer: SigningKey,
    },
  },
})

export type SigningView = Static<typeof SigningKey>
export type UploadCertificateView = Static<typeof UploadCertificate>
export type CertificateView = Static<typeof Certificate>
