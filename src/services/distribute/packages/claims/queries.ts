import { and, eq, inArray, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { appsOf } from '../../apps/public.ts'
import type { Scope } from '../queries.ts'
import { packageClaims } from '../tables.home.ts'
import { packages } from '../tables.ts'
import type { Claim } from './contract.ts'
import { reachedOf } from './reach.ts'
import { claimCycle } from './rules.ts'

export type ClaimRecord = typeof packageClaims.$inferSelect

/** Claims that the caller's team made, or that are made against it. */
export function mineOrAgainstMe(ctx: Context) {
  return or(eq(packageClaims.claimantTeamId, ctx.teamId), eq(packageClaims.holderTeamId, ctx.teamId))
}

export const ofScope = (scope: Scope) => (scope === null ? undefined : eq(packageClaims.packageType, scope))

/** The claim, locked. Refuses 404 for who is on no side of it, or does not reach the app of that side. */
export async function loadClaim(ctx: Context, claimId: string, side: 'claimant' | 'holder' | 'any', scope: Scope) {
  const sides = {
    claimant: eq(packageClaims.claimantTeamId, ctx.place.teamId ?? '0'),
    holder: eq(packageClaims.holderTeamId, ctx.place.teamId ?? '0'),
    any: undefined,
  }
  const [row] = await ctx.home
    .select()
    .from(packageClaims)
    .where(and(eq(packageClaims.claimId, claimId), sides[side], ofScope(scope)))
    .for('update')
  if (!row || !(await isReached(ctx, row, side))) refuse(commonErrors.notFound, { entity: 'claim', id: claimId })
  return row
}

async function isReached(ctx: Context, row: ClaimRecord, side: 'claimant' | 'holder' | 'any'): Promise<boolean> {
  if (side === 'any' || ctx.memberScope === 'all') return true
  const { appId, zone } = side === 'claimant' ? row : { appId: row.holderAppId, zone: row.holderZone }
  if (appId === null || zone === null) return false
  return (await reachedOf(ctx, [{ appId, zone: zone as ZoneId }])).length > 0
}

type ClaimAction = 'verify' | 'object' | 'review' | 'pass' | 'grant' | 'refuse' | 'withdraw'

/** Moves a claim and writes what comes with it. */
export async function moveClaim(
  ctx: Context,
  row: ClaimRecord,
  action: ClaimAction,
  options: { set?: Partial<ClaimRecord>; isOffShelf?: boolean; unmet?: () => never } = {},
): Promise<ClaimRecord> {
  const { claimId, state, revision, packageName, packageType, appId, zone } = row
  const { holderAppId, holderZone, holderTeamId, claimantTeamId } = row
  await transition(ctx, {
    cycle: claimCycle,
    table: 'package_claims',
    idColumn: 'claim_id',
    row: { id: claimId, state, revision },
    action,
    facts: { isOffShelf: options.isOffShelf ?? true },
    ...(options.unmet ? { unmet: options.unmet } : {}),
    data: { packageName, packageType, appId, zone, holderAppId, holderZone, holderTeamId, claimantTeamId },
    // A team writes of itself only; staff and the clock write for who claims.
    ...(ctx.place.teamId === null ? { teamId: claimantTeamId } : {}),
    database: 'home',
  })
  const [moved] = await ctx.home
    .update(packageClaims)
    .set({ updatedAt: ctx.now(), ...options.set })
    .where(eq(packageClaims.claimId, claimId))
    .returning()
  return moved!
}

/** What the store knows of who holds a name: the certificates of the app's packages, and whether it is on shelf. */
export async function knownOfHolder(ctx: Context, holder: { appId: string; zone: ZoneId }) {
  const unknown = { signers: [] as string[], isOnShelf: false, hasAccepted: false }
  if (!ctx.server.config.zones.includes(holder.zone)) return { ...unknown, isOnShelf: true }
  return systemContext(ctx.server, holder.zone, { name: 'claims' }).transact(async inner => {
    const [app] = await appsOf(inner, [holder.appId])
    const rows = await inner.db
      .select({ signers: packages.signers, uploadSigners: packages.uploadSigners })
      .from(packages)
      .where(and(eq(packages.appId, holder.appId), inArray(packages.state, ['READY', 'ARCHIVED'])))
      .limit(200)
    const shelved = app?.lastShelf?.signers ?? []
    const own = rows.flatMap(row => (row.uploadSigners.length > 0 ? row.uploadSigners : row.signers))
    const signers = [...new Set([...shelved, ...own])]
    return { signers, isOnShelf: app?.shelf != null, hasAccepted: rows.length > 0 || shelved.length > 0 }
  })
}

/** A claim as one side sees it: the other side's proof and challenge are not its business. */
export function toClaim(ctx: Context, row: ClaimRecord): Static<typeof Claim> {
  const teamId = ctx.place.teamId
  const side =
    ctx.caller.kind === 'user' && teamId === null ? 'STORE' : row.claimantTeamId === teamId ? 'CLAIMANT' : 'HOLDER'
  const isMine = side === 'CLAIMANT'
  const wanted = { CLAIMANT: ['withdraw'], HOLDER: ['object'], STORE: ['grant', 'refuse'] }[side]
  const actions = allowedActions(claimCycle, row.state, permission => ctx.may(permission))
  return {
    ...row,
    side,
    appId: isMine || side === 'STORE' ? row.appId : row.holderAppId,
    challenge: isMine && row.state === 'PROVING' ? row.challenge : null,
    objectId: isMine ? row.objectId : null,
    proof: side === 'HOLDER' ? null : row.proof,
    allowedActions: actions.filter(action => wanted.includes(action)) as Static<typeof Claim>['allowedActions'],
  }
}
