const day = 86_400_000

export const groupKinds = ['INTERNAL', 'EXTERNAL'] as const
export type GroupKind = (typeof groupKinds)[number]

export const userStates = ['ADDED', 'INVITED', 'ACCEPTED', 'DECLINED', 'REMOVED', 'UNSUBSCRIBED'] as const
export type UserState = (typeof userStates)[number]
/** Those who get what their group tests. */
export const entitledStates = ['ADDED', 'INVITED', 'ACCEPTED'] as const

export const limits = {
  nameLength: 50,
  nicknameLength: 64,
  accountLength: 254,
  groups: { INTERNAL: 100, EXTERNAL: 300 },
  /** Different people over all groups of an app. */
  users: 10_000,
  usersAtOnce: 100,
  groupsAtOnce: 20,
  /** Somebody who left by himself is not added again before. */
  leftMs: 30 * day,
  importRows: 1_000,
  importLength: 400_000,
  importMs: 30 * 60_000,
  /** The addresses of an import are kept so long for its report. */
  importKeptMs: 30 * day,
  mailMs: 30 * 60_000,
  /** An invitation and a link live so long at most. */
  inviteMs: 30 * day,
  /** Nobody is invited again before. */
  inviteAgainMs: day,
  linkPeople: 10_000,
  /** Who asked to join by a link answers the mail before. */
  joinMs: day,
  joinPauseMs: 5 * 60_000,
  /** Mails to one address in a day, over all links of a zone. */
  joinMailsOfAddress: 5,
  /** People who asked to join by one link and have not answered the mail. */
  joinsOpen: 500,
} as const

/** A phone number as it is kept and compared, `+` with the code of the country; null for anything else. */
export function phoneOf(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/[\s\u00a0().-]/g, '')
  const found = /^(?:\+|00)([1-9][0-9]{6,14})$/.exec(plain)
  return found ? `+${found[1]}` : null
}

/** Whether somebody is known by a phone number; mail addresses have no `+` at their beginning here. */
export const isPhone = (account: string) => account.startsWith('+') && !account.includes('@')

export const isEntitled = (state: UserState) => (entitledStates as readonly UserState[]).includes(state)

/** Whether somebody who was in the group may be added again: not for 30 days after he left by himself. */
export function mayReturn(user: { state: UserState; updatedAt: number }, now: number): boolean {
  return user.state !== 'UNSUBSCRIBED' || now - user.updatedAt >= limits.leftMs
}

/** Whether an invitation still opens what it was sent for; what was accepted does not end. */
export function isInvitationOpen(user: { state: UserState; invitedAt: number | null }, now: number): boolean {
  return isEntitled(user.state) && !(user.state === 'INVITED' && now - (user.invitedAt ?? 0) >= limits.inviteMs)
}

/** Whether somebody is mailed when his group is invited: who was not yet, or did not answer for a day. */
export function isToInvite(user: { state: UserState; invitedAt: number | null }, now: number): boolean {
  if (user.state === 'ADDED') return true
  return user.state === 'INVITED' && now - (user.invitedAt ?? 0) >= limits.inviteAgainMs
}
