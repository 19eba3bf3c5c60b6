import { createHash } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { Refusal } from '../../../kernel/errors.ts'
import { keptText } from '../../../kernel/text.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { askSource, type PolicyRow } from './fetching.ts'
import { type Asked, limits, type Outcome, wishOf } from './rules.ts'
import { preloadAnswers as answers, preloadPolicies as policies } from './tables.ts'

export interface Kept {
  body: string
  contentType: string
  etag: string
  freshUntil: number
}

/** What was asked of a policy, as the key that its answer is kept by; the token itself is in no row. */
export function askedKey({ kind, appId }: PolicyRow, asked: Asked): string {
  const wish = Object.entries(wishOf(kind, appId, asked)).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(wish)).digest('hex')
}

interface Fetch {
  answer: Promise<Kept>
  /** Infinity while it is on its way. */
  endedAt: number
}

/** Fetches that are on their way, and for a moment after, so that many devices that ask at once are one question to the source. */
const fetches = new WeakMap<Server, Map<string, Fetch>>()
/** Longer than anybody looks at what is kept. */
const rememberedMs = 5_000

/**
 * The answer of the source, kept from now on. The same question is asked once at a time. Throws the refusal of the source.
 *
 * @param since when what is kept was looked at, by `performance.now()`: what came in since then is new enough
 */
export function fetchFresh(
  server: Server,
  zone: ZoneId,
  policy: PolicyRow,
  asked: Asked,
  since = performance.now(),
): Promise<Kept> {
  const all = fetches.get(server) ?? new Map<string, Fetch>()
  fetches.set(server, all)
  const key = `${zone} ${policy.policyId} ${policy.revision} ${askedKey(policy, asked)}`
  const known = all.get(key)
  if (known && known.endedAt > since) return known.answer
  const made: Fetch = { answer: fetchAndKeep(server, zone, policy, asked), endedAt: Number.POSITIVE_INFINITY }
  all.set(key, made)
  const end = () => {
    made.endedAt = performance.now()
    setTimeout(() => all.get(key) === made && all.delete(key), rememberedMs).unref()
  }
  made.answer.then(end, end)
  return made.answer
}

async function fetchAndKeep(server: Server, zone: ZoneId, policy: PolicyRow, asked: Asked): Promise<Kept> {
  const { policyId, teamId, kind, appId, cacheTtlSec } = policy
  const ctx = systemContext(server, zone, { name: 'preload' })
  const told = async (lastStatus: number, lastProblem: string | null) =>
    ctx.transact(inner =>
      inner.db
        .update(policies)
        .set({ lastStatus, lastProblem, lastAskedAt: inner.now() })
        .where(eq(policies.policyId, policyId)),
    )
  try {
    const { body, contentType, status } = await askSource(server, zone, policy, wishOf(kind, appId, asked))
    const etag = `"${createHash('sha256').update(contentType).update(body).digest('base64url').slice(0, 27)}"`
    const freshUntil = server.clock.now() + cacheTtlSec * 1000
    const kept = { body, contentType, etag, freshUntil }
    await ctx.transact(async inner => {
      // A policy that was changed or deleted meanwhile keeps nothing of what was asked by its former settings.
      const isSame = and(eq(policies.policyId, policyId), eq(policies.revision, policy.revision))
      const [now] = await inner.db.select({ id: policies.policyId }).from(policies).where(isSame).for('share')
      const all = await inner.db.$count(answers, eq(answers.policyId, policyId))
      if (!now || cacheTtlSec === 0 || all >= limits.answers) return
      const change = { ...kept, keptUntil: freshUntil + limits.keptMs }
      await inner.db
        .insert(answers)
        .values({ policyId, askedSha256: askedKey(policy, asked), teamId, ...change })
        .onConflictDoUpdate({ target: [answers.policyId, answers.askedSha256], set: change })
    })
    await told(status, null)
    return kept
  } catch (error) {
    if (error instanceof Refusal) await told(error.status, keptText(error.message.slice(0, 1500)))
    throw error
  }
}

/** What a device gets: what is kept while it is fresh; what was good last while it is fetched anew; else what the source says. */
export async function serve(
  server: Server,
  zone: ZoneId,
  policy: PolicyRow,
  asked: Asked,
): Promise<{ kept: Kept; outcome: Outcome }> {
  const ctx = systemContext(server, zone, { name: 'preload' })
  const now = server.clock.now()
  const since = performance.now()
  const isIt = and(
    eq(answers.policyId, policy.policyId),
    eq(answers.askedSha256, askedKey(policy, asked)),
    gt(answers.keptUntil, now),
  )
  const [kept] = await ctx.transact(inner => inner.db.select().from(answers).where(isIt))
  if (!kept) return { kept: await fetchFresh(server, zone, policy, asked, since), outcome: 'MISS' }
  if (kept.freshUntil > now) return { kept, outcome: 'HIT' }
  void fetchFresh(server, zone, policy, asked).catch(error => {
    if (!(error instanceof Refusal))
      server.log.warn({ reason: (error as Error).message }, 'an answer is not fetched anew')
  })
  return { kept, outcome: 'STALE' }
}
