/** What a root vouches for. */
export const trustPurposes = ['HARMONY', 'AUTHENTICODE'] as const
export type TrustPurpose = (typeof trustPurposes)[number]

export const trustVerdicts = ['TRUSTED', 'UNKNOWN_ROOT', 'EXPIRED'] as const
export type TrustVerdict = (typeof trustVerdicts)[number]

export const trustLimits = { pemLength: 200_000, rootsOfPurpose: 200 } as const

const purposes: Readonly<Record<string, TrustPurpose>> = {
  HAP: 'HARMONY',
  HSP: 'HARMONY',
  APP: 'HARMONY',
  EXE: 'AUTHENTICODE',
}

/** Which roots vouch for packages of a kind; null where none are asked. */
export function purposeOf(kind: string): TrustPurpose | null {
  return purposes[kind] ?? null
}
