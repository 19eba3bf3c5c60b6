export const groupLimits = { nameLength: 64, apps: 100, activeOfTeam: 100 } as const

/** What may be done with a repository; one that was revoked stays so. */
export function groupActions(state: 'ACTIVE' | 'REVOKED', mayShare: boolean): ('edit' | 'rotate' | 'revoke')[] {
  return state === 'ACTIVE' && mayShare ? ['edit', 'rotate', 'revoke'] : []
}
