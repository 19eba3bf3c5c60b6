import { eq } from 'drizzle-orm'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { allianceOfProject } from '../../../ground/projects/api/public.ts'
import { alikeOf } from '../../apps/places/public.ts'
import { appOf, appsOf } from '../../apps/public.ts'
import { arrivalOf } from '../../apps/transfer/public.ts'
import { grantedClaimsOf } from '../../packages/claims/public.ts'
import { membersOf } from '../queries.ts'
import { appSeries, seriesMembers } from '../tables.ts'
import { appRelations, type Relation } from './contract.ts'
import { relationInSeries, relationKinds } from './rules.ts'

type Told = Static<typeof Relation>

const nothing = { appId: null, packageName: null, packageType: null, series: null, countries: [], team: null }

export default implement(appRelations, {
  listAppRelations: async (ctx, { query }) => {
    const app = await appOf(ctx, query.appId)
    const inSeries = await seriesRelations(ctx, app)
    const alliance = await allianceOfProject(ctx, app.projectId)
    const allied = alliance === null ? [] : [{ ...nothing, relation: 'ALLIANCE' as const, name: alliance, since: null }]
    const known = new Set(inSeries.map(one => one.appId))
    const alike = (await alikeOf(ctx, app.appId)).filter(one => !known.has(one.appId))
    const found = [
      ...inSeries,
      ...allied,
      ...(await pastOf(ctx, app)),
      ...alike.map(one => ({ ...nothing, ...one, since: null })),
    ]
    const place = (one: Told) => relationKinds.indexOf(one.relation)
    return { list: found.sort((one, other) => place(one) - place(other)) }
  },
})

/** The other editions of its series that the caller reaches. */
async function seriesRelations(ctx: Context, app: { appId: string; packageType: string }): Promise<Told[]> {
  const [found] = await ctx.db
    .select({ series: appSeries })
    .from(seriesMembers)
    .innerJoin(appSeries, eq(appSeries.seriesId, seriesMembers.seriesId))
    .where(eq(seriesMembers.appId, app.appId))
  if (!found) return []
  const { seriesId, name, mode, singleIn } = found.series
  const others = (await membersOf(ctx, [seriesId])).filter(one => one.appId !== app.appId)
  const apps = new Map(
    (
      await appsOf(
        ctx,
        others.map(one => one.appId),
      )
    ).map(one => [one.appId, one]),
  )
  return others.flatMap(({ appId, role, addedAt }) => {
    const other = apps.get(appId)
    if (!other) return []
    const relation = relationInSeries(mode, app.packageType, other.packageType)
    return {
      ...nothing,
      relation,
      appId,
      name: other.name,
      packageName: other.packageName,
      packageType: other.packageType,
      series: { seriesId, name, role },
      countries: relation === 'SERIES' ? [] : singleIn.length > 0 ? singleIn : ['*'],
      since: addedAt,
    }
  })
}

/** Whom the team has the app from, and which names it got or lost by claims. */
async function pastOf(ctx: Context, app: { appId: string; name: string }): Promise<Told[]> {
  const arrival = await arrivalOf(ctx, app.appId)
  const claims = await grantedClaimsOf(ctx, app.appId)
  return [
    ...(arrival
      ? [
          {
            ...nothing,
            relation: 'MOVED_FROM' as const,
            name: app.name,
            team: arrival.fromTeamName,
            since: arrival.at,
          },
        ]
      : []),
    ...claims.map(({ side, packageName, packageType, otherMasked, at }) => ({
      ...nothing,
      relation: side === 'CLAIMANT' ? ('CLAIMED_FROM' as const) : ('CLAIMED_BY' as const),
      name: packageName,
      packageName,
      packageType,
      team: otherMasked,
      since: at,
    })),
  ]
}
