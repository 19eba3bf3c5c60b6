import { and, eq, inArray } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { lockApp } from '../../apps/public.ts'
import { limits, type ProfileAction, profileCycle } from '../rules.ts'
import { devices, profileDevices, profiles } from '../tables.ts'
import { profilesContract as contract } from './contract.ts'
import { issued, nameDevices, type Parts, partsOf } from './issuing.ts'
import { restrictedPermissions } from './permissions.data.ts'
import {
  answerProfile,
  deviceIdsOf,
  loadProfile,
  type ProfileRecord,
  pageOfProfiles,
  signedBytesOf,
} from './queries.ts'

const { errors } = contract

export default implement(contract, {
  listProfiles: (ctx, { query }) => pageOfProfiles(ctx, query),
  getProfile: async (ctx, { params }) => answerProfile(ctx, await loadProfile(ctx, params.id)),
  listPermissions: async () => ({ list: restrictedPermissions.map(one => ({ ...one })) }),

  createProfile: async (ctx, { body }) => {
    const { appId, certId, provisionType, deviceIdList = [] } = body
    const provisionName = body.provisionName.trim()
    const parts = await partsOf(ctx, { appId, certId, provisionType, deviceIds: deviceIdList })
    const limit = limits.profilesOfApp
    if ((await ctx.db.$count(profiles, eq(profiles.appId, appId))) >= limit) refuse(errors.profileLimit, { limit })
    const profileId = ctx.newId()
    await ctx.db
      .insert(profiles)
      .values({
        ...{ profileId, appId, teamId: ctx.teamId, name: provisionName, type: provisionType, state: 'VALID' },
        ...(await issued(ctx, provisionType, parts)),
        createdBy: ctx.accountId,
        createdAt: ctx.now(),
      })
      .catch(orNameTaken(provisionName))
    await nameDevices(ctx, profileId, deviceIdList)
    const row = await loadProfile(ctx, profileId)
    const data = { appId, provisionName, provisionType, certId, uuid: row.uuid, expireAt: row.expireAt }
    const after = { ...data, devices: deviceIdList.length }
    ctx.audit({ action: 'profile.issue', entity: 'profile', entityId: profileId, after })
    ctx.emit({ type: 'profile.issued', entity: 'profile', entityId: profileId, data })
    return answerProfile(ctx, row)
  },

  updateProfile: async (ctx, { body }) => {
    const { appId } = await loadProfile(ctx, body.id)
    await lockApp(ctx, appId)
    const row = await loadProfile(ctx, body.id, 'update')
    const deviceIds = body.deviceIdList ?? (await deviceIdsOf(ctx, row.profileId))
    const certId = body.certId ?? row.certId
    const parts = await partsOf(ctx, { appId, certId, provisionType: row.type, deviceIds })
    return issueAnew(ctx, row, 'edit', parts, body.provisionName?.trim() ?? row.name)
  },

  refreshProfile: async (ctx, { body }) => {
    const { appId } = await loadProfile(ctx, body.id)
    await lockApp(ctx, appId)
    const row = await loadProfile(ctx, body.id, 'update')
    const deviceIds = await devicesStillThere(ctx, row.profileId)
    const parts = await partsOf(ctx, { appId, certId: row.certId, provisionType: row.type, deviceIds })
    return issueAnew(ctx, row, 'refresh', parts, row.name)
  },

  deleteProfile: async (ctx, { query }) => {
    const row = await loadProfile(ctx, query.id, 'update')
    await move(ctx, row, 'delete', {})
    await nameDevices(ctx, row.profileId, [])
    await ctx.db.delete(profiles).where(eq(profiles.profileId, row.profileId))
    return {}
  },

  downloadProfile: async (ctx, { params }) => ({
    headers: {
      'content-type': 'application/pkcs7-mime; smime-type=signed-data',
      'content-disposition': `attachment; filename="${params.id}.p7b"`,
      'cache-control': 'no-store',
    },
    body: await signedBytesOf(ctx, params.id),
  }),
})

async function issueAnew(ctx: Context, row: ProfileRecord, action: ProfileAction, parts: Parts, name: string) {
  const fresh = await issued(ctx, row.type, parts)
  const { certId, uuid, expireAt } = fresh
  await move(ctx, row, action, { certId, uuid, expireAt })
  await ctx.db
    .update(profiles)
    .set({ ...fresh, name, invalidReason: null })
    .where(eq(profiles.profileId, row.profileId))
    .catch(orNameTaken(name))
  await nameDevices(
    ctx,
    row.profileId,
    parts.devices.map(device => device.deviceId),
  )
  return answerProfile(ctx, await loadProfile(ctx, row.profileId))
}

async function move(ctx: Context, row: ProfileRecord, action: ProfileAction, data: Record<string, unknown>) {
  const { profileId, state, revision, appId, name, type } = row
  await transition(ctx, {
    cycle: profileCycle,
    table: 'harmony_profiles',
    idColumn: 'profile_id',
    row: { id: profileId, state, revision },
    action,
    data: { appId, provisionName: name, provisionType: type, ...data },
    note: { appId, ...data },
  })
}

async function devicesStillThere(ctx: Context, profileId: string): Promise<string[]> {
  const ids = await deviceIdsOf(ctx, profileId)
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({ deviceId: devices.deviceId })
    .from(devices)
    .innerJoin(profileDevices, eq(profileDevices.deviceId, devices.deviceId))
    .where(and(eq(profileDevices.profileId, profileId), inArray(devices.deviceId, ids), eq(devices.state, 'ACTIVE')))
  return rows.map(row => row.deviceId)
}

const orNameTaken = (provisionName: string) => (error: unknown) => {
  if (isDuplicate(error, 'harmony_profiles_name')) refuse(errors.profileName, { provisionName })
  throw error
}
