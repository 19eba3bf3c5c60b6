import type { MemberScope } from '../kernel/permissions.ts'
import type { ZoneId } from '../kernel/zones.ts'
import type { RowScope } from './database/transaction.ts'

/** Who calls. `system` is a worker or a timer; `anonymous` a device or a visitor. */
export interface Caller {
  kind: 'user' | 'system' | 'anonymous'
  /** Null unless a user. */
  accountId: string | null
  name: string
  /** What the caller may do in the team of the call, or as staff. */
  permissions: ReadonlySet<string>
  /** Roles in the store's own staff; empty for developers. */
  staffRoles: readonly string[]
  sessionId: string | null
  /** The API client that acts with a token in the name of the account. */
  clientId?: string
  /** The key of a project that signed, in the name of the account that made it. */
  keyId?: string
}

/** Functions that led to a call, one after another: how many, and the project of the last one. */
export interface CallChain {
  projectId: string
  hops: number
}

export interface CallPlace {
  caller: Caller
  teamId: string | null
  zone: ZoneId
  scope: RowScope
  /** PostgreSQL itself refuses what would write: a visitor's calls, whatever their method promises. */
  isReadOnly?: true
  /** Which projects and apps of the team the caller may reach; all unless said. */
  memberScope?: MemberScope
  requestId: string
  ip: string | null
  language: 'zh' | 'en'
  /** How long its statements may take, for a call made inside another that has a deadline. */
  timeLeftMs?: number
  /** Where functions led to the call. */
  led?: CallChain
  /** From `If-Match` or the body's `revision`. */
  revision?: number
}

/** `user:7360...`, `client:7361...`, `key:LOG...`, `system:packages.process`, `anonymous`. */
export function actorOf({ caller }: CallPlace): string {
  if (caller.clientId !== undefined) return `client:${caller.clientId}`
  if (caller.keyId !== undefined) return `key:${caller.keyId}`
  if (caller.kind === 'user') return actorOfAccount(caller.accountId ?? '')
  return caller.kind === 'system' ? `system:${caller.name}` : 'anonymous'
}

/** An account as audit and events name it. */
export function actorOfAccount(accountId: string): string {
  return `user:${accountId}`
}
