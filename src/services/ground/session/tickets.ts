import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type TicketPurpose, ticketLifeMs, triesOfTicket } from './rules.ts'
import { tickets } from './tables.home.ts'

export type TicketRow = typeof tickets.$inferSelect

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Hands out a secret for one later step; only its hash is kept. */
export async function issueTicket(
  ctx: Context,
  purpose: TicketPurpose,
  of: { accountId?: string | null; data?: Record<string, unknown>; secret?: string },
): Promise<string> {
  const secret = of.secret ?? randomBytes(32).toString('base64url')
  const now = ctx.now()
  await ctx.home.insert(tickets).values({
    hash: hashOf(secret),
    purpose,
    accountId: of.accountId ?? null,
    data: of.data ?? {},
    createdAt: now,
    expiresAt: now + ticketLifeMs[purpose],
  })
  return secret
}

const isLive = (ctx: Context, purpose: TicketPurpose, secret: string) =>
  and(
    eq(tickets.hash, hashOf(secret)),
    eq(tickets.purpose, purpose),
    isNull(tickets.usedAt),
    gt(tickets.expiresAt, ctx.now()),
  )

/** Uses a ticket up: of any number at once one gets the row, the others null. */
export async function spendTicket(ctx: Context, purpose: TicketPurpose, secret: string): Promise<TicketRow | null> {
  const [row] = await ctx.home
    .update(tickets)
    .set({ usedAt: ctx.now() })
    .where(isLive(ctx, purpose, secret))
    .returning()
  return row ?? null
}

/** Takes one of the few tries a ticket has, before its answer is looked at. */
export async function tryTicket(ctx: Context, purpose: TicketPurpose, secret: string): Promise<TicketRow | null> {
  const [row] = await ctx.home
    .update(tickets)
    .set({ tries: sql`${tickets.tries} + 1` })
    .where(and(isLive(ctx, purpose, secret), lt(tickets.tries, triesOfTicket)))
    .returning()
  return row ?? null
}

/** Looks at a ticket without using it. */
export async function readTicket(ctx: Context, purpose: TicketPurpose, secret: string): Promise<TicketRow | null> {
  const [row] = await ctx.home
    .select()
    .from(tickets)
    .where(isLive(ctx, purpose, secret))
  return row ?? null
}

export async function setTicketData(ctx: Context, row: TicketRow, data: Record<string, unknown>): Promise<void> {
  await ctx.home
    .update(tickets)
    .set({ data: { ...row.data, ...data } })
    .where(eq(tickets.hash, row.hash))
}

/** Ends what was handed out to an account for a purpose and not used yet. */
export async function cancelTickets(
  ctx: Context,
  accountId: string,
  purposes: readonly TicketPurpose[],
): Promise<void> {
  for (const purpose of purposes) {
    await ctx.home
      .update(tickets)
      .set({ usedAt: ctx.now() })
      .where(and(eq(tickets.accountId, accountId), eq(tickets.purpose, purpose), isNull(tickets.usedAt)))
  }
}
