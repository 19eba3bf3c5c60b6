/** Name of a group: words that people read. */
export const groupLimits = { groups: 100, members: 50, releases: 100, name: 63, description: 512 } as const

export interface Wanted {
  functionId: string
  functionName: string
  version: string
}

/** A member with where its alias leads now, and its newest published version. */
export interface Member {
  functionId: string
  functionName: string
  /** Null where the alias is not there yet. */
  version: string | null
  newest: string | null
}

/** What a release is asked for: versions by name of function, those of an older release, or the newest of all. */
export type Choice =
  | { kind: 'named'; versions: Readonly<Record<string, string>> }
  | { kind: 'again'; versions: readonly Wanted[] }
  | { kind: 'newest' }

/** A name that no member has; null when all have. */
export function strangerIn(members: readonly Member[], choice: Choice): string | null {
  if (choice.kind !== 'named') return null
  const names = new Set(members.map(one => one.functionName))
  return Object.keys(choice.versions).find(name => !names.has(name)) ?? null
}

/**
 * The version that each member gets: what is chosen for it; else what it has; else the newest. A member that has none of
 * them gets null: nothing of it was ever published.
 */
export function planOf(
  members: readonly Member[],
  choice: Choice,
): (Omit<Wanted, 'version'> & { version: string | null })[] {
  const again = choice.kind === 'again' ? new Map(choice.versions.map(one => [one.functionId, one.version])) : null
  return members.map(({ functionId, functionName, version, newest }) => {
    const chosen = choice.kind === 'named' ? choice.versions[functionName] : again?.get(functionId)
    return { functionId, functionName, version: chosen ?? (choice.kind === 'newest' ? newest : (version ?? newest)) }
  })
}
