/** Names on the wire, in one place. The specification gives the cookies; the header names are ours. */
export const headers = {
  csrf: 'x-hd-csrf',
  teamCsrf: 'x-hd-team-csrf',
  team: 'teamid',
  /** Names the demo project for somebody who is not signed in (specification, section 2). */
  product: 'productid',
  language: 'x-hd-lang',
  requestId: 'x-request-id',
  authReason: 'x-auth-reason',
  idempotencyKey: 'idempotency-key',
  /** What the publishing API of the field calls the same header. */
  idempotencyKeyAlias: 'x-idempotency-key',
} as const

/** The credential: HttpOnly, never readable by script. With https it carries the `__Host-` prefix. */
export const sessionCookie = 'agc_sid'

/** Written at sign-in for pages to read; display hints that the server never trusts (specification, section 3). */
export const hintCookies = {
  userInfo: 'developer_userinfo',
  uid: 'agc_uid',
  teamId: 'agc_team_id',
  teamSiteId: 'agc_team_siteId',
  teamCountry: 'agc_team_countryCode',
  country: 'agc_country',
  teamUserType: 'agc_team_userType',
  userType: 'agc_userType',
  verifyRealState: 'agc_verifyRealState',
  language: 'agc_lang',
} as const

/** What `developer_userinfo` holds, as URI-encoded JSON (specification, section 3). Times are epoch milliseconds. */
export interface UserInfoCookie {
  mainUserId: string
  siteid: number
  csrftoken: string
  /** Soft expiry. */
  expiretime: number
  /** Hard expiry. */
  expiretime_real: number
}

/** Login defaults of the specification, section 7. */
export const loginDefaults = { clientId: 60992, channel: 89000060, clientType: 89 } as const

/** Session cookie validity: 1 hour, then a refresh is due (specification, section 9). */
export const softLifeMs = 3_600_000
/** After this nothing refreshes; sign in again. */
export const hardLifeMs = 12 * 3_600_000
/** A page reloads if its first request is older (specification, section 9). */
export const pageLifeMs = 21_600_000
/** A logout in progress blocks another (specification, section 9). */
export const logoutBlockMs = 10_000
/** Upload streams go in chunks of this size (specification, section 7). */
export const uploadChunkBytes = 65_536
