export const rollbackModes = ['STOP', 'RESTORE', 'ROLL_FORWARD'] as const

export const rollbackLimits = {
  days: 90,
  ms: 90 * 86_400_000,
  reasonMin: 10,
  reasonMax: 500,
} as const

/** A version that left the shelf this long ago was reviewed too long ago to return without a review. */
export function isRecentEnough(offShelfAt: number | null, now: number): boolean {
  return offShelfAt !== null && now - offShelfAt < rollbackLimits.ms
}

/** Whether installed copies of one are updated by the other: the same certificates, in whatever order. */
export function isSameSigner(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(signer => other.includes(signer))
}
