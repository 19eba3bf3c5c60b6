import { and, asc, eq, or } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { packageClaims } from '../tables.home.ts'

/** A package name that an app got by a claim, or lost by one. */
export interface GrantedClaim {
  claimId: string
  side: 'CLAIMANT' | 'HOLDER'
  packageName: string
  packageType: string
  /** The end of the other team's id, as a claim tells it; null where nobody held the name. */
  otherMasked: string | null
  at: number
}

/** Claims of the caller's team, or against it, that moved the name of this app; the oldest first, at most fifty. */
export async function grantedClaimsOf(ctx: Context, appId: string): Promise<GrantedClaim[]> {
  const { claimantTeamId, holderTeamId, holderAppId } = packageClaims
  const gained = and(eq(claimantTeamId, ctx.teamId), eq(packageClaims.appId, appId))
  const lost = and(eq(holderTeamId, ctx.teamId), eq(holderAppId, appId))
  const rows = await ctx.home
    .select()
    .from(packageClaims)
    .where(and(or(gained, lost), eq(packageClaims.state, 'GRANTED')))
    .orderBy(asc(packageClaims.claimId))
    .limit(50)
  return rows.map(row => {
    const isGained = row.appId === appId
    const other = isGained ? row.holderTeamId : row.claimantTeamId
    return {
      claimId: row.claimId,
      side: isGained ? 'CLAIMANT' : 'HOLDER',
      packageName: row.packageName,
      packageType: row.packageType,
      otherMasked: other && `***${other.slice(-4)}`,
      at: row.updatedAt,
    }
  })
}
