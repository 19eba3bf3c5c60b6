import { type Column, countersOf, type DataZone, modelOf, quoted, type TypeModel, tableOf } from '../model.ts'
import type { FieldOf, IndexOf } from './contract.ts'
import { type FieldType, isDefault, keyOf, limits } from './rules.ts'

/** Statements that change tables. Names come from checked definitions and are quoted; nothing else is put into them. */

const types: Record<FieldType, string> = {
  Boolean: 'boolean',
  Byte: 'smallint',
  Short: 'smallint',
  Integer: 'integer',
  Long: 'bigint',
  Float: 'real',
  Double: 'double precision',
  ByteArray: 'bytea',
  String: `varchar(${limits.stringLength}) COLLATE "C"`,
  Text: 'text COLLATE "C"',
  Date: 'timestamptz(3)',
  IntAutoIncrement: 'integer',
  LongAutoIncrement: 'bigint',
}

/** The bare type of a column's values, for parameters. */
export function castOf(column: Pick<Column, 'type' | 'isSealed' | 'isOpaque'>): string {
  if (column.isSealed || column.isOpaque) return 'text'
  return types[column.type].replace(/\(.*$| COLLATE .*$/, '')
}

export function createTable(zone: DataZone, type: TypeModel): string[] {
  const table = tableOf(zone, type)
  const counter = `${zone.schema}.${quoted(`q_${type.key}`)}`
  const columns = type.definition.fields.map(field => columnOf(field, counter))
  return [
    ...(type.auto ? [`CREATE SEQUENCE ${counter} AS bigint`] : []),
    `CREATE TABLE ${table} (${[
      ...columns,
      'naturalbase_version bigint NOT NULL',
      'naturalbase_creator text COLLATE "C"',
      'naturalbase_lastmodifier text',
      'naturalbase_operationtime bigint NOT NULL',
      'naturalbase_deleted boolean NOT NULL DEFAULT false',
      'naturalbase_deletedtime bigint',
      `PRIMARY KEY (${type.keys.map(key => key.sql).join(', ')})`,
    ].join(', ')})`,
    `CREATE INDEX ${quoted(`c_${type.key}`)} ON ${table} (naturalbase_creator) WHERE NOT naturalbase_deleted`,
    `CREATE INDEX ${quoted(`d_${type.key}`)} ON ${table} (naturalbase_deletedtime) WHERE naturalbase_deleted`,
    ...type.definition.indexes.map(index => createIndex(zone, type, index)),
  ]
}

/** A table with its rows, indexes and the counter of its keys to another schema: only the catalogue is written. */
export function moveTable(type: Pick<TypeModel, 'key' | 'auto'>, from: DataZone, to: DataZone): string[] {
  const counter = `${from.schema}.${quoted(`q_${type.key}`)}`
  return [
    `ALTER TABLE ${tableOf(from, type)} SET SCHEMA ${to.schema}`,
    ...(type.auto ? [`ALTER SEQUENCE ${counter} SET SCHEMA ${to.schema}`] : []),
  ]
}

export function addField(zone: DataZone, type: Pick<TypeModel, 'key'>, field: FieldOf): string {
  return `ALTER TABLE ${tableOf(zone, type)} ADD COLUMN ${columnOf(field, '')}`
}

export function dropField(zone: DataZone, type: Pick<TypeModel, 'key'>, field: FieldOf): string {
  return `ALTER TABLE ${tableOf(zone, type)} DROP COLUMN ${quoted(keyOf(field.fieldName))}`
}

export const indexName = (type: Pick<TypeModel, 'key'>, index: Pick<IndexOf, 'indexName'>): string =>
  quoted(`i_${type.key}_${keyOf(index.indexName)}`)

export function createIndex(zone: DataZone, type: Pick<TypeModel, 'key'>, index: IndexOf, beside = false): string {
  const fields = index.indexList.map(
    ({ fieldName, sortType }) => `${quoted(keyOf(fieldName))} ${orderOf(sortType === 'DESC')}`,
  )
  const how = beside ? 'CREATE INDEX CONCURRENTLY IF NOT EXISTS' : 'CREATE INDEX'
  return `${how} ${indexName(type, index)} ON ${tableOf(zone, type)} (${fields.join(', ')}) WHERE NOT naturalbase_deleted`
}

export function dropIndex(zone: DataZone, type: Pick<TypeModel, 'key'>, index: IndexOf): string {
  return `DROP INDEX IF EXISTS ${zone.schema}.${indexName(type, index)}`
}

/** What is empty comes first. */
export const orderOf = (isDescending: boolean): string => (isDescending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST')

/** A schema is opened by a function of the owner, who keeps such names to it. */
export const openSchema = (zone: Pick<DataZone, 'schema'>): string =>
  `SELECT open_data_schema(${literal(zone.schema.slice(1, -1))})`

export function openZone(zone: DataZone): string[] {
  return [openSchema(zone), `CREATE SEQUENCE ${countersOf(zone)} AS bigint`]
}

function columnOf(field: FieldOf, counter: string): string {
  const [column] = modelOf({ objectTypeName: 'x', fields: [field], indexes: [], permissions: [] }).columns
  if (!column) throw new Error('a field has a column')
  const isGuarded = column.isSealed || column.isOpaque
  return [
    column.sql,
    isGuarded ? 'text' : types[column.type],
    ...(column.notNull ? ['NOT NULL'] : []),
    ...(column.isAuto ? [`DEFAULT nextval(${literal(counter)})`] : defaultOf(field)),
    ...(column.type === 'Byte' && !isGuarded ? [`CHECK (${column.sql} BETWEEN -128 AND 127)`] : []),
  ].join(' ')
}

function defaultOf(field: FieldOf): string[] {
  const { defaultValue, fieldType } = field
  if (defaultValue === undefined || defaultValue === null) return []
  if (!isDefault(fieldType, defaultValue)) throw new Error('the default was not checked')
  return [`DEFAULT ${literal(defaultValue)}`]
}

function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
