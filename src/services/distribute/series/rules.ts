export const seriesModes = ['DOUBLE', 'SINGLE'] as const
export type SeriesMode = (typeof seriesModes)[number]
export const memberRoles = ['MAIN', 'SUB'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Whom the public sees an app: nobody, testers, a share of devices, everybody. */
export const privatePhases = ['NONE', 'CLOSED', 'PHASED', 'PUBLIC'] as const
export type PrivatePhase = (typeof privatePhases)[number]

export const limits = { membersOfSeries: 10, seriesOfTeam: 200, nameLength: 64, appsAtOnce: 50 } as const

/** Editions for HarmonyOS, to which people are moved over. */
export const harmonyTypes: readonly string[] = ['HARMONY', 'ATOMIC_SERVICE']

export interface Edition {
  appId: string
  packageType: string
  deviceTypes: readonly number[]
  role: MemberRole
}

/** Another edition for the same kind of package on a device of the same type: people could not tell which is theirs. */
export function clashOf(members: readonly Edition[]): [Edition, Edition] | null {
  for (const [at, one] of members.entries()) {
    for (const other of members.slice(at + 1)) {
      const isShared = one.deviceTypes.some(type => other.deviceTypes.includes(type))
      if (one.packageType === other.packageType && isShared) return [one, other]
    }
  }
  return null
}

/** Where a member is offered and the main one is not: the page of the series would miss there. */
export function uncovered(main: readonly string[], member: readonly string[]): string[] {
  return member.filter(country => !main.includes(country))
}

/** What the public sees of an app, so that a page hides what nobody can have. */
export function phaseOf(reach: { isOnShelf: boolean; phasedBp: number | null; isTested: boolean }): PrivatePhase {
  if (reach.isOnShelf) return reach.phasedBp === null ? 'PUBLIC' : 'PHASED'
  return reach.isTested ? 'CLOSED' : 'NONE'
}
