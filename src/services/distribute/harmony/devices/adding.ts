import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { type ErrorRow, Refusal, type RefusalDetail } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { inTurn } from '../in-turn.ts'
import { type DeviceWish, deviceCycle, limits, readDevice } from '../rules.ts'
import { devices } from '../tables.ts'
import { type AddedDevices, devicesContract } from './contract.ts'
import { type DeviceRecord, usageOf } from './queries.ts'

const { errors } = devicesContract

/** A device as somebody wrote it: with the line of a file, and with what was wrong there already. */
export interface GivenDevice extends DeviceWish {
  line?: number
  problem?: string
}

interface Known {
  names: Set<string>
  byUdid: Map<string, DeviceRecord>
  left: Map<number, number>
  limits: Map<number, number>
}

/** Adds those of the devices that can be; of the others it tells why they cannot. */
export async function addDevices(ctx: Context, given: readonly GivenDevice[]): Promise<AddedDevices> {
  ctx.assertScope({})
  await inTurn(ctx)
  const read = given.map(one => ({
    one,
    device: one.problem === undefined ? readDevice(one) : { problem: one.problem },
  }))
  const known = await look(
    ctx,
    read.flatMap(({ device }) => ('problem' in device ? [] : [device])),
  )
  const failed: AddedDevices['failedAddDeviceDetail'] = []
  const fresh: DeviceWish[] = []
  for (const { one, device } of read) {
    const refusal = 'problem' in device ? said(errors.deviceInvalid, device) : objectionTo(device, known, ctx.now())
    if (refusal) failed.push({ ...shown(one), code: refusal.number, message: refusal.message })
    else if (!('problem' in device) && !(await bringBack(ctx, device, known))) fresh.push(device)
  }
  await insert(ctx, fresh)
  return {
    successedCount: given.length - failed.length,
    failedCount: failed.length,
    failedAddDeviceDetail: failed,
  }
}

const said = (row: ErrorRow, detail: RefusalDetail) => new Refusal(row, detail)
const shown = ({ deviceName, udid, line }: GivenDevice) => ({
  deviceName: deviceName.slice(0, 1000),
  udid: udid.slice(0, 1000),
  line: line ?? null,
})

async function look(ctx: Context, wishes: readonly DeviceWish[]): Promise<Known> {
  const names = wishes.map(one => one.deviceName.toLowerCase())
  const udids = wishes.map(one => one.udid)
  const rows = await ctx.db
    .select()
    .from(devices)
    .where(
      and(
        eq(devices.teamId, ctx.teamId),
        or(inArray(devices.udid, udids), and(inArray(sql`lower(${devices.name})`, names), eq(devices.state, 'ACTIVE'))),
      ),
    )
    .for('update')
  const usage = await usageOf(ctx)
  return {
    names: new Set(rows.filter(row => row.state === 'ACTIVE').map(row => row.name.toLowerCase())),
    byUdid: new Map(rows.map(row => [row.udid, row])),
    left: new Map(usage.map(one => [one.deviceType, one.limit - one.used])),
    limits: new Map(usage.map(one => [one.deviceType, one.limit])),
  }
}

/** Why a device cannot be added; null when it can, and then its name, its UDID and its place are taken. */
function objectionTo({ deviceName, udid, deviceType }: DeviceWish, known: Known, now: number): Refusal | null {
  const before = known.byUdid.get(udid)
  if (before?.state === 'ACTIVE') return said(errors.deviceUdid, { udid })
  const key = deviceName.toLowerCase()
  if (known.names.has(key)) return said(errors.deviceName, { deviceName })
  // One that comes back within its year has its place still.
  const hasPlace = before !== undefined && before.type === deviceType && now - before.countedAt < limits.deviceYearMs
  const left = known.left.get(deviceType) ?? 0
  if (!hasPlace && left <= 0) {
    return said(errors.deviceLimit, { limit: known.limits.get(deviceType), deviceType })
  }
  if (!hasPlace) known.left.set(deviceType, left - 1)
  known.names.add(key)
  return null
}

async function bringBack(ctx: Context, device: DeviceWish, known: Known): Promise<boolean> {
  const { deviceName, udid, deviceType } = device
  const before = known.byUdid.get(udid)
  if (!before) {
    // A second one of the same UDID in one call is known from here on.
    known.byUdid.set(udid, { state: 'ACTIVE' } as DeviceRecord)
    return false
  }
  const { deviceId, state, revision } = before
  const now = ctx.now()
  const hasPlace = before.type === deviceType && now - before.countedAt < limits.deviceYearMs
  await transition(ctx, {
    cycle: deviceCycle,
    table: 'harmony_devices',
    idColumn: 'device_id',
    row: { id: deviceId, state, revision },
    action: 'return',
    data: { deviceName, deviceType },
  })
  await ctx.db
    .update(devices)
    .set({ name: deviceName, type: deviceType, removedAt: null, ...(hasPlace ? {} : { countedAt: now }) })
    .where(eq(devices.deviceId, deviceId))
  known.byUdid.set(udid, { ...before, state: 'ACTIVE' })
  return true
}

async function insert(ctx: Context, wishes: readonly DeviceWish[]): Promise<void> {
  if (wishes.length === 0) return
  const now = ctx.now()
  const rows = wishes.map(({ deviceName, udid, deviceType }) => ({
    deviceId: ctx.newId(),
    teamId: ctx.teamId,
    name: deviceName,
    udid,
    type: deviceType,
    state: 'ACTIVE' as const,
    countedAt: now,
    createdBy: ctx.accountId,
    createdAt: now,
    updatedAt: now,
  }))
  await ctx.db.insert(devices).values(rows)
  for (const { deviceId, name, udid, type } of rows) {
    const data = { deviceName: name, deviceType: type }
    ctx.audit({ action: 'device.add', entity: 'device', entityId: deviceId, after: { ...data, udid } })
    ctx.emit({ type: 'device.added', entity: 'device', entityId: deviceId, data })
  }
}
