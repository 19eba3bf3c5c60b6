import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { KnownCaller } from '../caller.ts'
import { limits } from '../rules.ts'
import { authTickets } from './tables.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

export type TicketRow = typeof authTickets.$inferSelect

/** A ticket for the second step; only its hash is kept. */
export async function issueTicket(
  ctx: Context,
  caller: KnownCaller,
  wanted: { kind: TicketRow['kind']; uid: string; provider: number; sealedSecret?: string },
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  const { projectId, teamId, requester } = caller
  await ctx.db.insert(authTickets).values({
    ...{ ...wanted, projectId, teamId, requester },
    ticketHash: digest(ticket),
    createdAt: ctx.now(),
    expiresAt: ctx.now() + limits.codeMs,
  })
  return ticket
}

/** Counts a try with a ticket, whatever comes of it; the fifth is the last. Null for every ticket that opens nothing. */
export async function tryTicket(
  ctx: Context,
  caller: KnownCaller,
  kinds: readonly TicketRow['kind'][],
  ticket: string,
): Promise<TicketRow | null> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ ticket_hash: string }>({
    name: 'app auth ticket try',
    text: `UPDATE app_auth_tickets SET attempts = attempts + 1 WHERE ticket_hash = $1 AND project_id = $2
      AND requester = $3 AND kind = ANY($4) AND used_at IS NULL AND expires_at > $5 AND attempts < $6 RETURNING ticket_hash`,
    values: [digest(ticket), caller.projectId, caller.requester, kinds, ctx.now(), limits.codeAttempts],
  })
  if (!rows[0]) return null
  const [row] = await ctx.db.select().from(authTickets).where(eq(authTickets.ticketHash, rows[0].ticket_hash))
  return row ?? null
}

/** Uses a ticket up; of many at once one does. */
export async function spendTicket(ctx: Context, { ticketHash }: TicketRow): Promise<boolean> {
  const now = ctx.now()
  const spent = await ctx.db
    .update(authTickets)
    .set({ usedAt: now, sealedSecret: null })
    .where(and(eq(authTickets.ticketHash, ticketHash), isNull(authTickets.usedAt), gt(authTickets.expiresAt, now)))
    .returning({ ticketHash: authTickets.ticketHash })
  return spent.length > 0
}
