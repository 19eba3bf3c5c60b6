import { type Change, changeOf } from '../design/rules.ts'
import type { Database, DataZone, TypeModel } from '../model.ts'
import { modelOf, tableOf } from '../model.ts'
import { prepared, type Runner } from '../statements.ts'
import type { ObjectType, Plan } from './contract.ts'
import { addField, createIndex, createTable, dropField, dropIndex } from './ddl.ts'
import { keyOf, limits } from './rules.ts'

/** What a change of the schema does, before it does it. */
export interface ReadyChange {
  plan: Plan
  statements: string[]
  /** Indexes of tables with many rows, which are built beside the work: statements by index. */
  later: { indexName: string; statements: string[] }[]
}

/** Rows of a table, counted up to a little more than a plain index is built over. */
export async function rowsOf(
  run: Runner,
  zone: DataZone,
  type: Pick<TypeModel, 'key'>,
  condition = 'TRUE',
): Promise<number> {
  const most = limits.plainIndexRows + 1
  const text = `SELECT count(*) FROM (SELECT 1 FROM ${tableOf(zone, type)} WHERE ${condition} LIMIT ${most}) AS counted`
  const { rows } = await run.query<{ count: string }>(prepared(text, []))
  return Number(rows[0]?.count)
}

export function planCreate(database: Pick<Database, 'zones'>, type: ObjectType): ReadyChange {
  const model = modelOf(type)
  const statements = [...database.zones.values()].flatMap(zone => createTable(zone, model))
  return { plan: { ddl: statements, lockMs: 0, concurrent: [], breaking: [] }, statements, later: [] }
}

/** `statements` take the tables away; what they are is the caller's to say. */
export async function planDelete(
  run: Runner,
  database: Database,
  type: TypeModel,
  statements: string[],
): Promise<ReadyChange> {
  const breaking: Plan['breaking'] = []
  for (const zone of database.zones.values()) {
    const rows = await rowsOf(run, zone, type)
    if (rows > 0) breaking.push({ code: 2002007, message: `rows of ${type.name} in ${zone.name} are deleted`, rows })
  }
  return { plan: { ddl: statements, lockMs: 5 * statements.length, concurrent: [], breaking }, statements, later: [] }
}

export async function planChange(
  run: Runner,
  database: Database,
  type: TypeModel,
  after: ObjectType,
): Promise<ReadyChange> {
  const change = changeOf(type.definition, after)
  const statements: string[] = []
  const later = new Map<string, string[]>()
  const breaking = rightsBreaking(change)
  let lockMs = 0
  for (const zone of database.zones.values()) {
    const rows = await rowsOf(run, zone, type)
    for (const field of change.removed) {
      const filled = await rowsOf(run, zone, type, `"${keyOf(field.fieldName)}" IS NOT NULL`)
      breaking.push({
        code: 3037039,
        message: `${field.fieldName} is deleted from ${zone.name} with its values`,
        rows: filled,
      })
    }
    statements.push(
      ...change.removedIndexes.map(index => dropIndex(zone, type, index)),
      ...change.removed.map(field => dropField(zone, type, field)),
      ...change.added.map(field => addField(zone, type, field)),
    )
    for (const index of change.addedIndexes) {
      if (rows <= limits.plainIndexRows) {
        statements.push(createIndex(zone, type, index))
        lockMs += Math.ceil(rows / 500)
        continue
      }
      const name = keyOf(index.indexName)
      later.set(name, [...(later.get(name) ?? []), createIndex(zone, type, index, true)])
    }
  }
  const besides = [...later].map(([indexName, made]) => ({ indexName, statements: made }))
  const concurrent = besides.flatMap(one => one.statements)
  return {
    plan: { ddl: statements, lockMs: lockMs + 5 * statements.length, concurrent, breaking },
    statements,
    later: besides,
  }
}

/** Rights that apps may count on and that go. */
function rightsBreaking({ permissions }: Change): Plan['breaking'] {
  return permissions.map(({ role, rights }) => ({
    code: 4026007,
    message: `the rights of ${role} are ${rights.length > 0 ? rights.join(', ') : 'none'} from now on; apps in use notice at once`,
    rows: null,
  }))
}
