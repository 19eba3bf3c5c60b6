import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { canChangePackageName, toApp } from './answer.ts'
import { apps as contract } from './contract.ts'
import { checkKinds, checkPackageName, createApp } from './create.ts'
import { exportApps } from './export.ts'
import { isGameKind, kinds } from './kinds.ts'
import { listApps } from './list.ts'
import { change, move, mustStandAlone } from './moves.ts'
import { appNumbers } from './numbers.ts'
import { appsOf } from './public.ts'
import { claimPackageName, holderOf, loadApp, reservePackageName } from './queries.ts'
import { isPackageName, type PackageType, packageNameRule } from './rules.ts'
import { apps } from './tables.ts'

const { errors } = contract

export default implement(contract, {
  createApp: async (ctx, { body }) => toApp(ctx, await createApp(ctx, body)),

  getApp: async (ctx, { query }) => toApp(ctx, await loadApp(ctx, query.appId)),

  updateApp: async (ctx, { body }) => {
    const { appId, revision: _, ...fields } = body
    const app = await loadApp(ctx, appId, 'update')
    checkKinds(app.isGame, fields)
    return toApp(ctx, await change(ctx, app, 'edit', fields, { fields: Object.keys(fields) }))
  },

  deleteApp: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId, 'update')
    await mustStandAlone(ctx, app.appId)
    await move(ctx, app, 'delete', { projectId: app.projectId })
    await ctx.db.update(apps).set({ deletedAt: ctx.now() }).where(eq(apps.appId, app.appId))
    await reservePackageName(ctx, app.appId)
    return {}
  },

  listApps: async (ctx, { query }) => {
    const page = await listApps(ctx, query)
    return { ...page, list: page.list.map(app => toApp(ctx, app)) }
  },

  exportApps: (ctx, { query }) => exportApps(ctx, query),

  getAppNumbers: (ctx, { query }) => appNumbers(ctx, query.projectId),

  listAppsByProject: async (ctx, { query }) => {
    await projectOf(ctx, query.projectId)
    const page = await listApps(ctx, { ...query, sort: 'created' })
    return { ...page, list: page.list.map(app => toApp(ctx, app)) }
  },

  getPackageName: async (ctx, { query }) => {
    const app = await loadApp(ctx, query.appId)
    return {
      appId: app.appId,
      packageName: app.packageName,
      canChangePackageName: canChangePackageName(app),
      rule: packageNameRule(app.packageType as PackageType),
      revision: app.revision,
    }
  },

  updatePackageName: async (ctx, { body }) => {
    const app = await loadApp(ctx, body.appId, 'update')
    const { packageName } = body
    if (!canChangePackageName(app)) {
      const reason = app.packageNameSettled ? 'a package with it was accepted' : 'it was changed once'
      refuse(errors.packageNameFixed, { packageName: app.packageName ?? '', reason })
    }
    checkPackageName(app.packageType as PackageType, packageName)
    const after = await change(ctx, app, 'edit', { packageName, packageNameChosen: true }, { packageName })
    await claimPackageName(ctx, app, packageName)
    return toApp(ctx, after)
  },

  checkPackageName: async (ctx, { body }) => {
    const { packageType, packageName } = body
    if (body.appId !== undefined) await loadApp(ctx, body.appId)
    const no = { available: false, message: null, reservedUntil: null }
    if (!isPackageName(packageType, packageName)) {
      return { ...no, reason: 'INVALID', message: packageNameRule(packageType) }
    }
    const holder = await holderOf(ctx, packageType, packageName)
    if (!holder || holder.appId === body.appId) return { ...no, available: true, reason: null }
    if (holder.reservedUntil === null) return { ...no, reason: 'TAKEN' }
    if (holder.holderTeamId === ctx.teamId) return { ...no, available: true, reason: null }
    return { ...no, reason: 'RESERVED', reservedUntil: holder.reservedUntil }
  },

  checkAppId: async (ctx, { body }) => {
    const isId = /^[1-9][0-9]{8,18}$/.test(body.appId)
    const [app] = isId ? await appsOf(ctx, [body.appId]) : []
    return { isValid: app !== undefined, name: app?.name ?? null, packageName: app?.packageName ?? null }
  },

  listKinds: async () => ({
    list: kinds.map(({ id, parentId, zh, en, ru }) => ({
      id,
      parentId,
      nameByLang: { zhCN: zh, enUS: en, ruRU: ru },
      game: isGameKind(id),
    })),
  }),
})
