import { and, desc, eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { accountsOf } from '../../ground/session/public.ts'
import { appOf, lockApp } from '../apps/public.ts'
import { lifecycle as contract } from './contract.ts'
import { keptOf } from './queries.ts'
import { alphaRatings } from './tables.ts'

const mostNotes = 100
const mean = (values: readonly number[]) =>
  Math.round((values.reduce((sum, one) => sum + one, 0) * 100) / values.length)

/** What the team thinks of an app, by the criteria that are shown now. */
export async function ratingOf(ctx: Context, appId: string) {
  await appOf(ctx, appId)
  const criteria = await keptOf(ctx, 'ALPHA')
  const rows = await ctx.db
    .select()
    .from(alphaRatings)
    .where(and(eq(alphaRatings.appId, appId), eq(alphaRatings.teamId, ctx.teamId)))
    .orderBy(desc(alphaRatings.at))
    .limit(mostNotes)
  const people = await accountsOf(
    ctx,
    rows.map(row => row.accountId),
  )
  const names = new Map(people.map(one => [one.accountId, one.name]))
  const own = rows.find(row => row.accountId === ctx.caller.accountId)
  return {
    appId,
    criteria,
    average: rows.length === 0 ? null : Math.round(rows.reduce((sum, row) => sum + row.average, 0) / rows.length),
    byCriterion: criteria.flatMap(({ rowId }) => {
      const given = rows.flatMap(row => row.scores[rowId] ?? [])
      return given.length === 0 ? [] : [{ rowId, average: mean(given), count: given.length }]
    }),
    own: own ?? null,
    notes: rows.map(({ accountId, average, note, at }) => ({
      ...{ average, note, at },
      name: names.get(accountId) ?? '',
      isMine: accountId === ctx.caller.accountId,
    })),
  }
}

/** One's rating in place of what one said before. */
export async function rate(ctx: Context, wish: { appId: string; scores: Record<string, number>; note?: string }) {
  const { appId, teamId } = await lockApp(ctx, wish.appId)
  const known = new Set((await keptOf(ctx, 'ALPHA')).map(row => row.rowId))
  const unknown = Object.keys(wish.scores).find(one => !known.has(one))
  if (unknown !== undefined) refuse(contract.errors.unknownCriterion, { criterion: unknown })
  const { accountId } = ctx
  const isOwn = and(eq(alphaRatings.appId, appId), eq(alphaRatings.accountId, accountId))
  const [before] = await ctx.db.select({ revision: alphaRatings.revision }).from(alphaRatings).where(isOwn)
  const row = {
    scores: wish.scores,
    average: mean(Object.values(wish.scores)),
    note: wish.note?.trim() ?? '',
    at: ctx.now(),
    revision: (before?.revision ?? 0) + 1,
  }
  await ctx.db
    .insert(alphaRatings)
    .values({ appId, accountId, teamId, ...row })
    .onConflictDoUpdate({ target: [alphaRatings.appId, alphaRatings.accountId], set: row })
  return { appId, average: row.average, revision: row.revision }
}

/** Words of somebody whose account is erased go; the numbers stay. */
export async function forgetWords(ctx: Context, accountId: string): Promise<void> {
  await ctx.db.update(alphaRatings).set({ note: '' }).where(eq(alphaRatings.accountId, accountId))
}
