/** What an object type may be: one decision for the server and for the form. Numbers are those of the public client. */

const plainTypes = ['Boolean', 'Byte', 'Short', 'Integer', 'Long', 'Float', 'Double'] as const
const otherTypes = ['ByteArray', 'String', 'Text', 'Date', 'IntAutoIncrement', 'LongAutoIncrement'] as const
export const fieldTypes = [...plainTypes, ...otherTypes] as const
export type FieldType = (typeof fieldTypes)[number]

export const roles = ['World', 'Authenticated', 'Creator', 'Administrator'] as const
export type Role = (typeof roles)[number]
export const rights = ['Read', 'Upsert', 'Delete'] as const
export type Right = (typeof rights)[number]

export interface Field {
  fieldName: string
  fieldType: FieldType
  belongPrimaryKey?: boolean | undefined
  notNull?: boolean | undefined
  /** Encrypted by the app: we keep what it sends. */
  isNeedEncrypt?: boolean | undefined
  /** Sealed by us at rest. */
  isSensitive?: boolean | undefined
  defaultValue?: string | null | undefined
}

export interface Index {
  indexName: string
  indexList: { fieldName: string; sortType: 'ASC' | 'DESC' }[]
}

export interface Permission {
  role: Role
  rights: Right[]
}

export interface ObjectType {
  objectTypeName: string
  fields: Field[]
  indexes: Index[]
  permissions: Permission[]
}

/** Something wrong with a type; `pointer` says where. */
export const limits = {
  types: 50,
  zones: 4,
  fields: 64,
  stringFields: 20,
  primaryKeys: 5,
  indexes: 16,
  indexFields: 5,
  guardedFields: 5,
  nameLength: 30,
  zoneNameLength: 20,
  stringLength: 200,
  textDefault: 200,
  recordBytes: 2 * 1024 * 1024,
  writeBytes: 20 * 1024 * 1024,
  writeObjects: 1000,
  /** Bytes that all clients of a project write in a second. */
  writeBytesPerSecond: 10 * 1024 * 1024,
  conditions: 30,
  inValues: 100,
  queryRows: 1000,
  uidLength: 100,
  importBytes: 20 * 1024 * 1024,
  exportRows: 1000,
  retentionDays: 60,
  usualRetentionDays: 30,
  /** Beyond these rows a query needs an index, and an index is built beside the work. */
  unindexedRows: 20_000,
  plainIndexRows: 100_000,
} as const

const reservedTypes = new Set(
  [
    ...['naturalbase_metadata', 'objecttypeinfohelper', 't_data_upgrade_info', 't_index_schema', 't_nstore_config'],
    ...['t_schema_negotiate_info', 't_metadata_schema', 't_nstore_permission', 't_system_config'],
  ].map(name => name.toLowerCase()),
)
const reservedFields = new Set([
  ...['version', 'deleted', 'operationtype', 'creator', 'accesstime', 'operationtime', 'syncstatus'].map(
    one => `naturalbase_${one}`,
  ),
  ...['changedfieldsbitmap', 'lastmodifier', 'deletedtime'].map(one => `naturalbase_${one}`),
  ...['cmin', 'cmax', 'xmin', 'xmax', 'ctid', 'oid', 'tableoid', 'xc_node_id', 'tablebucketid', 'rowid'],
])

const nameForm = /^[A-Za-z](?:[A-Za-z0-9_]*[A-Za-z0-9])?$/
const zoneForm = /^[A-Za-z][A-Za-z0-9]*$/

export const keyOf = (name: string): string => name.toLowerCase()

export function isTypeName(name: string): boolean {
  const key = keyOf(name)
  return (
    nameForm.test(name) && name.length <= limits.nameLength && !key.startsWith('sqlite_') && !reservedTypes.has(key)
  )
}

export function isFieldName(name: string): boolean {
  return nameForm.test(name) && name.length <= limits.nameLength && !reservedFields.has(keyOf(name))
}

