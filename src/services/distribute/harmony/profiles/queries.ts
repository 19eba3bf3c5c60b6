import { and, count, desc, eq, getTableColumns, ilike, inArray, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { appInScope, appOf, appsOf } from '../../apps/public.ts'
import { type ProfileState, profileCycle } from '../rules.ts'
import { certs, profileDevices, profiles } from '../tables.ts'
import type { ProfileDetail, ProfileView } from './contract.ts'

/** Without the signed bytes, which only a download wants. */
const { p7b: _, ...columns } = getTableColumns(profiles)
export type ProfileRecord = Omit<typeof profiles.$inferSelect, 'p7b'>

function mine(ctx: Context) {
  return and(eq(profiles.teamId, ctx.teamId), appInScope(ctx, profiles.appId))
}

/** Refuses 404 for another team's, and for one of an app out of the caller's scope. */
export async function loadProfile(ctx: Context, id: string, lock?: 'update'): Promise<ProfileRecord> {
  const query = ctx.db
    .select(columns)
    .from(profiles)
    .where(and(eq(profiles.profileId, id), mine(ctx)))
  const [row] = await (lock ? query.for(lock) : query)
  return row ?? refuse(commonErrors.notFound, { entity: 'profile', id })
}

export async function signedBytesOf(ctx: Context, id: string): Promise<Buffer> {
  const [row] = await ctx.db
    .select({ p7b: profiles.p7b })
    .from(profiles)
    .where(and(eq(profiles.profileId, id), mine(ctx)))
  return row?.p7b ?? refuse(commonErrors.notFound, { entity: 'profile', id })
}

export async function deviceIdsOf(ctx: Context, profileId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ deviceId: profileDevices.deviceId })
    .from(profileDevices)
    .where(eq(profileDevices.profileId, profileId))
    .orderBy(profileDevices.deviceId)
  return rows.map(row => row.deviceId)
}

interface Wish {
  appId?: string
  provisionType?: number
  state?: ProfileState
  search?: string
  cursor?: string
  pageSize?: number
}

export async function pageOfProfiles(ctx: Context, wish: Wish) {
  if (wish.appId !== undefined) await appOf(ctx, wish.appId)
  const matching = and(
    mine(ctx),
    wish.appId === undefined ? undefined : eq(profiles.appId, wish.appId),
    wish.provisionType === undefined ? undefined : eq(profiles.type, wish.provisionType),
    wish.state === undefined ? undefined : eq(profiles.state, wish.state),
    wish.search ? ilike(profiles.name, `%${wish.search.trim().replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const pageSize = wish.pageSize ?? 20
  const isCursor = /^[0-9]{1,18}$/.test(wish.cursor ?? '')
  const rows = await ctx.db
    .select(columns)
    .from(profiles)
    .where(and(matching, isCursor ? lt(profiles.profileId, wish.cursor as string) : undefined))
    .orderBy(desc(profiles.profileId))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(profiles, matching),
    list: await toProfiles(ctx, page),
    nextCursor: rows.length > pageSize ? (page.at(-1)?.profileId ?? null) : null,
  }
}

/** Profiles with the names of what they are of; three queries, however many. */
export async function toProfiles(ctx: Context, rows: readonly ProfileRecord[]): Promise<ProfileView[]> {
  if (rows.length === 0) return []
  const apps = new Map(
    (
      await appsOf(
        ctx,
        rows.map(row => row.appId),
      )
    ).map(app => [app.appId, app]),
  )
  const certIds = rows.map(row => row.certId)
  const found = await ctx.db
    .select({ certId: certs.certId, name: certs.name, state: certs.state })
    .from(certs)
    .where(inArray(certs.certId, certIds))
  const byCert = new Map(found.map(one => [one.certId, one]))
  const counted = await ctx.db
    .select({ profileId: profileDevices.profileId, devices: count() })
    .from(profileDevices)
    .where(
      inArray(
        profileDevices.profileId,
        rows.map(row => row.profileId),
      ),
    )
    .groupBy(profileDevices.profileId)
  const counts = new Map(counted.map(one => [one.profileId, one.devices]))
  return rows.map(row => {
    const { appId, certId, state, invalidReason, uuid, revision } = row
    const app = apps.get(appId)
    const cert = byCert.get(certId)
    return {
      ...{ appId, certId, state, invalidReason, uuid, revision },
      id: row.profileId,
      provisionName: row.name,
      provisionType: row.type,
      appName: app?.name ?? appId,
      packageName: app?.packageName ?? '',
      certName: cert?.name ?? certId,
      certState: cert?.state ?? ('EXPIRED' as const),
      deviceCount: counts.get(row.profileId) ?? 0,
      createTime: row.createdAt,
      issueTime: row.issuedAt,
      expireTime: row.expireAt,
      allowedActions: allowedActions(profileCycle, state, permission =>
        ctx.may(permission),
      ) as ProfileView['allowedActions'],
    }
  })
}

export async function answerProfile(ctx: Context, row: ProfileRecord): Promise<ProfileDetail> {
  const [profile] = await toProfiles(ctx, [row])
  return { ...profile!, deviceIdList: await deviceIdsOf(ctx, row.profileId) }
}
