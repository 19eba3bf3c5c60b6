import { service } from '../../../../kernel/contract.ts'
import {
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
  text,
} from '../../../../kernel/shape.ts'
import { places } from '../contract.ts'
import { claimLimits, claimMethods, claimStates, nameStates } from './rules.ts'

const PackageName = pattern('^[A-Za-z][A-Za-z0-9_.]{2,254}$', 255, 'com.example.app')
const Reason = text(claimLimits.evidenceLength, claimLimits.reasonMin)
const ObjectId = text(200, 1)

export const Claim = shape({
  claimId: Id,
  packageType: text(40),
  packageName: text(255),
  /** Which side the caller is on. */
  side: oneOf(['CLAIMANT', 'HOLDER', 'STORE']),
  appId: nullable(Id),
  method: oneOf(claimMethods),
  /** Whose owner the claimant says to be; only with method DOMAIN. */
  domain: nullable(text(253)),
  /** Only for who claims: what the proof must hold, and who must have signed it. */
  challenge: nullable(text(100)),
  expectedSigners: list(text(64)),
  proof: nullable(shape({ signers: list(text(64)), reason: nullable(text(40)) })),
  evidence: text(claimLimits.evidenceLength),
  objectId: nullable(ObjectId),
  objection: nullable(text(claimLimits.evidenceLength)),
  verdict: nullable(text(claimLimits.evidenceLength)),
  state: oneOf(claimStates),
  noticeUntil: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(['object', 'withdraw', 'grant', 'refuse'])),
})

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload', 'store.operate'],
  errors: {
    notNeeded: [202020020, 422, 'The package name {packageName} is {state}; nobody has to be asked for it.'],
    openExists: [202020021, 409, 'Your team claims {packageName} already; withdraw that claim first.'],
    noCertificate: [
      202020022,
      422,
      'The store knows no certificate of {packageName}; claim it with documents (method DOCUMENT).',
    ],
    evidenceMissing: [202020023, 422, 'Say in evidence what shows that {packageName} is yours.'],
    otherName: [202020024, 422, 'The app has accepted packages as {packageName}; claim with an app that has none yet.'],
    otherDomain: [202020027, 422, 'The owner of {domain} has no say in {packageName}; choose one of: {domains}.'],
    packageMissing: [202020028, 422, 'Hand in the signed package: this claim is by signature.'],
    noProofWanted: [202020025, 422, 'This claim waits for no proof now: it is {state}.'],
    onShelf: [202020026, 422, 'The holder has {packageName} on shelf; take it off the shelf before the name moves.'],
  },
  calls: {
    checkName: {
      method: 'POST',
      path: '/claim/app/check',
      who: 'cp',
      may: 'packages.read',
      summary: 'Whether a package name is free, yours, reserved or held, and how it can be claimed',
      body: shape({ packageType: text(40, 1), packageName: PackageName }),
      answer: shape({
        state: oneOf(nameStates),
        /** The end of the holder's team id, to tell two holders apart and nothing else. */
        holderMasked: nullable(text(20)),
        reservedUntil: nullable(Instant),
        methods: list(oneOf(claimMethods)),
        /** Whose owners may claim it by DOMAIN. */
        domains: list(text(253)),
      }),
    },
    createClaim: {
      method: 'POST',
      path: '/claim/app/package',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Claims a package name for an app; the answer says what to sign, or what to publish at the domain',
      body: shape({
        appId: Id,
        packageName: PackageName,
        method: optional(oneOf(claimMethods)),
        evidence: optional(text(claimLimits.evidenceLength)),
        domain: optional(text(253, 3)),
      }),
      answer: Claim,
    },
    proveClaim: {
      method: 'PUT',
      path: '/claim/app/package',
      who: 'cp',
      may: 'packages.upload',
      summary:
        'Hands in the proof: a package of that name that holds the challenge and is signed with the known key; or has the domain looked at',
      body: shape({ claimId: Id, objectId: optional(ObjectId) }),
      answer: shape({ ...Claim.properties, taskId: Id }),
    },
    listClaims: {
      method: 'GET',
      path: '/claim/app/package',
      who: 'cp',
      may: 'packages.read',
      summary: 'Claims of the team and claims against it, the newest first',
      query: shape({ claimId: optional(Id), ...PageQuery }),
      answer: pageOf(Claim),
    },
    withdrawClaim: {
      method: 'DELETE',
      path: '/claim/app/package',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Withdraws a claim that is not decided',
      query: shape({ claimId: Id }),
      answer: Claim,
    },
    objectToClaim: {
      method: 'PUT',
      path: '/claim/app/objection',
      who: 'cp',
      may: 'packages.upload',
      summary: 'Objects to a claim of a name that the team holds; the store decides then',
      body: shape({ claimId: Id, reason: Reason, revision: optional(Revision) }),
      answer: Claim,
    },
  },
} as const

export const claims = service({ ...shared, prefix: places.all })
export const atomicClaims = service({ ...shared, prefix: places.atomic })

/** What the store decides. */
export const claimDesk = service({
  ...shared,
  prefix: places.all,
  calls: {
    listOpenClaims: {
      method: 'GET',
      path: '/manage/claim/list',
      who: 'manage',
      may: 'store.operate',
      summary: 'Claims that wait for the store, the oldest first',
      query: shape({ state: optional(oneOf(claimStates)), ...PageQuery }),
      answer: pageOf(
        shape({ ...Claim.properties, claimantTeamId: Id, holderTeamId: nullable(Id), ageMs: integer(0, 1e15) }),
      ),
    },
    decideClaim: {
      method: 'PUT',
      path: '/manage/claim',
      who: 'manage',
      may: 'store.operate',
      summary: 'Grants a claim, so that the name moves, or refuses it',
      body: shape({ claimId: Id, verdict: oneOf(['grant', 'refuse']), note: Reason, revision: Revision }),
      answer: Claim,
    },
  },
})
