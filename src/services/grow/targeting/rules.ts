/** Bounds that the contract, the handlers and the forms share. */
export const limits = {
  nameLength: 100,
  textLength: 500,
  codePattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$',
  ruleSets: 500,
  audiences: 500,
  rulesOfSet: 200,
  payloadChars: 10_000,
  versions: 300,
  attributes: 500,
  members: 1_000_000,
  unitLength: 256,
  previewUsers: 10_000,
  previewSeconds: 5,
} as const

export const audienceTypes = ['DYNAMIC', 'STATIC'] as const
export type AudienceType = (typeof audienceTypes)[number]

/** `realtime` keeps no members: the rule is asked about the context at hand. */
export const refreshes = ['15m', '1h', '1d', 'realtime', 'manual'] as const
export type Refresh = (typeof refreshes)[number]

const minute = 60_000
const every: Partial<Record<Refresh, number>> = { '15m': 15 * minute, '1h': 60 * minute, '1d': 1440 * minute }

/** When a dynamic audience is to be made anew; null where the clock does not do it. */
export function nextRefreshAt(refresh: Refresh, from: number): number | null {
  const length = every[refresh]
  return length === undefined ? null : from + length
}

export const uploadModes = ['REPLACE', 'ADD', 'REMOVE'] as const
export type UploadMode = (typeof uploadModes)[number]

/** The attributes of a context that name who is asked about, the first that is there counts; members are kept by it. */
export const unitAttributes = ['userId', 'targetingKey', 'deviceId'] as const

/** What is known of every user of an app; claims of users come beside them under their own names. */
export const userAttributes = [
  'userId',
  'email',
  'isEmailVerified',
  'phone',
  'displayName',
  'isAnonymous',
  'createdAt',
  'lastSignInAt',
] as const

/**
 * The bounds of a share with a confidence of 95 %, by Wilson's score interval. `matched` of `sampled`, from 0 to 1.
 */
export function shareBounds(matched: number, sampled: number): { low: number; high: number } {
  if (sampled === 0) return { low: 0, high: 1 }
  const z = 1.959964
  const share = matched / sampled
  const base = 1 + z ** 2 / sampled
  const middle = (share + z ** 2 / (2 * sampled)) / base
  const half = (z * Math.sqrt((share * (1 - share)) / sampled + z ** 2 / (4 * sampled ** 2))) / base
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}
