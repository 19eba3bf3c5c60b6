import { and, count, desc, eq, gt, ilike, inArray, lt, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { type DeviceState, deviceCycle, deviceTypeNumbers, limits } from '../rules.ts'
import { deviceLimits, devices, profileDevices, profiles } from '../tables.ts'
import type { DeviceList, DeviceView } from './contract.ts'

export type DeviceRecord = typeof devices.$inferSelect

export interface DeviceFilter {
  deviceType?: number
  state?: DeviceState
  search?: string
  ids?: readonly string[]
  udids?: readonly string[]
  cursor?: string
  pageSize?: number
}

/** Those of the devices that the team has, by their ids; locked in one order. */
export async function lockDevices(ctx: Context, ids: readonly string[]): Promise<Map<string, DeviceRecord>> {
  const rows = await ctx.db
    .select()
    .from(devices)
    .where(and(inArray(devices.deviceId, [...ids]), eq(devices.teamId, ctx.teamId)))
    .orderBy(devices.deviceId)
    .for('update')
  return new Map(rows.map(row => [row.deviceId, row]))
}

/** Refuses 404 for another team's. */
export async function loadDevice(ctx: Context, id: string): Promise<DeviceRecord> {
  return (await lockDevices(ctx, [id])).get(id) ?? refuse(commonErrors.notFound, { entity: 'device', id })
}

export async function pageOfDevices(ctx: Context, wish: DeviceFilter): Promise<DeviceList> {
  const like = wish.search ? `%${wish.search.trim().replace(/[\\%_]/g, '\\$&')}%` : undefined
  const matching = and(
    eq(devices.teamId, ctx.teamId),
    eq(devices.state, wish.state ?? 'ACTIVE'),
    wish.deviceType === undefined ? undefined : eq(devices.type, wish.deviceType),
    like === undefined ? undefined : or(ilike(devices.name, like), ilike(devices.udid, like)),
    wish.ids === undefined ? undefined : inArray(devices.deviceId, [...wish.ids]),
    wish.udids === undefined
      ? undefined
      : inArray(
          devices.udid,
          wish.udids.map(udid => udid.toUpperCase()),
        ),
  )
  const pageSize = wish.pageSize ?? 20
  const isCursor = /^[0-9]{1,18}$/.test(wish.cursor ?? '')
  const rows = await ctx.db
    .select()
    .from(devices)
    .where(and(matching, isCursor ? lt(devices.deviceId, wish.cursor as string) : undefined))
    .orderBy(desc(devices.deviceId))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(devices, matching),
    list: await toDevices(ctx, page),
    nextCursor: rows.length > pageSize ? (page.at(-1)?.deviceId ?? null) : null,
    usage: await usageOf(ctx),
  }
}

/** How many devices of each type count now, and how many may: those in use, and those removed within their year. */
export async function usageOf(ctx: Context): Promise<DeviceList['usage']> {
  const since = ctx.now() - limits.deviceYearMs
  const [own] = await ctx.db
    .select({ limit: deviceLimits.devicesOfType })
    .from(deviceLimits)
    .where(eq(deviceLimits.teamId, ctx.teamId))
  const rows = await ctx.db
    .select({ type: devices.type, used: count() })
    .from(devices)
    .where(and(eq(devices.teamId, ctx.teamId), or(eq(devices.state, 'ACTIVE'), gt(devices.countedAt, since))))
    .groupBy(devices.type)
  return deviceTypeNumbers.map(deviceType => ({
    deviceType,
    used: rows.find(row => row.type === deviceType)?.used ?? 0,
    limit: own?.limit ?? limits.devicesOfType,
  }))
}

export async function toDevices(ctx: Context, rows: readonly DeviceRecord[]): Promise<DeviceView[]> {
  const users = await profilesWith(
    ctx,
    rows.map(row => row.deviceId),
  )
  return rows.map(row => ({
    id: row.deviceId,
    deviceName: row.name,
    udid: row.udid,
    deviceType: row.type,
    state: row.state,
    profileCount: users.filter(one => one.deviceId === row.deviceId).length,
    createTime: row.createdAt,
    countedUntil: row.state === 'REMOVED' ? row.countedAt + limits.deviceYearMs : null,
    revision: row.revision,
    allowedActions: allowedActions(deviceCycle, row.state, permission => ctx.may(permission)).filter(
      action => action !== 'return',
    ),
  }))
}

/** The valid profiles that name any of the devices, once for each. */
export async function profilesWith(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return []
  return ctx.db
    .select({
      deviceId: profileDevices.deviceId,
      profileId: profiles.profileId,
      name: profiles.name,
      type: profiles.type,
    })
    .from(profileDevices)
    .innerJoin(profiles, eq(profiles.profileId, profileDevices.profileId))
    .where(
      and(
        inArray(profileDevices.deviceId, [...ids]),
        eq(profileDevices.teamId, ctx.teamId),
        eq(profiles.state, 'VALID'),
      ),
    )
}
