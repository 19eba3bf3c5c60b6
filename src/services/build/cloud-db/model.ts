import type { ZoneId } from '../../../kernel/zones.ts'
import type { Server } from '../../../server/server.ts'
import type { FieldOf, ObjectType } from './schema/contract.ts'
import { type FieldType, isAutoIncrement, isLong, keyOf } from './schema/rules.ts'

/**
 * A value as it is kept in memory: Long as decimal text, ByteArray as base64, Date as epoch milliseconds, what is sealed
 * or encrypted as the text it is.
 */
export type Cell = null | boolean | number | string

/** A field with its column. */
export interface Column {
  name: string
  key: string
  type: FieldType
  /** Quoted. */
  sql: string
  /** Where it stands in a row as it is read. */
  at: number
  isKey: boolean
  isLong: boolean
  isAuto: boolean
  /** Sealed by us. */
  isSealed: boolean
  /** Encrypted by the app. */
  isOpaque: boolean
  notNull: boolean
  hasDefault: boolean
}

/** An object type ready for work: its columns, and statements that were put together once. */
export interface TypeModel {
  name: string
  key: string
  definition: ObjectType
  columns: readonly Column[]
  byName: ReadonlyMap<string, Column>
  keys: readonly Column[]
  auto: Column | null
  /** Fields of indexes that can be used, the first ones first. */
  indexes: readonly (readonly { column: Column; isDescending: boolean }[])[]
  /** What was put together for this model, by what it is for. */
  made: Map<string, unknown>
}

export interface DataZone {
  zoneId: string
  name: string
  key: string
  /** Quoted name of the schema. */
  schema: string
}

/** The cloud database of a project as this process remembers it. */
export interface Database {
  projectId: string
  teamId: string
  isEnabled: boolean
  schemaVersion: number
  retentionDays: number
  types: ReadonlyMap<string, TypeModel>
  zones: ReadonlyMap<string, DataZone>
}

/** Where rows are read and written. */
export interface Place {
  server: Server
  zone: ZoneId
  database: Database
  dataZone: DataZone
  type: TypeModel
  /** How many functions of the project led to the call, where any did. */
  hops?: number
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const tableOf = (zone: DataZone, type: Pick<TypeModel, 'key'>): string =>
  `${zone.schema}.${quoted(`o_${type.key}`)}`
export const countersOf = (zone: DataZone): string => `${zone.schema}."naturalbase_versions"`

/** The model of a definition. */
export function modelOf(definition: ObjectType, building: ReadonlySet<string> = new Set()): TypeModel {
  const columns = definition.fields.map((field, at) => columnOf(field, at))
  const byName = new Map(columns.map(column => [column.name, column]))
  const byKey = new Map(columns.map(column => [column.key, column]))
  return {
    name: definition.objectTypeName,
    key: keyOf(definition.objectTypeName),
    definition,
    columns,
    byName,
    keys: columns.filter(column => column.isKey),
    auto: columns.find(column => column.isAuto) ?? null,
    indexes: definition.indexes
      .filter(index => !building.has(keyOf(index.indexName)))
      .map(index =>
        index.indexList.flatMap(({ fieldName, sortType }) => {
          const column = byKey.get(keyOf(fieldName))
          return column ? [{ column, isDescending: sortType === 'DESC' }] : []
        }),
      ),
    made: new Map(),
  }
}

function columnOf(field: FieldOf, at: number): Column {
  const { fieldName, fieldType } = field
  const isKey = field.belongPrimaryKey === true
  return {
    name: fieldName,
    key: keyOf(fieldName),
    type: fieldType,
    sql: quoted(keyOf(fieldName)),
    at,
    isKey,
    isLong: isLong(fieldType),
    isAuto: isAutoIncrement(fieldType),
    isSealed: field.isSensitive === true,
    isOpaque: field.isNeedEncrypt === true,
    notNull: isKey || field.notNull === true,
    hasDefault: field.defaultValue !== undefined && field.defaultValue !== null,
  }
}

/** Something that is put together once for a model. */
export function madeOnce<T>(type: TypeModel, name: string, make: () => T): T {
  let made = type.made.get(name) as T | undefined
  if (made === undefined) {
    made = make()
    type.made.set(name, made)
  }
  return made
}
