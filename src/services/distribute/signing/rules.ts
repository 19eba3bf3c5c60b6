import { lifeCycle } from '../../../kernel/life-cycle.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const limits = {
  /** How long a new upload certificate waits, so that whose key was not lost sees it in time. */
  resetMs: 48 * hourMs,
  rotationMs: 365 * dayMs,
  rsaBits: 2048,
  /** Google's floor: devices refuse an update whose certificate ran out. */
  certificateMs: 25 * 365 * dayMs,
  /** How long what a page was given to encrypt an import with may be used. */
  importMs: 30 * 60_000,
  pemLength: 20_000,
  importLength: 200_000,
  passwordLength: 200,
} as const

export const profileStates = ['NONE', 'DEVELOPER', 'STORE'] as const
export type ProfileState = (typeof profileStates)[number]
export type ProfileAction = 'pin' | 'bundle' | 'generate' | 'import' | 'rotate' | 'discard'
/** `isNew`: no device has a version that somebody else's key signed; `isCalm`: nor is one under way to devices. */
export type ProfileFact = 'isNew' | 'isCalm' | 'isRotationDue' | 'isUnused' | 'hasDeveloperKey'

/**
 * Who signs what devices get. Nothing leads from STORE back once the store's key signed a package that was accepted: from
 * then on it may be on shelf at any time.
 */
export const profileCycle = lifeCycle<ProfileState, ProfileAction, ProfileFact>({
  entity: 'signing',
  states: profileStates,
  moves: [
    { from: ['NONE'], action: 'pin', to: 'DEVELOPER', may: 'system', event: 'signing.mode.changed' },
    { from: ['NONE', 'DEVELOPER'], action: 'bundle', to: 'STORE', may: 'system', event: 'signing.mode.changed' },
    {
      from: ['NONE', 'DEVELOPER'],
      action: 'generate',
      to: 'STORE',
      may: 'signing.manage',
      needs: ['isNew', 'isCalm'],
      event: 'signing.mode.changed',
    },
    {
      from: ['NONE', 'DEVELOPER'],
      action: 'import',
      to: 'STORE',
      may: 'signing.manage',
      event: 'signing.mode.changed',
    },
    {
      from: ['STORE'],
      action: 'rotate',
      to: 'STORE',
      may: 'signing.manage',
      needs: ['isRotationDue'],
      event: 'signing.key.rotated',
    },
    {
      from: ['STORE'],
      action: 'discard',
      to: facts => (facts.hasDeveloperKey ? 'DEVELOPER' : 'NONE'),
      may: 'signing.manage',
      needs: ['isUnused'],
      event: 'signing.mode.changed',
    },
  ],
})

export const uploadStates = ['PENDING', 'ACTIVE', 'REPLACED', 'CANCELED'] as const

/** An upload certificate. The first of an app is in force at once; one that takes its place waits, or a leader approves it. */
export const uploadCycle = lifeCycle({
  entity: 'uploadCertificate',
  states: uploadStates,
  moves: [
    {
      from: ['PENDING'],
      action: 'approve',
      to: 'ACTIVE',
      may: 'signing.approve',
      event: 'signing.upload_cert.changed',
    },
    { from: ['PENDING'], action: 'take', to: 'ACTIVE', may: 'system', event: 'signing.upload_cert.changed' },
    {
      from: ['PENDING'],
      action: 'cancel',
      to: 'CANCELED',
      may: 'signing.manage',
      event: 'signing.upload_cert.changed',
    },
    { from: ['ACTIVE'], action: 'replace', to: 'REPLACED', may: 'system', event: 'signing.upload_cert.changed' },
  ],
})

/** From when on the key may be rotated (again). */
export function nextRotationAt(rotatedAt: number | null): number | null {
  return rotatedAt === null ? null : rotatedAt + limits.rotationMs
}

export interface KeyFacts {
  keyAlgorithm: string
  keyBits: number | null
  notBefore: number
  notAfter: number
}

/** Why a key with its certificate may not sign an app; null when it may. `use` APP also asks for a long life. */
export function weaknessOf(facts: KeyFacts, use: 'UPLOAD' | 'APP', now: number): string | null {
  const { keyAlgorithm, keyBits, notBefore, notAfter } = facts
  if (keyAlgorithm === 'RSA') {
    if ((keyBits ?? 0) < limits.rsaBits)
      return `the RSA key has ${keyBits ?? 0} bits, at least ${limits.rsaBits} are taken`
  } else if (keyAlgorithm !== 'EC') return `keys of kind ${keyAlgorithm} are not taken, RSA and EC are`
  else if ((keyBits ?? 0) < 256) return 'of EC keys P-256, P-384 and P-521 are taken'
  if (notAfter <= now) return 'the certificate ran out'
  if (notBefore > now) return 'the certificate is not valid yet'
  if (use === 'APP' && notAfter - notBefore < limits.certificateMs) {
    return `the certificate is valid for ${Math.floor((notAfter - notBefore) / dayMs)} days, at least 25 years are needed`
  }
  return null
}
