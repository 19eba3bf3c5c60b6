export const rollbackModes = ['STOP', 'RESTORE', 'ROLL_FORWARD'] as const
export type RollbackMode = (typeof rollbackModes)[number]

export const rollbackLimits = {
  days: 90,
  ms: 90 * 86_400_000,
  /** What Android takes of one half; with two halves the developer builds. */
  highestCode: 2_100_000_000n,
  reasonMin: 10,
  reasonMax: 500,
} as const

/** Where devices stand when a version turns out bad; newcomers are with those that have an older one. */
export const deviceGroups = ['updated', 'offered', 'old'] as const
export type DeviceGroup = (typeof deviceGroups)[number]

/**
 * What a group gets: `stuck` keeps the bad one until a higher version code comes, for no lower one installs over it;
 * `target` is offered what takes its place; `forward` the older build again under a higher code.
 */
export type RollbackEffect = 'stuck' | 'target' | 'forward'

/** Distribution 3.12. What was offered and not installed cannot be fetched any more, so the next question gets the target. */
export const rollbackEffects: Readonly<Record<RollbackMode, Readonly<Record<DeviceGroup, RollbackEffect>>>> = {
  STOP: { updated: 'stuck', offered: 'target', old: 'target' },
  RESTORE: { updated: 'stuck', offered: 'target', old: 'target' },
  ROLL_FORWARD: { updated: 'forward', offered: 'target', old: 'target' },
}

/** Whose data no older build can read nobody is led back from; a phased one may be stopped, for the full one stands beside it. */
export function mayGoBack(
  { noDowngrade, state }: { noDowngrade: boolean; state: string },
  mode: RollbackMode,
): boolean {
  return !noDowngrade || (mode === 'STOP' && state === 'PHASED')
}

/** How the older build is called when it comes again under a higher code; one that came so already is counted on. */
export function forwardName(versionName: string): string {
  const [, plain = versionName, times = '0'] = /^(.*)\+rb(\d{1,3})$/.exec(versionName) ?? []
  return `${plain}+rb${Number(times) + 1}`
}

export const forwardStates = ['BUILDING', 'DONE', 'FAILED', 'DROPPED'] as const

/** A version that left the shelf this long ago was reviewed too long ago to return without a review. */
export function isRecentEnough(offShelfAt: number | null, now: number): boolean {
  return offShelfAt !== null && now - offShelfAt < rollbackLimits.ms
}

/** Whether installed copies of one are updated by the other: the same certificates, in whatever order. */
export function isSameSigner(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every(signer => other.includes(signer))
}
