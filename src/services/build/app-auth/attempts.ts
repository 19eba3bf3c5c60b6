import { inArray } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { errors } from './contract.ts'
import { placeOf } from './product.ts'
import { authFailures } from './tables.ts'

/** What a try counts against: the name that is tried, and from where. */
export interface Attempt {
  projectId: string
  subject: string
  /** The user signed in from here before: no stranger’s failures bar him. */
  isKnownPlace: boolean
}

const windowMs = 15 * 60_000
/** Wrong tries within a quarter of an hour, and how long one waits then. */
const most = { pair: 10, place: 100, name: 100, anonymous: 300 } as const
const lockMs = 15 * 60_000

type Row = typeof authFailures.$inferSelect
interface Counter {
  key: string
  kind: keyof typeof most
}

/** Counts a user without a name: that many from one place are no people. */
export async function takeAnonymous(ctx: Context, projectId: string): Promise<void> {
  const key = ctx.server.masterKey.sign('app auth failures', `${projectId} anonymous ${placeOf(ctx)}`)
  await count(ctx, [{ key, kind: 'anonymous' }])
}

/** Counts a try before the password is looked at, so that forty at once are forty, and refuses when it must wait. */
export async function takeAttempt(ctx: Context, attempt: Attempt): Promise<void> {
  await count(ctx, countersOf(ctx, attempt))
}

async function count(ctx: Context, counters: readonly Counter[]): Promise<void> {
  const waitMs = await ctx.transact(async inner => {
    const now = inner.now()
    const keys = counters.map(one => one.key).sort()
    for (const key of keys)
      await inner.transaction(inner.zone).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 402))', [key])
    const found = await inner.db.select().from(authFailures).where(inArray(authFailures.key, keys))
    const rows = new Map(found.map(row => [row.key, row]))
    const wait = Math.max(0, ...keys.map(key => (rows.get(key)?.lockedUntil ?? 0) - now))
    if (wait > 0) return wait
    for (const counter of counters) {
      const row = nextOf(counter, rows.get(counter.key), now)
      await inner.db.insert(authFailures).values(row).onConflictDoUpdate({ target: authFailures.key, set: row })
    }
    return 0
  })
  if (waitMs > 0) refuse(errors.lockedOut, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

/** The try was right: what was counted against the name from here is forgotten. */
export async function forgiveAttempt(ctx: Context, attempt: Attempt): Promise<void> {
  const [pair, ...others] = countersOf(ctx, attempt).map(one => one.key)
  await ctx.transaction(ctx.zone).query({
    text: `WITH gone AS (DELETE FROM app_auth_failures WHERE key = $1)
      UPDATE app_auth_failures SET failures = greatest(failures - 1, 0) WHERE key = ANY($2)`,
    values: [pair, others],
  })
}

function nextOf({ key, kind }: Counter, row: Row | undefined, now: number): Row {
  const isOver = !row || Math.max(row.firstAt, row.lockedUntil) < now - windowMs || row.lockedUntil > 0
  const failures = isOver ? 1 : row.failures + 1
  const locks = failures >= most[kind]
  return { key, failures, firstAt: isOver ? now : row.firstAt, lockedUntil: locks ? now + lockMs : 0 }
}

/** Keys are hashed: the table holds no names that were only guessed. */
function countersOf(ctx: Context, { projectId, subject, isKnownPlace }: Attempt): Counter[] {
  const place = placeOf(ctx)
  const keyOf = (text: string) => ctx.server.masterKey.sign('app auth failures', `${projectId} ${text}`)
  const pair = { key: keyOf(`${subject} ${place}`), kind: 'pair' } as const
  if (isKnownPlace) return [pair]
  return [pair, { key: keyOf(`place ${place}`), kind: 'place' }, { key: keyOf(`name ${subject}`), kind: 'name' }]
}