export const isIndexName = (name: string): boolean => nameForm.test(name) && name.length <= limits.nameLength

export function isZoneName(name: string): boolean {
  return zoneForm.test(name) && name.length <= limits.zoneNameLength && keyOf(name) !== 'privatedefault'
}

export const isNumeric = (type: FieldType): boolean =>
  ['Byte', 'Short', 'Integer', 'Long', 'Float', 'Double', 'IntAutoIncrement', 'LongAutoIncrement'].includes(type)
export const isAutoIncrement = (type: FieldType): boolean => type.endsWith('AutoIncrement')
export const isLong = (type: FieldType): boolean => type === 'Long' || type === 'LongAutoIncrement'
export const isWords = (type: FieldType): boolean => type === 'String' || type === 'Text'

/** What each type cannot be: what the dialogs grey out. */
export function possibilitiesOf(type: FieldType): {
  primaryKey: boolean
  notNull: boolean
  encrypt: boolean
  sensitive: boolean
  defaultValue: boolean
  index: boolean
} {
  const auto = isAutoIncrement(type)
  return {
    primaryKey: !['ByteArray', 'Text', 'Date', 'Double', 'Float', 'Boolean'].includes(type),
    notNull: type !== 'ByteArray' && type !== 'Date' && !auto,
    encrypt: type !== 'Text' && type !== 'ByteArray' && !auto,
    sensitive: !auto,
    defaultValue: type !== 'ByteArray' && type !== 'Date' && !auto,
    index: type !== 'ByteArray' && type !== 'Text',
  }
}

const integerRanges: Partial<Record<FieldType, readonly [bigint, bigint]>> = {
  Byte: [-128n, 127n],
  Short: [-32_768n, 32_767n],
  Integer: [-2_147_483_648n, 2_147_483_647n],
  Long: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
  IntAutoIncrement: [1n, 2_147_483_647n],
  LongAutoIncrement: [1n, 9_223_372_036_854_775_807n],
}
export const integerRangeOf = (type: FieldType) => integerRanges[type]
export const largestFloat = 3.4028234663852886e38
/** Years 1000 to 9999: the form in which dates are answered has four digits. */
export const dateRange = [-30_610_224_000_000, 253_402_300_799_999] as const

/** Whether a default can be a value of the type; written as text. */
export function isDefault(type: FieldType, value: string): boolean {
  const range = integerRanges[type]
  if (range) {
    if (!/^-?[0-9]{1,19}$/.test(value)) return false
    const whole = BigInt(value)
    return whole >= range[0] && whole <= range[1]
  }
  switch (type) {
    case 'Boolean':
      return value === 'true' || value === 'false'
    case 'Float':
    case 'Double': {
      if (!/^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?$/.test(value)) return false
      const read = Number(value)
      return Number.isFinite(read) && (type === 'Double' || Math.abs(read) <= largestFloat)
    }
    case 'String':
      return [...value].length <= limits.stringLength && !value.includes('\0')
    case 'Text':
      return [...value].length <= limits.textDefault && !value.includes('\0')
    default:
      return false
  }
}

export const defaultPermissions: readonly Permission[] = [
  { role: 'World', rights: ['Read'] },
  { role: 'Authenticated', rights: ['Read'] },
  { role: 'Creator', rights: ['Read', 'Upsert', 'Delete'] },
  { role: 'Administrator', rights: ['Read', 'Upsert', 'Delete'] },
]

/** With any field that the app encrypts, only who holds the key may come near: World and Authenticated have no right. */
export function isLocked(type: Pick<ObjectType, 'fields'>, role: Role): boolean {
  return (role === 'World' || role === 'Authenticated') && type.fields.some(field => field.isNeedEncrypt)
}

export function holds(type: Pick<ObjectType, 'permissions'>, role: Role, right: Right): boolean {
  return type.permissions.some(one => one.role === role && one.rights.includes(right))
}
