import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, oneOf, optional, PageQuery, pageOf, shape, text } from '../../../../kernel/shape.ts'
import { places } from '../contract.ts'
import { trustLimits, trustPurposes } from './rules.ts'

const Purpose = oneOf(trustPurposes)

const TrustedRoot = shape({
  rootId: Id,
  purpose: Purpose,
  certSha256: text(64),
  subject: text(1000),
  notBefore: Instant,
  notAfter: Instant,
  createdAt: Instant,
})

/** Whose word the store takes for who signed HarmonyOS packages and Windows programs. */
export const trustDesk = service({
  name: 'distribute/packages',
  prefix: places.all,
  zone: 'current',
  permissions: ['store.operate'],
  errors: {
    noCertificate: [
      202020030,
      422,
      'The text holds no certificate in PEM; it begins with -----BEGIN CERTIFICATE-----.',
    ],
    noAuthority: [
      202020031,
      422,
      '{subject} may not issue certificates, so it is no root; send the one that it leads to.',
    ],
    tooManyRoots: [202020032, 422, 'There are {limit} roots for {purpose} already; remove one first.'],
  },
  calls: {
    listTrustedRoots: {
      method: 'GET',
      path: '/manage/trusted-root/list',
      who: 'manage',
      may: 'store.operate',
      summary: 'Certificates that the store trusts as roots, the newest first',
      query: shape({ purpose: optional(Purpose), ...PageQuery }),
      answer: pageOf(TrustedRoot),
    },
    addTrustedRoots: {
      method: 'POST',
      path: '/manage/trusted-root',
      who: 'manage',
      may: 'store.operate',
      bodyLimit: 262_144,
      summary: 'Trusts the certificates of a PEM text as roots; those that are trusted already stay as they are',
      body: shape({ purpose: Purpose, pem: text(trustLimits.pemLength, 1) }),
      answer: shape({ list: list(TrustedRoot) }),
    },
    removeTrustedRoot: {
      method: 'DELETE',
      path: '/manage/trusted-root',
      who: 'manage',
      may: 'store.operate',
      summary: 'Trusts a root no longer; what it vouched for is of an unknown root at once',
      query: shape({ rootId: Id }),
    },
  },
})
