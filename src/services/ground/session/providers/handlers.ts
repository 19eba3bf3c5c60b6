import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import { refuseLastProvider } from '../own-sign-in/switches.ts'
import { identityProvidersFor } from '../queries.ts'
import { assertRecent } from '../recent.ts'
import { identityProviders, linkedIdentities } from '../tables.home.ts'
import { refuseLastWayIn } from '../ways-in.ts'
import { answerCallback, begin } from './callback.ts'
import { providerCalls } from './contract.ts'
import { discover, type ProviderRow, redirectUriOf, sealProviderSecret } from './openid.ts'

const { errors } = providerCalls

export default implement(providerCalls, {
  startProvider: async (ctx, { body }, wire) => {
    const row = await ctx.transact(inner => loadEnabled(inner, body.providerId))
    return { url: await begin(ctx, wire, row, 'signIn') }
  },

  providerCallback: (ctx, _input, wire) => answerCallback(ctx, wire),

  listIdentities: async ctx => {
    const rows = await ctx.home
      .select({ identity: linkedIdentities, providerName: identityProviders.name })
      .from(linkedIdentities)
      .innerJoin(identityProviders, eq(identityProviders.providerId, linkedIdentities.providerId))
      .where(eq(linkedIdentities.accountId, ctx.accountId))
      .orderBy(asc(linkedIdentities.linkedAt))
    const linked = new Set(rows.map(row => row.identity.providerId))
    return {
      list: rows.map(({ identity, providerName }) => ({ ...identity, providerName })),
      available: (await identityProvidersFor(ctx)).filter(one => !linked.has(one.providerId)),
    }
  },

  startLink: async (ctx, { body }, wire) => {
    const row = await ctx.transact(async inner => {
      await assertRecent(inner)
      return loadEnabled(inner, body.providerId)
    })
    return { url: await begin(ctx, wire, row, 'link') }
  },

  startConfirm: async (ctx, { body }, wire) => {
    const row = await ctx.transact(inner => loadEnabled(inner, body.providerId))
    return { url: await begin(ctx, wire, row, 'confirm') }
  },

  unlinkIdentity: async (ctx, { params }) => {
    await assertRecent(ctx)
    const gone = await ctx.home
      .delete(linkedIdentities)
      .where(and(eq(linkedIdentities.accountId, ctx.accountId), eq(linkedIdentities.providerId, params.providerId)))
      .returning()
    if (gone.length === 0) refuse(commonErrors.notFound, { entity: 'identity', id: params.providerId })
    await refuseLastWayIn(ctx, ctx.accountId)
    ctx.audit({ action: 'identity.unlink', entity: 'account', entityId: ctx.accountId }, 'home')
    return {}
  },

  listProviders: async (ctx, { query }) => {
    const { cursor, pageSize = 20 } = query
    if (cursor && !/^[1-9]\d{0,18}$/.test(cursor)) throw badField('/cursor', 'cursor', 'is not of this list', 'query')
    const rows = await ctx.home
      .select()
      .from(identityProviders)
      .where(cursor ? gt(identityProviders.providerId, cursor) : undefined)
      .orderBy(asc(identityProviders.providerId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    const people = await peopleOf(
      ctx,
      list.map(row => row.providerId),
    )
    return {
      total: await ctx.home.$count(identityProviders),
      list: list.map(row => viewOf(ctx, row, people.get(row.providerId) ?? 0)),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.providerId ?? null) : null,
    }
  },

  createProvider: async (ctx, { body }) => {
    const { clientSecret: secret, ...rest } = body
    await ctx.transact(assertRecent)
    checkIssuer(ctx, body.issuer)
    await discover(ctx, { ...rest, secret })
    return ctx.transact(async inner => {
      const providerId = inner.newId()
      const now = inner.now()
      const clientSecret = sealProviderSecret(inner, providerId, body.issuer, secret)
      const [row] = await inner.home
        .insert(identityProviders)
        .values({ ...rest, providerId, clientSecret, createdAt: now, updatedAt: now })
        .returning()
        .catch(refuseTaken)
      tell(inner, 'provider.create', providerId, rest)
      return viewOf(inner, row as ProviderRow, 0)
    })
  },

  updateProvider: async (ctx, { params, body }) => {
    const { clientSecret: secret, revision, ...rest } = body
    const before = await ctx.transact(async inner => {
      await assertRecent(inner)
      return load(inner, params.providerId)
    })
    const isElsewhere = body.issuer !== before.issuer || body.clientId !== before.clientId
    // A kept secret is never sent to a host that was put in its place.
    if (isElsewhere && secret === undefined)
      throw badField('/clientSecret', 'required', 'is needed for another issuer or client')
    checkIssuer(ctx, body.issuer)
    if (secret !== undefined) await discover(ctx, { ...rest, secret })
    return ctx.transact(async inner => {
      if (body.issuer !== before.issuer) {
        await inner.home.delete(linkedIdentities).where(eq(linkedIdentities.providerId, before.providerId))
      }
      const [row] = await inner.home
        .update(identityProviders)
        .set({
          ...rest,
          ...(secret === undefined
            ? {}
            : { clientSecret: sealProviderSecret(inner, before.providerId, body.issuer, secret) }),
          updatedAt: inner.now(),
          revision: sql`${identityProviders.revision} + 1`,
        })
        .where(and(eq(identityProviders.providerId, before.providerId), eq(identityProviders.revision, revision)))
        .returning()
        .catch(refuseTaken)
      if (!row) refuse(commonErrors.stale, { revision: before.revision })
      if (before.isEnabled && !row.isEnabled) await refuseLastProvider(inner)
      tell(inner, 'provider.update', row.providerId, rest)
      return viewOf(inner, row, (await peopleOf(inner, [row.providerId])).get(row.providerId) ?? 0)
    })
  },

  deleteProvider: async (ctx, { params }) => {
    await assertRecent(ctx)
    const row = await load(ctx, params.providerId)
    await ctx.home.delete(linkedIdentities).where(eq(linkedIdentities.providerId, row.providerId))
    await ctx.home.delete(identityProviders).where(eq(identityProviders.providerId, row.providerId))
    if (row.isEnabled) await refuseLastProvider(ctx)
    tell(ctx, 'provider.delete', row.providerId, {})
    return {}
  },
})

async function load(ctx: Context, providerId: string): Promise<ProviderRow> {
  const [row] = await ctx.home.select().from(identityProviders).where(eq(identityProviders.providerId, providerId))
  return row ?? refuse(commonErrors.notFound, { entity: 'provider', id: providerId })
}

async function loadEnabled(ctx: Context, providerId: string): Promise<ProviderRow> {
  const row = await load(ctx, providerId)
  return row.isEnabled ? row : refuse(commonErrors.notFound, { entity: 'provider', id: providerId })
}

function viewOf(ctx: Context, { clientSecret: _secret, ...row }: ProviderRow, people: number) {
  return { ...row, people, redirectUri: redirectUriOf(ctx) }
}

async function peopleOf(ctx: Context, providerIds: string[]): Promise<Map<string, number>> {
  if (providerIds.length === 0) return new Map()
  const rows = await ctx.home
    .select({ providerId: linkedIdentities.providerId, people: count() })
    .from(linkedIdentities)
    .where(inArray(linkedIdentities.providerId, providerIds))
    .groupBy(linkedIdentities.providerId)
  return new Map(rows.map(row => [row.providerId, row.people]))
}

function checkIssuer(ctx: Context, issuer: string): void {
  try {
    ctx.server.outbound.check(issuer)
  } catch (error) {
    if (error instanceof OutsideError) throw badField('/issuer', 'address', 'is no public address')
    throw error
  }
}

function refuseTaken(error: unknown): never {
  if (isDuplicate(error)) refuse(errors.providerTaken)
  throw error
}

function tell(ctx: Context, action: string, providerId: string, after: Record<string, unknown>): void {
  ctx.audit({ action, entity: 'identityProvider', entityId: providerId, after }, 'home')
}
