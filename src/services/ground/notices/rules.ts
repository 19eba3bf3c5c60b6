export const categories = ['security', 'billing', 'review', 'operations', 'marketing'] as const
export type Category = (typeof categories)[number]

export const channels = ['inbox', 'email', 'sms', 'push'] as const
export type Channel = (typeof channels)[number]

export const digests = ['off', 'daily', 'weekly'] as const
export type Digest = (typeof digests)[number]

export const languages = ['zh', 'en', 'ru'] as const
export type Language = (typeof languages)[number]
export type LocalText = Readonly<Record<Language, string>>

/** What a person chose where it differs from the usual: `review.email` to whether it is on. */
export type Cells = Readonly<Partial<Record<`${Category}.${Channel}`, boolean>>>

export interface DigestChoice {
  digest: Digest
  /** Local time of day, `09:00`. */
  digestAt: string
  /** IANA name. */
  timeZone: string
}

export const limits = {
  titleLength: 200,
  textLength: 2_000,
  /** Notices are kept for so long. */
  keptDays: 180,
  /** Mails that one job sends. */
  mailsOfJob: 50,
  /** Notices that one digest shows; the others are counted. */
  shownInDigest: 50,
} as const

export const usualDigest: DigestChoice = { digest: 'off', digestAt: '09:00', timeZone: 'UTC' }

/** Nobody can turn these off: they tell of the account's safety and of money. */
const mandatory: Readonly<Partial<Record<Category, readonly Channel[]>>> = {
  security: ['inbox', 'email'],
  billing: ['email'],
}

/** Channels nothing stands behind yet. */
export const missingChannels: readonly Channel[] = ['sms', 'push']

export function isLocked(category: Category, channel: Channel): boolean {
  return mandatory[category]?.includes(channel) ?? false
}

/** Whether a channel carries a category for somebody with these choices. */
export function isOn(cells: Cells, category: Category, channel: Channel): boolean {
  if (missingChannels.includes(channel)) return false
  return isLocked(category, channel) || (cells[`${category}.${channel}`] ?? category !== 'marketing')
}

/** What cannot be turned off does not wait for a digest either. */
export function waitsForDigest(digest: Digest, category: Category): boolean {
  return digest !== 'off' && !isLocked(category, 'email')
}

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
