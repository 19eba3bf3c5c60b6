import { service } from '../../../../kernel/contract.ts'
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
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { certActions, certStates, certTypeNumbers, limits, permissions } from '../rules.ts'

const CertType = Type.Integer({ enum: certTypeNumbers })
const Name = Type.String({
  minLength: 1,
  maxLength: limits.certNameLength,
  pattern: '^(?=.*\\S)[^\\p{Cc}]+$',
  examples: ['Release'],
})
const User = shape({
  id: Id,
  provisionName: text(limits.profileNameLength),
  appId: Id,
  appName: text(64),
  /** The version on shelf is signed with the certificate. */
  isOnShelf: flag(),
})

const Cert = shape({
  certId: Id,
  certName: text(limits.certNameLength),
  certType: CertType,
  state: oneOf(certStates),
  subject: text(300),
  /** Hex. */
  serial: text(64),
  /** Of the certificate: the fingerprint by which apps are known. */
  sha256: text(64),
  csrSha256: text(64),
  createTime: Instant,
  expireTime: Instant,
  revokeTime: nullable(Instant),
  /** The profiles that were made with it. */
  usedByProfiles: list(User),
  revision: Revision,
  allowedActions: list(oneOf(certActions)),
})

export const certsContract = service({
  name: 'distribute/harmony',
  prefix: '/cps/harmony-cert-manage/v1',
  zone: 'current',
  permissions,
  errors: {
    certLimit: [
      204144765,
      422,
      'The team has {limit} valid certificates of type {certType} already; revoke one that is no longer needed.',
    ],
    csrInvalid: [204144766, 422, 'The signing request cannot be taken: {reason}.'],
    certName: [204144767, 409, 'The team has a valid certificate called {certName} already; choose another certName.'],
    certOnShelf: [
      202150001,
      422,
      'A version on shelf is signed with {certName}: {apps}. Release one with another certificate first, or let a leader send force.',
    ],
  },
  calls: {
    createCert: {
      method: 'POST',
      path: '/cert',
      who: 'cp',
      may: 'harmony.edit',
      summary:
        'Issues a certificate for the key of a signing request; whom the request says it is of counts for nothing',
      body: shape({ certName: Name, certType: CertType, csr: text(limits.csrLength, 1) }),
      answer: Cert,
    },
    revokeCert: {
      method: 'DELETE',
      path: '/cert',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Revokes a certificate; profiles that were made with it become invalid',
      query: shape({ certId: Id, force: optional(flag()) }),
      answer: Cert,
    },
    listCerts: {
      method: 'POST',
      path: '/cert/list',
      who: 'cp',
      may: 'harmony.read',
      summary: 'Certificates of the team, or those that profiles of an app were made with, the newest first',
      body: shape({
        certId: optional(Id),
        appId: optional(Id),
        certType: optional(CertType),
        state: optional(oneOf(certStates)),
        search: optional(text(limits.certNameLength)),
        ...PageQuery,
      }),
      answer: shape({
        ...pageOf(Cert).properties,
        /** How many more can be issued of each type. */
        left: list(shape({ certType: CertType, count: integer(0, limits.certsOfType) })),
      }),
    },
    downloadCert: {
      method: 'GET',
      path: '/cert/download',
      who: 'cp',
      may: 'harmony.read',
      kind: 'download',
      summary: 'A certificate with those that vouch for it, up to the root, as a .cer of PEM',
      query: shape({ certId: Id }),
    },
    downloadRoot: {
      method: 'GET',
      path: '/root',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      zone: 'home',
      summary: 'The root that every certificate and profile of this installation leads to, as PEM',
    },
    downloadRevocations: {
      method: 'GET',
      path: '/crl',
      who: 'anonymous',
      may: 'none',
      kind: 'download',
      zone: 'home',
      summary: 'The certificates that were revoked and would still run, as a CRL in DER, good for a week',
      query: shape({ authorityId: optional(Id) }),
    },
  },
})

export type CertView = Static<typeof Cert>
