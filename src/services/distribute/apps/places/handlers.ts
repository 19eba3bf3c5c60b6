import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { siteOfZone, zoneOfSite } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { change } from '../moves.ts'
import { type AppRecord, loadApp, mine } from '../queries.ts'
import { developStatusOf, type PackageType, productName } from '../rules.ts'
import { apps } from '../tables.ts'
import { appPlaces } from './contract.ts'

const mostRelated = 50

export default implement(appPlaces, {
  getAppLocation: async (ctx, { query }) => toLocation(ctx, await loadApp(ctx, query.appId)),

  updateAppLocation: async (ctx, { body }) => {
    const app = await loadApp(ctx, body.appId, 'update')
    if (zoneOfSite(body.siteId) !== ctx.zone) {
      refuse(appPlaces.errors.locationFixed, { siteId: siteOfZone(ctx.zone), wanted: body.siteId })
    }
    const locationLockedAt = app.locationLockedAt ?? ctx.now()
    return toLocation(ctx, await change(ctx, app, 'edit', { locationLockedAt }, { siteId: siteOfZone(ctx.zone) }))
  },

  listAppRelations: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId)
    const rows = await editionsOf(ctx, app, or(sameName(app), samePackageName(app)))
    return {
      list: rows.map(row => ({
        ...toRelated(row),
        relation:
          app.packageName !== null && row.packageName?.toLowerCase() === app.packageName.toLowerCase()
            ? ('SAME_PACKAGE_NAME' as const)
            : ('SAME_NAME' as const),
      })),
    }
  },

  listSeriesCandidates: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId)
    const names = [app.developerNameCn, app.developerNameEn].filter(Boolean)
    const sameDeveloper = names.length
      ? or(inArray(apps.developerNameCn, names), inArray(apps.developerNameEn, names))
      : undefined
    const rows = await editionsOf(ctx, app, or(sameName(app), samePackageName(app), sameDeveloper))
    return {
      list: rows.map(row => ({ ...toRelated(row), developerName: row.developerNameEn || row.developerNameCn })),
    }
  },

  getDevelopStatus: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId)
    return { appId: app.appId, developStatus: developStatusOf(app) }
  },

  updateDevelopStatus: async (ctx, { body }) => {
    const app = await loadApp(ctx, body.appId, 'update')
    if (app.shelf) refuse(appPlaces.errors.statusDerived)
    const { developStatus } = body
    const after = await change(ctx, app, 'edit', { developStatusSaid: developStatus }, { developStatus })
    return { appId: after.appId, developStatus: developStatusOf(after), revision: after.revision }
  },
})

/** Apps of the team for other platforms than this one. */
function editionsOf(ctx: Context, app: AppRecord, alike: ReturnType<typeof or>) {
  return ctx.db
    .select()
    .from(apps)
    .where(
      and(
        mine(ctx),
        eq(apps.teamId, app.teamId),
        ne(apps.appId, app.appId),
        ne(apps.packageType, app.packageType),
        alike,
      ),
    )
    .orderBy(apps.appId)
    .limit(mostRelated)
}

function sameName(app: AppRecord) {
  return sql`lower(normalize(regexp_replace(btrim(${apps.name}), '\\s+', ' ', 'g'), NFKC)) = ${productName(app.name)}`
}

function samePackageName(app: AppRecord) {
  return app.packageName === null ? undefined : sql`lower(${apps.packageName}) = ${app.packageName.toLowerCase()}`
}

function toRelated(row: AppRecord) {
  const { appId, name, packageName } = row
  return { appId, name, packageName, packageType: row.packageType as PackageType }
}

function toLocation(ctx: Context, app: AppRecord) {
  return { appId: app.appId, siteId: siteOfZone(ctx.zone), lockedAt: app.locationLockedAt, revision: app.revision }
}
