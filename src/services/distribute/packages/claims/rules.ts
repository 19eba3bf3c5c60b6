import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const claimStates = ['PROVING', 'NOTICE', 'OBJECTED', 'REVIEW', 'GRANTED', 'REFUSED', 'CANCELED'] as const
export type ClaimState = (typeof claimStates)[number]

export const claimMethods = ['SIGNATURE', 'DOMAIN', 'DOCUMENT'] as const
export type ClaimMethod = (typeof claimMethods)[number]

/** What somebody who wants a name is told of it. */
export const nameStates = ['FREE', 'HELD', 'YOURS', 'RESERVED'] as const

export const claimLimits = {
  /** The holder has this long to object. */
  noticeMs: 7 * 86_400_000,
  evidenceLength: 2000,
  reasonMin: 10,
  proofBytes: 256 * 1024 ** 2,
  provingMs: 10 * 60_000,
  domainMs: 15_000,
} as const

/** Files that may hold the challenge; those in META-INF only where a signature covers them. */
export const challengeFiles = {
  always: ['assets/agc-claim', 'resources/rawfile/agc-claim'],
  whereCovered: ['META-INF/agc-claim'],
} as const

/**
 * The domains whose owner a package name is of, by its form: `com.example.app` is of example.com, and of app.example.com.
 * The shortest first; a name with one part has none, for nobody owns `com`.
 */
export function domainsOf(packageName: string): string[] {
  const labels: string[] = []
  for (const label of packageName.toLowerCase().split('.')) {
    if (!/^[a-z0-9]{1,63}$/.test(label)) break
    labels.push(label)
  }
  return labels.slice(1).map((_label, at) =>
    labels
      .slice(0, at + 2)
      .reverse()
      .join('.'),
  )
}

/** Where an owner shows the challenge: as a TXT record, or in a line of a file. */
export function domainProof(domain: string, challenge: string) {
  return {
    recordName: `_loggia-claim.${domain}`,
    recordValue: `loggia-claim=${challenge}`,
    fileUrl: `https://${domain}/.well-known/loggia-claim.txt`,
  }
}

export const claimCycle = lifeCycle({
  entity: 'claim',
  states: claimStates,
  moves: [
    { from: ['PROVING'], action: 'verify', to: 'NOTICE', may: 'system', event: 'claim.verified' },
    { from: ['NOTICE'], action: 'object', to: 'OBJECTED', may: 'packages.upload', event: 'claim.objected' },
    { from: ['NOTICE'], action: 'review', to: 'REVIEW', may: 'system', event: 'claim.reviewed' },
    { from: ['PROVING', 'NOTICE'], action: 'pass', to: 'GRANTED', may: 'system', event: 'claim.granted' },
    {
      from: ['OBJECTED', 'REVIEW'],
      action: 'grant',
      to: 'GRANTED',
      may: 'store.operate',
      needs: ['isOffShelf'],
      event: 'claim.granted',
    },
    { from: ['OBJECTED', 'REVIEW'], action: 'refuse', to: 'REFUSED', may: 'store.operate', event: 'claim.refused' },
    {
      from: ['PROVING', 'NOTICE', 'OBJECTED', 'REVIEW'],
      action: 'withdraw',
      to: 'CANCELED',
      may: 'packages.upload',
      event: 'claim.canceled',
    },
  ],
})

/** Why a proof proves nothing; null when it does. */
export function proofProblem(proof: {
  isVerified: boolean
  packageName: string | null
  wantedName: string
  signers: readonly string[]
  expectedSigners: readonly string[]
  hasChallenge: boolean
}): 'SIGNATURE' | 'NAME' | 'SIGNER' | 'CHALLENGE' | null {
  const { isVerified, packageName, wantedName, signers, expectedSigners, hasChallenge } = proof
  if (!isVerified || signers.length === 0) return 'SIGNATURE'
  if (packageName?.toLowerCase() !== wantedName.toLowerCase()) return 'NAME'
  if (!signers.some(one => expectedSigners.includes(one))) return 'SIGNER'
  return hasChallenge ? null : 'CHALLENGE'
}
