/**
 * What pages make of hints: cookies and stored values. For display only; the server never decides by any of it
 * (specification, sections 3, 6 and 9).
 */

/** Leader is who has no user id or one equal to the team's; without a team id the main user id decides, and without that it is the leader. */
export function isLeaderByHints(hints: { teamId?: string; uid?: string; mainUserId?: string }): boolean {
  const decides = hints.teamId || hints.mainUserId
  return !decides || !hints.uid || hints.uid === decides
}

/** The team's user type; where that is 0, or none, the account's. */
export function userTypeOf(teamUserType: number | undefined, userType: number): number {
  return teamUserType || userType
}

export const greyCookie = 'x-hd-grey'
const greyMark = 'agcGreyFlag-1'

/** 1 when the cookie x-hd-grey contains agcGreyFlag-1. Takes all cookies as `document.cookie` and the header have them. */
export function greyFlagOf(cookies: string): 0 | 1 {
  const found = cookies.split(/;\s*/).find(pair => pair.startsWith(`${greyCookie}=`))
  return found?.includes(greyMark) ? 1 : 0
}

const longestSegment = 200

/**
 * The last segment of a hash: the id of a page or service. What follows `?` and slashes at the end are no part of it;
 * an over-long one is none, and one that cannot be decoded stays as it is.
 */
export function lastHashSegment(hash: string): string | undefined {
  const path = hash
    .slice(0, 4_000)
    .replace(/[?&].*$/s, '')
    .replace(/\/+$/, '')
  const segment = path.slice(path.lastIndexOf('/') + 1).replace(/^#/, '')
  if (segment === '' || segment.length > longestSegment) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The customer id people see: a number below 1,000,000 gets 2,000,000 added, one from 1,000,001 to 9,999,999 gets
 * 1,000,000 subtracted, others stay; in front of it a C. Two accounts can have the same (500000 and 3500000), so it is
 * never a key. `id` is a decimal string.
 */
export function customerId(id: string): string {
  const value = BigInt(id)
  if (value < 1_000_000n) return `C${value + 2_000_000n}`
  if (value > 1_000_000n && value <= 9_999_999n) return `C${value - 1_000_000n}`
  return `C${value}`
}
