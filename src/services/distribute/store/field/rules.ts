/** What a device says happened to a version on it. */
export const outcomes = ['installed', 'updated', 'failed', 'uninstalled'] as const
export type Outcome = (typeof outcomes)[number]

export const deviceClasses = ['phone', 'tablet', 'watch', 'tv', 'car', 'vision', 'other'] as const

/** Why an installation failed, in the words of package installers. */
export const failureReasons = [
  'storage',
  'signature',
  'incompatible',
  'downgrade',
  'invalid',
  'network',
  'blocked',
  'aborted',
  'other',
] as const

export const breakdowns = ['country', 'deviceClass', 'reason'] as const
export const periods = [7, 30, 90] as const

/** By how much an outcome changes the number of devices that have the version itself. */
export function changeOf(outcome: Outcome): number {
  return outcome === 'failed' ? 0 : outcome === 'uninstalled' ? -1 : 1
}

/** Days of a report that is counted: older ones, from devices that were long offline, count for today. */
export const reportDays = 7
/** How long a report's name is remembered, so that one sent again is not counted again. */
export const keptReportDays = 30
/** How long it is remembered which device fetched which version. */
export const keptDownloadDays = 90
/** Where the country was not said. */
export const unknownCountry = 'ZZ'
