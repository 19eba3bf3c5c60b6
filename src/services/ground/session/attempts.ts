import { inArray } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { networkOf } from '../../../server/network.ts'
import { session } from './contract.ts'
import { failureWindowMs, lockMsAfter, slowDownMs, triesBeforeLock, triesBeforeSlowDown } from './rules.ts'
import { signInFailures } from './tables.home.ts'

/** What a try counts against: the name that is tried, and from where. */
export interface Attempt {
  /** A login key, or what else is tried: `code 7360...`. */
  subject: string
  /** A browser this account signed in from before: counted by itself, and no stranger's failures bar it. */
  knownDeviceId: string | null
}

interface Counter {
  key: string
  kind: keyof typeof triesBeforeLock | 'name'
}

type Row = typeof signInFailures.$inferSelect

/**
 * Counts a try before its password is looked at, so that forty at once are forty, and refuses when it must wait. What
 * was right is given back by `forgiveAttempt`. Answers whether this try is the one after which others wait.
 */
export async function takeAttempt(ctx: Context, attempt: Attempt): Promise<{ isLast: boolean }> {
  const counters = countersOf(ctx, attempt)
  const verdict = await ctx.transact(async inner => {
    const now = ctx.now()
    for (const { key } of counters.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      await inner.transaction('home').query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [key])
    }
    const rows = new Map(
      (
        await inner.home
          .select()
          .from(signInFailures)
          .where(
            inArray(
              signInFailures.key,
              counters.map(one => one.key),
            ),
          )
      ).map(row => [row.key, row]),
    )
    const waitMs = Math.max(...counters.map(({ key }) => (rows.get(key)?.lockedUntil ?? 0) - now))
    if (waitMs > 0) return { waitMs, isLast: false }
    const next = counters.map(counter => nextOf(counter, rows.get(counter.key), now))
    for (const row of next) {
      await inner.home.insert(signInFailures).values(row).onConflictDoUpdate({ target: signInFailures.key, set: row })
    }
    return { waitMs: 0, isLast: next.some(row => row.lockedUntil - now >= lockMsAfter(1, 1)) }
  })
  if (verdict.waitMs > 0) refuse(session.errors.locked, { retryAfterSeconds: Math.ceil(verdict.waitMs / 1000) })
  return { isLast: verdict.isLast }
}

/** The try was right: what was counted against the name from here is forgotten, the address gets its one back. */
export async function forgiveAttempt(ctx: Context, attempt: Attempt): Promise<void> {
  const counters = countersOf(ctx, attempt)
  const own = counters.filter(one => one.kind === 'pair' || one.kind === 'device').map(one => one.key)
  const others = counters.filter(one => one.kind === 'address' || one.kind === 'name').map(one => one.key)
  await ctx.home.delete(signInFailures).where(inArray(signInFailures.key, own))
  await ctx.transaction('home').query({
    text: `UPDATE sign_in_failures SET failures = greatest(failures - 1, 0),
        locked_until = CASE WHEN failures <= $3 THEN 0 ELSE locked_until END
      WHERE key = ANY($1) AND first_at >= $2`,
    values: [others, ctx.now() - failureWindowMs, triesBeforeLock.address],
  })
}

function nextOf({ key, kind }: Counter, row: Row | undefined, now: number): Row {
  const isOver = !row || Math.max(row.firstAt, row.lockedUntil) < now - failureWindowMs
  const failures = isOver ? 1 : row.failures + 1
  const lockMs =
    kind === 'name' ? (failures > triesBeforeSlowDown ? slowDownMs : 0) : lockMsAfter(failures, triesBeforeLock[kind])
  return {
    key,
    failures,
    firstAt: isOver || lockMs > 0 ? now : row.firstAt,
    lockedUntil: lockMs > 0 ? now + lockMs : (row?.lockedUntil ?? 0),
  }
}

/** Keys are hashed: the table holds no names that were only guessed. */
function countersOf(ctx: Context, { subject, knownDeviceId }: Attempt): Counter[] {
  const keyOf = (text: string) => ctx.server.masterKey.sign('sign-in failures', text)
  if (knownDeviceId !== null) return [{ key: keyOf(`device ${knownDeviceId} ${subject}`), kind: 'device' }]
  const from = networkOf(ctx.place.ip)
  return [
    { key: keyOf(`${subject} ${from}`), kind: 'pair' },
    { key: keyOf(`address ${from}`), kind: 'address' },
    { key: keyOf(`name ${subject}`), kind: 'name' },
  ]
}
