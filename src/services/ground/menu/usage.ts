import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Handlers } from '../../../server/implement.ts'
import { type menu, menuErrors } from './contract.ts'
import { serviceOf, servicesFor } from './open-services.ts'
import { limits } from './rules.ts'
import { overseasZone } from './switches.ts'
import { infoCenterConfigs, serviceUsage } from './tables.home.ts'
import { configUsage, userGroupTeams } from './tables.ts'

type UsageCalls =
  | 'listServiceUsage'
  | 'recordServiceUsage'
  | 'getConfigUsage'
  | 'recordConfigUsage'
  | 'checkGroup'
  | 'checkGroups'
  | 'getInfoCenterConfig'
  | 'updateInfoCenterConfig'

const standardConfig = { showsBanners: true, panels: ['billboard', 'favorites', 'recent'] as const, revision: 0 }

export const usageHandlers: Pick<Handlers<typeof menu>, UsageCalls> = {
  listServiceUsage: async ctx => {
    const rows = await ctx.home
      .select()
      .from(serviceUsage)
      .where(and(eq(serviceUsage.teamId, ctx.teamId), eq(serviceUsage.accountId, ctx.accountId)))
      .orderBy(desc(serviceUsage.lastUsedAt), serviceUsage.serviceId)
      .limit(limits.recent)
    const open = new Map((await servicesFor(ctx)).filter(one => one.closedBy === null).map(one => [one.serviceId, one]))
    return {
      list: rows.flatMap(({ serviceId, uses, lastUsedAt }) => {
        const service = open.get(serviceId)
        return service ? [{ serviceId, path: service.path, title: service.title, uses, lastUsedAt }] : []
      }),
    }
  },

  recordServiceUsage: async (ctx, { body }) => {
    const { serviceId } = body
    if (!serviceOf(serviceId)) refuse(commonErrors.notFound, { entity: 'service', id: serviceId })
    const lastUsedAt = ctx.now()
    await ctx.home
      .insert(serviceUsage)
      .values({ teamId: ctx.teamId, accountId: ctx.accountId, serviceId, lastUsedAt })
      .onConflictDoUpdate({
        target: [serviceUsage.teamId, serviceUsage.accountId, serviceUsage.serviceId],
        set: { uses: sql`${serviceUsage.uses} + 1`, lastUsedAt },
      })
    return {}
  },

  getConfigUsage: async (ctx, { query }) => {
    const zone = await overseasZone(ctx)
    const rows = await ctx
      .transaction(zone)
      .db.select()
      .from(configUsage)
      .where(
        and(
          eq(configUsage.teamId, ctx.teamId),
          eq(configUsage.accountId, ctx.accountId),
          query.configKey ? eq(configUsage.configKey, query.configKey) : undefined,
        ),
      )
      .orderBy(configUsage.configKey)
      .limit(limits.configKeys)
    return { zone, list: rows }
  },

  recordConfigUsage: async (ctx, { body }) => {
    const transaction = ctx.transaction(await overseasZone(ctx))
    await transaction.query('SELECT pg_advisory_xact_lock(106, hashtext($1))', [ctx.accountId])
    const own = and(eq(configUsage.teamId, ctx.teamId), eq(configUsage.accountId, ctx.accountId))
    const isThere = await transaction.db.$count(configUsage, and(own, eq(configUsage.configKey, body.configKey)))
    if (!isThere && (await transaction.db.$count(configUsage, own)) >= limits.configKeys)
      refuse(menuErrors.tooManyConfigKeys, { limit: limits.configKeys })
    const lastUsedAt = ctx.now()
    const [row] = await transaction.db
      .insert(configUsage)
      .values({ teamId: ctx.teamId, accountId: ctx.accountId, ...body, lastUsedAt })
      .onConflictDoUpdate({
        target: [configUsage.teamId, configUsage.accountId, configUsage.configKey],
        set: { value: body.value, uses: sql`${configUsage.uses} + 1`, lastUsedAt },
      })
      .returning()
    return row ?? { ...body, uses: 1, lastUsedAt }
  },

  checkGroup: async (ctx, { body }) => {
    const { zone, groups } = await groupsOf(ctx, [body.groupCode])
    return { zone, groupCode: body.groupCode, isMember: groups[body.groupCode] ?? false }
  },

  checkGroups: (ctx, { body }) => groupsOf(ctx, body.groups),

  getInfoCenterConfig: async ctx => {
    const [row] = await ctx.home.select().from(infoCenterConfigs).where(eq(infoCenterConfigs.accountId, ctx.accountId))
    return row ?? { ...standardConfig, panels: [...standardConfig.panels] }
  },

  updateInfoCenterConfig: async (ctx, { body }) => {
    const { revision, ...values } = body
    const [row] = await ctx.home
      .insert(infoCenterConfigs)
      .values({ accountId: ctx.accountId, ...values, updatedAt: ctx.now() })
      .onConflictDoUpdate({
        target: infoCenterConfigs.accountId,
        set: { ...values, updatedAt: ctx.now(), revision: revision + 1 },
        setWhere: eq(infoCenterConfigs.revision, revision),
      })
      .returning()
    if (row?.revision === revision + 1) return row
    const [now] = await ctx.home.select().from(infoCenterConfigs).where(eq(infoCenterConfigs.accountId, ctx.accountId))
    refuse(commonErrors.stale, { revision: row ? 0 : (now?.revision ?? 0) })
  },
}

/** Which of some groups the team is in, in the zone that the overseas switch names. */
async function groupsOf(ctx: Context, codes: readonly string[]) {
  const zone = await overseasZone(ctx)
  const rows = await ctx
    .transaction(zone)
    .db.select({ groupCode: userGroupTeams.groupCode })
    .from(userGroupTeams)
    .where(and(eq(userGroupTeams.teamId, ctx.teamId), inArray(userGroupTeams.groupCode, [...codes])))
  const joined = new Set(rows.map(row => row.groupCode))
  return { zone, groups: Object.fromEntries(codes.map(code => [code, joined.has(code)])) }
}
