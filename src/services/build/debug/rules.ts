/** What a debugging token opens. */
export const scopes = ['functions.debug', 'device.debug', 'logs.tail', 'switches.read'] as const
export type DebugScope = (typeof scopes)[number]

export const endReasons = ['MEMBER', 'REPLACED', 'SIGNED_OUT', 'RIGHTS'] as const
export type EndReason = (typeof endReasons)[number]

export const limits = { tokenSeconds: 900, openSessions: 20, keptMs: 7 * 86_400_000 } as const

/** What a console session is called where its tools name none. */
export const defaultTarget = 'console'
export const switchTarget = 'switches'

export type DebugState = 'OPEN' | 'CLOSED' | 'EXPIRED'

export function stateOf(row: { endedAt: number | null; expiresAt: number }, now: number): DebugState {
  if (row.endedAt !== null) return 'CLOSED'
  return row.expiresAt <= now ? 'EXPIRED' : 'OPEN'
}
