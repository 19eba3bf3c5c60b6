import { and, eq, inArray, lt, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { lastDigest, nextDigestAt } from './digest-times.ts'
import { limits } from './rules.ts'
import { type Choices, choicesOf } from './settings.ts'
import { digests, notices } from './tables.ts'

export const digestKind = 'notices.digest'
const peopleAtOnce = 500
const rowsAtOnce = 5_000

/** Makes the digests that are due. The row of person and period is what makes one of each, whoever looks. */
export async function makeDigests(ctx: Context): Promise<void> {
  const due = await ctx.db
    .selectDistinct({ accountId: notices.accountId })
    .from(notices)
    .where(and(eq(notices.mail, 'digest'), lte(notices.mailDueAt, ctx.now())))
    .limit(peopleAtOnce)
  const ids = due.map(one => one.accountId)
  const choices = await choicesOf(ctx, ids)
  for (const accountId of ids) await makeDigest(ctx, accountId, choices(accountId))
}

async function makeDigest(ctx: Context, accountId: string, chosen: Choices): Promise<void> {
  const now = ctx.now()
  const isOff = chosen.digest === 'off'
  // Who turned the digest off gets what still waited, at once.
  const { period, at } = isOff ? { period: `off ${ctx.newId()}`, at: now } : lastDigest(now, chosen)
  const digestId = ctx.newId()
  const { rows } = await ctx.transaction(ctx.zone).query<{ taken: number }>({
    name: 'notices digest',
    text: `WITH made AS (
        INSERT INTO notice_digests (digest_id, account_id, period, state, created_at)
        SELECT $1, $2, $3, 'waiting', $5::bigint WHERE EXISTS
          (SELECT 1 FROM notices WHERE account_id = $2 AND mail = 'digest' AND created_at <= $4)
        ON CONFLICT (account_id, period) DO NOTHING RETURNING digest_id),
      taken AS (
        UPDATE notices SET mail = 'digested', digest_id = made.digest_id, mail_due_at = NULL FROM made
        WHERE account_id = $2 AND mail = 'digest' AND created_at <= $4 RETURNING 1)
      SELECT count(*)::int AS taken FROM taken`,
    values: [digestId, accountId, period, at, now],
  })
  if ((rows[0]?.taken ?? 0) > 0) {
    ctx.startJob({ kind: digestKind, subject: digestId, input: { digestId }, deadlineMs: 21_600_000, teamId: null })
  }
  if (isOff) return
  await ctx.db
    .update(notices)
    .set({ mailDueAt: nextDigestAt(now, chosen) })
    .where(and(eq(notices.accountId, accountId), eq(notices.mail, 'digest'), lte(notices.mailDueAt, now)))
}

/** Forgets what is older than people are promised. */
export async function forgetOld(ctx: Context): Promise<void> {
  const before = ctx.now() - limits.keptDays * 86_400_000
  const old = ctx.db
    .select({ noticeId: notices.noticeId })
    .from(notices)
    .where(lt(notices.createdAt, before))
    .limit(rowsAtOnce)
  await ctx.db.delete(notices).where(inArray(notices.noticeId, old))
  await ctx.db.delete(digests).where(lt(digests.createdAt, before))
}
