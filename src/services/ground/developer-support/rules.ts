export const contactStates = ['VERIFIED', 'WAITING', 'USED_UP', 'EXPIRED'] as const
export type ContactState = (typeof contactStates)[number]

interface Proof {
  verifiedAt: number | null
  expiresAt: number
  triesLeft: number
}

/** How far a contact is proven: a code waits until it was used, tried too often, or is too old. */
export function stateOf({ verifiedAt, expiresAt, triesLeft }: Proof, now: number): ContactState {
  if (verifiedAt !== null) return 'VERIFIED'
  if (expiresAt <= now) return 'EXPIRED'
  return triesLeft > 0 ? 'WAITING' : 'USED_UP'
}

export const limits = {
  codeMs: 10 * 60_000,
  everyMs: 60_000,
  tries: 5,
  /** Addresses of one team that wait or are proven. */
  contacts: 50,
} as const
