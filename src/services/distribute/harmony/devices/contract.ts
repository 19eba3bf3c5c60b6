import { sheetFormats } from '../../../../kernel/cells.ts'
import { service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { deviceActions, deviceStates, deviceTypeNumbers, limits, permissions } from '../rules.ts'

const DeviceType = Type.Integer({ enum: deviceTypeNumbers })
const Count = integer(0, limits.devicesAtOnce)

const Device = shape({
  id: Id,
  deviceName: text(limits.deviceNameLength),
  udid: text(64),
  deviceType: DeviceType,
  state: oneOf(deviceStates),
  /** How many valid profiles name it. */
  profileCount: integer(0, Number.MAX_SAFE_INTEGER),
  createTime: Instant,
  /** Of a removed one: until then it takes its place of the year. */
  countedUntil: nullable(Instant),
  revision: Revision,
  allowedActions: list(oneOf(deviceActions)),
})

/** Looser than what is kept: what is wrong with one device is told beside it, and the others are added. */
const Given = shape({ deviceName: text(1000), udid: text(1000), deviceType: Type.Integer() })
const Failure = shape({
  deviceName: text(1000),
  udid: text(1000),
  /** The line of a file. */
  line: nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  code: Type.Integer(),
  message: text(1000),
})
const Added = shape({ successedCount: Count, failedCount: Count, failedAddDeviceDetail: list(Failure) })

const filters = {
  deviceType: optional(DeviceType),
  state: optional(oneOf(deviceStates)),
  search: optional(text(100)),
}
const Devices = shape({
  ...pageOf(Device).properties,
  /** What counts against the limit of each type. */
  usage: list(
    shape({
      deviceType: DeviceType,
      used: integer(0, limits.devicesOfTypeMost),
      limit: integer(1, limits.devicesOfTypeMost),
    }),
  ),
})

export const devicesContract = service({
  name: 'distribute/harmony',
  prefix: '/cps/device-manage/v1',
  zone: 'current',
  permissions,
  errors: {
    deviceLimit: [
      204144768,
      422,
      'The team has {limit} devices of type {deviceType} this year; the place of a removed one is free a year after it was added.',
    ],
    deviceInUse: [
      204144769,
      422,
      'The device {deviceName} is in valid profiles: {profiles}. Take it out of them, or send force and refresh them after.',
    ],
    deviceInvalid: [204144770, 422, 'The device cannot be taken: {problem}.'],
    deviceName: [204144771, 409, 'The team has a device called {deviceName} already; choose another deviceName.'],
    deviceUdid: [204144772, 409, 'The team has the device {udid} already; leave it out.'],
    deviceListed: [
      204144774,
      422,
      'The device {deviceName} is in release profiles: {profiles}. Take it out of them before you delete it.',
    ],
    fileUnreadable: [202150002, 422, 'The file cannot be read: {reason}.'],
    fileTooLong: [202150003, 422, 'The file has more than {limit} lines of devices; split it.'],
  },
  calls: {
    addDevices: {
      method: 'POST',
      path: '/device',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Adds devices; what is wrong with some is told of each, and the others are added',
      body: shape({ deviceList: Type.Array(Given, { minItems: 1, maxItems: limits.devicesAtOnce }) }),
      answer: Added,
    },
    renameDevice: {
      method: 'PUT',
      path: '/device',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Gives a device another name',
      body: shape({ id: Id, deviceName: text(1000, 1), revision: optional(Revision) }),
      answer: Device,
    },
    deleteDevice: {
      method: 'DELETE',
      path: '/device',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Deletes a device; with force also one of debug profiles, which become invalid',
      query: shape({ id: Id, force: optional(flag()) }),
    },
    deleteDevices: {
      method: 'POST',
      path: '/device/delete/batch',
      who: 'cp',
      may: 'harmony.edit',
      summary: 'Deletes devices; what keeps some is told of each, and the others are deleted',
      body: shape({
        ids: Type.Array(Id, { minItems: 1, maxItems: limits.devicesAtOnce, uniqueItems: true }),
        force: optional(flag()),
      }),
      answer: shape({
        successedCount: Count,
        failedCount: Count,
        failedDeviceDetail: list(shape({ id: Id, code: Type.Integer(), message: text(1000) })),
      }),
    },
    listDevices: {
      method: 'GET',
      path: '/device/list',
      who: 'cp',
      may: 'harmony.read',
      summary: 'Devices of the team, the newest first; those in use unless another state is named',
      query: shape({ ...filters, ...PageQuery }),
      answer: Devices,
    },
    findDevices: {
      method: 'POST',
      path: '/device/list',
      who: 'cp',
      may: 'harmony.read',
      summary: 'The same list, also of given devices',
      body: shape({
        ...filters,
        ids: optional(Type.Array(Id, { maxItems: 100, uniqueItems: true })),
        udids: optional(Type.Array(text(64), { maxItems: 100, uniqueItems: true })),
        ...PageQuery,
      }),
      answer: Devices,
    },
    importDevices: {
      method: 'POST',
      path: '/device/import',
      who: 'cp',
      may: 'harmony.edit',
      kind: 'upload',
      transaction: false,
      summary: 'Adds the devices of a CSV or XLSX file with the columns deviceName, udid and deviceType, with a report',
      answer: Added,
    },
    exportDevices: {
      method: 'GET',
      path: '/device/export',
      who: 'cp',
      may: 'harmony.read',
      kind: 'download',
      summary: 'The list of devices as a file, which an import takes',
      query: shape({ ...filters, format: oneOf(sheetFormats), language: optional(oneOf(languages)) }),
    },
    setDeviceLimit: {
      method: 'PUT',
      path: '/manage/device-limit',
      who: 'manage',
      may: 'store.operate',
      summary: 'Lets a team have another number of devices of each type a year',
      body: shape({ teamId: Id, devicesOfType: integer(1, limits.devicesOfTypeMost) }),
    },
  },
})

export type DeviceView = Static<typeof Device>
export type AddedDevices = Static<typeof Added>
export type DeviceList = Static<typeof Devices>
