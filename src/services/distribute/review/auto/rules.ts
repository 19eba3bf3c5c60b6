export const autoLimits = { cleanDays: 3650, usualCleanDays: 90, usualSamplePercent: 20 } as const

export interface AutoRules {
  isOn: boolean
  passesListings: boolean
  passesUpdates: boolean
  cleanDays: number
  samplePercent: number
}

/** As they are until staff change them: the store looks at everything. */
export const usualRules: AutoRules = {
  isOn: false,
  passesListings: true,
  passesUpdates: true,
  cleanDays: autoLimits.usualCleanDays,
  samplePercent: autoLimits.usualSamplePercent,
}

export const autoReasons = ['listingOnly', 'samePermissions', 'sameLibraries', 'sameSigner', 'cleanRecord'] as const
export type AutoReason = (typeof autoReasons)[number]

/** What an update looks like beside what is on shelf. */
export interface Update {
  /** Of the automatic checks, on version and package. */
  findings: number
  isSamePackage: boolean
  /** Null where the package is the same. */
  difference: {
    permissions: { added: readonly string[]; removed: readonly string[] }
    sdks: { added: readonly string[]; removed: readonly string[] }
    signer: { isSame: boolean }
  } | null
  /** The team: accepted something at least so many days ago, and had nothing rejected since. */
  cleanDays: number
}

const isUnchanged = (set: { added: readonly string[]; removed: readonly string[] }) =>
  set.added.length + set.removed.length === 0

/** Why an update may pass without a look; null when somebody must look. */
export function reasonsToPass(rules: AutoRules, update: Update): AutoReason[] | null {
  if (!rules.isOn || update.findings > 0 || update.cleanDays < rules.cleanDays) return null
  if (update.isSamePackage) return rules.passesListings ? ['listingOnly', 'cleanRecord'] : null
  const { difference } = update
  if (!rules.passesUpdates || !difference) return null
  if (!isUnchanged(difference.permissions) || !isUnchanged(difference.sdks) || !difference.signer.isSame) return null
  return ['samePermissions', 'sameLibraries', 'sameSigner', 'cleanRecord']
}
