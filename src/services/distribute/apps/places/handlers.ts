import { inArray, or } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { siteOfZone, zoneOfSite } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { change } from '../moves.ts'
import { type AppRecord, loadApp } from '../queries.ts'
import { developStatusOf, type PackageType } from '../rules.ts'
import { apps } from '../tables.ts'
import { appPlaces } from './contract.ts'
import { editionsOf, sameName, samePackageName } from './editions.ts'

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

  listSeriesCandidates: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId)
    const names = [app.developerNameCn, app.developerNameEn].filter(Boolean)
    const sameDeveloper = names.length
      ? or(inArray(apps.developerNameCn, names), inArray(apps.developerNameEn, names))
      : undefined
    const rows = await editionsOf(ctx, app, [sameName(app), samePackageName(app), sameDeveloper])
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

function toRelated(row: AppRecord) {
  const { appId, name, packageName } = row
  return { appId, name, packageName, packageType: row.packageType as PackageType }
}

function toLocation(ctx: Context, app: AppRecord) {
  return { appId: app.appId, siteId: siteOfZone(ctx.zone), lockedAt: app.locationLockedAt, revision: app.revision }
}
