import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { invitations as rows } from '../tables.home.ts'
import { invitations as contract } from './contract.ts'
import { type InvitationAction, invitationLifeCycle } from './rules.ts'
import { hashOf } from './token.ts'

export type InvitationRow = typeof rows.$inferSelect

/** Moves an invitation by the table; of a burst of forty that answer one, one wins and the rest are told what it is now. */
export async function moveInvitation(ctx: Context, row: InvitationRow, action: InvitationAction): Promise<void> {
  await transition(ctx, {
    cycle: invitationLifeCycle,
    table: 'invitations',
    idColumn: 'invitation_id',
    row: { id: row.invitationId, state: row.state, revision: row.revision },
    action,
    data: { accountId: ctx.caller.accountId, teamId: row.teamId, invitedBy: row.invitedBy },
    teamId: row.teamId,
    // The right was the token, or the permission that the gate asked for.
    isConsequence: true,
    database: 'home',
  })
}

/** The invitation of a token, locked: who answers it waits for who answers it now. Refuses 404. */
export async function invitationOf(ctx: Context, token: string, lock?: 'lock'): Promise<InvitationRow> {
  const query = ctx.home
    .select()
    .from(rows)
    .where(eq(rows.tokenHash, hashOf(token)))
  const [row] = lock ? await query.for('update') : await query
  return row ?? refuse(commonErrors.notFound, { entity: 'invitation', id: 'of this link' })
}

/** Refuses what was answered, canceled or has run out. */
export function assertOpen(ctx: Context, row: InvitationRow): void {
  if (row.state === 'expired' || (row.state === 'open' && row.expiresAt <= ctx.now())) refuse(contract.errors.expired)
  if (row.state !== 'open') refuse(contract.errors.over, { state: row.state })
}

export async function loadInvitation(ctx: Context, invitationId: string): Promise<InvitationRow> {
  const [row] = await ctx.home
    .select()
    .from(rows)
    .where(and(eq(rows.teamId, ctx.teamId), eq(rows.invitationId, invitationId)))
    .for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'invitation', id: invitationId })
}

export function toInvitation(ctx: Context, row: InvitationRow, invitedByName: string) {
  const actions = allowedActions(invitationLifeCycle, stateNow(ctx, row), permission => ctx.may(permission))
  return {
    ...row,
    state: stateNow(ctx, row),
    invitedByName,
    allowedActions: actions.filter(action => action === 'resend' || action === 'cancel'),
  }
}

/** One that ran out is expired, whether the timer has been there or not. */
export function stateNow(ctx: Context, row: InvitationRow): InvitationRow['state'] {
  return row.state === 'open' && row.expiresAt <= ctx.now() ? 'expired' : row.state
}
