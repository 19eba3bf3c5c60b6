import type { CallSpec } from '../kernel/contract.ts'
import type { MemberScope } from '../kernel/permissions.ts'
import type { ZoneId } from '../kernel/zones.ts'
import type { Caller } from './place.ts'

/** Who a request comes from, as the session service knows it. */
export interface SignedIn {
  accountId: string
  name: string
  sessionId: string
  staffRoles: readonly string[]
  staffPermissions: ReadonlySet<string>
  softExpireAt: number
  /** Nobody signed in: they look around in the demo project and change nothing. */
  isVisitor?: true
  /** What the account may do in a team, or null when it is no active member. */
  membership(teamId: string): Membership | null
}

export interface Membership {
  teamId: string
  siteId: number
  countryCode: string
  permissions: ReadonlySet<string>
  /** Which projects and apps the permissions hold for. */
  scope: MemberScope
  /** Whether the team serves others as a service provider: what the audience `sp` is. */
  isProvider: boolean
}

/** A program that came with a token, as the service of API clients knows it. */
export interface Bearer {
  clientId: string
  name: string
  /** Who answers for the client in the team: what is made is said to be made by this account. */
  accountId: string
  teamId: string
  siteId: number
  zone: ZoneId
  /** What token, client and the account that answers for it all hold. */
  permissions: ReadonlySet<string>
  scope: MemberScope
  /** Whether no program may hold a permission, whoever grants it. */
  isForPersons(permission: string): boolean
}

/** `reason` for people: `expired`, `revoked`, `disabled`. */
export type TokenJudged = { bearer: Bearer } | { bearer: null; reason: string }

/** `reason` as the specification's status texts. */
export type Identified =
  | { signedIn: SignedIn }
  | { signedIn: null; reason: 'getTokenInfo return null' | 'accessToken invalid' }

/**
 * How the frame learns who calls. The session service implements it; the frame knows no service. Answers come from
 * memory on the hot path; a change of session or rights reaches every process by signal.
 */
export interface Gatekeeper {
  start(): void
  identify(sessionToken: string | undefined): Promise<Identified>
  /** Who reads the demo project without a session, or null when the id is not one that visitors may see. */
  visit(productId: string): Promise<SignedIn | null>
  /** What an account may do in a team now, or null; from memory. */
  membershipOf(accountId: string, teamId: string): Promise<Membership | null>
  /** Judges a bearer token, from memory on the hot path. */
  identifyToken(token: string): Promise<TokenJudged>
  /** Checks the double-submit header, or the team-level token with its team. */
  isCsrfRight(signedIn: SignedIn, sent: { csrf?: string; teamCsrf?: string; teamId?: string }): boolean
  /** Refuses a write while the person, or the team in the header, has yet to sign what it needs. */
  assertSigned?(
    signer: Pick<SignedIn, 'accountId' | 'membership'>,
    call: CallSpec,
    teamId: string | undefined,
  ): Promise<void> | undefined
}

export const nobody: Caller = {
  kind: 'anonymous',
  accountId: null,
  name: 'anonymous',
  permissions: new Set(),
  staffRoles: [],
  sessionId: null,
}
