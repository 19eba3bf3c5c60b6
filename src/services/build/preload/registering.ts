import { and, asc, eq, gt, lte } from 'drizzle-orm'
import { Refusal, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { preloadErrors as errors } from './contract.ts'
import type { PolicyRow } from './fetching.ts'
import { type Asked, limits } from './rules.ts'
import { askedKey, fetchFresh } from './serving.ts'
import { preloadPolicies as policies, preloadRegistrations as registrations } from './tables.ts'

const purpose = 'preload token'
const atOnce = 200
const togetherMost = 8

/** A device wants the answer again and again. Coming again before half the period is over changes only how long it is kept. */
export async function register(
  server: Server,
  zone: ZoneId,
  policy: PolicyRow,
  asked: Asked,
): Promise<{ nextAt: number; endsAt: number }> {
  const { policyId, teamId } = policy
  const askedSha256 = askedKey(policy, asked)
  return systemContext(server, zone, { name: 'preload' }).transact(async ctx => {
    const isIt = and(eq(registrations.policyId, policyId), eq(registrations.askedSha256, askedSha256))
    const [before] = await ctx.db.select().from(registrations).where(isIt)
    const all = before ? 0 : await ctx.db.$count(registrations, eq(registrations.policyId, policyId))
    if (all >= limits.registrations) refuse(errors.registrationsFull, { limit: limits.registrations })
    const endsAt = ctx.now() + limits.registeredMs
    const nextAt = before?.nextAt ?? ctx.now()
    const sealed = server.masterKey.seal(purpose, policyId, JSON.stringify(asked))
    await ctx.db
      .insert(registrations)
      .values({ policyId, askedSha256, teamId, sealed, nextAt, endsAt })
      .onConflictDoUpdate({ target: [registrations.policyId, registrations.askedSha256], set: { endsAt } })
    return { nextAt, endsAt }
  })
}

/** Fetches what is due for devices that registered. Each is taken before it is asked for, so that two servers ask once. */
export async function refreshDue(ctx: Context): Promise<void> {
  for (let rounds = 0; rounds < 50; rounds++) {
    const due = await ctx.transact(inner => takeDue(inner))
    for (let at = 0; at < due.length; at += togetherMost)
      await Promise.all(due.slice(at, at + togetherMost).map(one => refresh(ctx, one)))
    if (due.length < atOnce) return
  }
}

interface Due {
  policy: PolicyRow
  sealed: string
}

async function takeDue(ctx: Context): Promise<Due[]> {
  const now = ctx.now()
  const rows = await ctx.db
    .select({ policy: policies, one: registrations })
    .from(registrations)
    .innerJoin(policies, eq(policies.policyId, registrations.policyId))
    .where(and(lte(registrations.nextAt, now), gt(registrations.endsAt, now), eq(policies.isEnabled, true)))
    .orderBy(asc(registrations.nextAt))
    .limit(atOnce)
    .for('update', { of: registrations, skipLocked: true })
  for (const { one } of rows)
    await ctx.db
      .update(registrations)
      .set({ nextAt: now + limits.periodMs })
      .where(and(eq(registrations.policyId, one.policyId), eq(registrations.askedSha256, one.askedSha256)))
  return rows.map(({ policy, one }) => ({ policy, sealed: one.sealed }))
}

/** What fails is asked for again after the period; devices keep what was good last. */
async function refresh(ctx: Context, { policy, sealed }: Due): Promise<void> {
  const asked = JSON.parse(ctx.server.masterKey.open(purpose, policy.policyId, sealed)) as Asked
  await fetchFresh(ctx.server, ctx.zone, policy, asked).catch(error => {
    if (error instanceof Refusal) return
    ctx.log.warn({ policyId: policy.policyId, reason: (error as Error).message }, 'an answer is not fetched anew')
  })
}
