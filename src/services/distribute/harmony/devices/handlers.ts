import { eq, sql } from 'drizzle-orm'
import { isoInstant } from '../../../../kernel/dates.ts'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { Language, LocalText } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { rowsOfPages, spreadsheet } from '../../../../server/spreadsheet.ts'
import { teamNamed } from '../../../ground/teams/public.ts'
import { inTurn } from '../in-turn.ts'
import { type DeviceState, deviceCycle, profileTypes, readDevice } from '../rules.ts'
import { deviceLimits, devices } from '../tables.ts'
import { addDevices } from './adding.ts'
import { devicesContract as contract } from './contract.ts'
import { devicesOfFile } from './file.ts'
import { type DeviceRecord, loadDevice, lockDevices, pageOfDevices, profilesWith, toDevices } from './queries.ts'

const { errors } = contract

/** The first three are named as an import reads them, so that a file can go back in. */
const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['deviceName', 'udid', 'deviceType', '状态', '有效 Profile', '添加时间（UTC）'],
  en: ['deviceName', 'udid', 'deviceType', 'State', 'Valid profiles', 'Added (UTC)'],
  ru: ['deviceName', 'udid', 'deviceType', 'Состояние', 'Действующие профили', 'Добавлено (UTC)'],
}
const states: Readonly<Record<DeviceState, LocalText>> = {
  ACTIVE: { zh: '使用中', en: 'In use', ru: 'Используется' },
  REMOVED: { zh: '已删除', en: 'Deleted', ru: 'Удалено' },
}

export default implement(contract, {
  addDevices: (ctx, { body }) => addDevices(ctx, body.deviceList),

  renameDevice: async (ctx, { body }) => {
    ctx.assertScope({})
    await inTurn(ctx)
    const row = await loadDevice(ctx, body.id)
    const { deviceId, state, revision, udid, type } = row
    const read = readDevice({ deviceName: body.deviceName, udid, deviceType: type })
    if ('problem' in read) refuse(errors.deviceInvalid, { problem: read.problem })
    const { deviceName } = read
    await transition(ctx, {
      cycle: deviceCycle,
      table: 'harmony_devices',
      idColumn: 'device_id',
      row: { id: deviceId, state, revision },
      action: 'rename',
      note: { deviceName },
      data: { deviceName },
    })
    const [renamed] = await ctx.db
      .update(devices)
      .set({ name: deviceName })
      .where(eq(devices.deviceId, deviceId))
      .returning()
      .catch(error => {
        if (isDuplicate(error, 'harmony_devices_name')) refuse(errors.deviceName, { deviceName })
        throw error
      })
    return (await toDevices(ctx, [renamed!]))[0]!
  },

  deleteDevice: async (ctx, { query }) => {
    ctx.assertScope({})
    await inTurn(ctx)
    const row = await loadDevice(ctx, query.id)
    if (row.state !== 'ACTIVE') refuse(commonErrors.notFound, { entity: 'device', id: query.id })
    await remove(ctx, row, await profilesWith(ctx, [query.id]), query.force ?? false)
    return {}
  },

  deleteDevices: async (ctx, { body }) => {
    ctx.assertScope({})
    await inTurn(ctx)
    const rows = await lockDevices(ctx, body.ids)
    const users = Map.groupBy(await profilesWith(ctx, body.ids), one => one.deviceId)
    const failed: { id: string; code: number; message: string }[] = []
    for (const id of body.ids) {
      const row = rows.get(id)
      try {
        if (row?.state !== 'ACTIVE') refuse(commonErrors.notFound, { entity: 'device', id })
        await remove(ctx, row, users.get(id) ?? [], body.force ?? false)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        failed.push({ id, code: error.number, message: error.message })
      }
    }
    return {
      successedCount: body.ids.length - failed.length,
      failedCount: failed.length,
      failedDeviceDetail: failed,
    }
  },

  listDevices: (ctx, { query }) => pageOfDevices(ctx, query),
  findDevices: (ctx, { body }) => pageOfDevices(ctx, body),

  importDevices: async (ctx, { stream }) => {
    const given = await devicesOfFile(stream)
    return ctx.transact(inner => addDevices(inner, given))
  },

  exportDevices: async (ctx, { query: { format, language, ...wish } }) => {
    const spoken = language ?? ctx.place.language
    const read = (cursor: string | undefined) =>
      ctx.transact(inner => pageOfDevices(inner, { ...wish, pageSize: 1000, ...(cursor !== undefined && { cursor }) }))
    return spreadsheet(format, {
      fileName: `devices-${isoInstant(ctx.now()).slice(0, 10)}`,
      columns: columns[spoken],
      rows: rowsOfPages(read, one => [
        ...[one.deviceName, one.udid, one.deviceType],
        ...[states[one.state][spoken], one.profileCount, isoInstant(one.createTime)],
      ]),
    })
  },

  setDeviceLimit: async (ctx, { body }) => {
    const { teamId, devicesOfType } = body
    if (!(await teamNamed(ctx, teamId))) refuse(commonErrors.notFound, { entity: 'team', id: teamId })
    const updatedAt = ctx.now()
    await ctx.db
      .insert(deviceLimits)
      .values({ teamId, devicesOfType, updatedAt })
      .onConflictDoUpdate({
        target: deviceLimits.teamId,
        set: { devicesOfType: sql`excluded.devices_of_type`, updatedAt },
      })
    ctx.audit({ action: 'deviceLimit.set', entity: 'team', entityId: teamId, teamId, after: { devicesOfType } })
    return {}
  },
})

type User = Awaited<ReturnType<typeof profilesWith>>[number]

async function remove(ctx: Context, row: DeviceRecord, users: readonly User[], isForced: boolean): Promise<void> {
  const { deviceId, state, revision, name, type } = row
  const listed = users.filter(one => one.type === profileTypes.listed)
  const namesOf = (some: readonly User[]) => some.map(one => one.name).join(', ')
  await transition(ctx, {
    cycle: deviceCycle,
    table: 'harmony_devices',
    idColumn: 'device_id',
    row: { id: deviceId, state, revision },
    action: 'remove',
    facts: { isUnlisted: listed.length === 0, isFree: users.length === 0 || isForced },
    unmet: fact =>
      fact === 'isUnlisted'
        ? refuse(errors.deviceListed, { deviceName: name, profiles: namesOf(listed) })
        : refuse(errors.deviceInUse, { deviceName: name, profiles: namesOf(users) }),
    data: { deviceName: name, deviceType: type },
  })
  await ctx.db.update(devices).set({ removedAt: ctx.now() }).where(eq(devices.deviceId, deviceId))
}
