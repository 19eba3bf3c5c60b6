import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, lockApp } from '../../apps/public.ts'
import type { CertRecord } from '../certs/queries.ts'
import { harmonyTypes, hasDevices, isCertFor, profileEnd, reminderDue } from '../rules.ts'
import { certs, devices, profileDevices } from '../tables.ts'
import { profilesContract } from './contract.ts'
import { signProfile } from './profile-file.ts'

const { errors } = profilesContract
/** Clocks of devices may be behind. */
const beforehandMs = 3_600_000

/** What a profile is made of. */
export interface Parts {
  app: AppRow
  cert: CertRecord
  devices: { deviceId: string; udid: string }[]
}

/** The app, its certificate and its devices, locked so that none goes while the profile is issued. Refuses what does not fit. */
export async function partsOf(
  ctx: Context,
  wish: { appId: string; certId: string; provisionType: number; deviceIds: readonly string[] },
): Promise<Parts> {
  const { appId, certId, provisionType, deviceIds } = wish
  const app = await lockApp(ctx, appId)
  const { name, packageType, packageName } = app
  if (!harmonyTypes.includes(packageType) || packageName === null) {
    refuse(errors.notHarmony, { name, packageType, packageName: packageName ?? 'no package name' })
  }
  const cert = await validCert(ctx, certId)
  if (!isCertFor(cert.type, provisionType)) refuse(errors.typesDiffer, { certType: cert.type, provisionType })
  if (!hasDevices(provisionType) && deviceIds.length > 0) refuse(errors.devicesNotTaken, { provisionType })
  if (hasDevices(provisionType) && deviceIds.length === 0) refuse(errors.devicesNeeded, { provisionType })
  return { app, cert, devices: await devicesInUse(ctx, deviceIds) }
}

/** What is kept of a profile that is issued now. */
export async function issued(ctx: Context, type: number, { app, cert, devices: on }: Parts) {
  const now = ctx.now()
  const uuid = randomUUID()
  const expireAt = profileEnd(type, cert.expireAt, now)
  const p7b = await signProfile(ctx, {
    ...{ app, cert, type, uuid },
    notBefore: now - beforehandMs,
    notAfter: expireAt,
    udids: on.map(device => device.udid),
  })
  return {
    certId: cert.certId,
    uuid,
    p7b,
    issuedAt: now,
    expireAt,
    reminded: reminderDue(expireAt, null, now),
    updatedAt: now,
  }
}

/** Says on which devices a profile holds, in the place of what was said before. */
export async function nameDevices(ctx: Context, profileId: string, deviceIds: readonly string[]): Promise<void> {
  await ctx.db.delete(profileDevices).where(eq(profileDevices.profileId, profileId))
  if (deviceIds.length === 0) return
  const teamId = ctx.teamId
  await ctx.db.insert(profileDevices).values(deviceIds.map(deviceId => ({ profileId, deviceId, teamId })))
}

async function validCert(ctx: Context, certId: string): Promise<CertRecord> {
  const [cert] = await ctx.db
    .select()
    .from(certs)
    .where(and(eq(certs.certId, certId), eq(certs.teamId, ctx.teamId), eq(certs.state, 'VALID')))
    .for('share')
  if (!cert || cert.expireAt <= ctx.now()) refuse(errors.certMissing, { certId })
  return cert
}

async function devicesInUse(ctx: Context, ids: readonly string[]): Promise<Parts['devices']> {
  if (ids.length === 0) return []
  const found = await ctx.db
    .select({ deviceId: devices.deviceId, udid: devices.udid })
    .from(devices)
    .where(and(inArray(devices.deviceId, [...ids]), eq(devices.teamId, ctx.teamId), eq(devices.state, 'ACTIVE')))
    .orderBy(devices.deviceId)
    .for('share')
  const known = new Set(found.map(one => one.deviceId))
  const missing = ids.filter(id => !known.has(id))
  if (missing.length > 0) refuse(errors.devicesMissing, { ids: missing.slice(0, 20), count: missing.length })
  return found
}
