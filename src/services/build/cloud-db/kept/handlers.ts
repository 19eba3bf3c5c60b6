import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { openDatabase, schemaChannel } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { changeOf } from '../design/rules.ts'
import { countersOf, type Database, type DataZone, modelOf, quoted } from '../model.ts'
import { changingSchema, countSchema, definitionsOf, heldDatabase, runAll, saveType } from '../schema/apply.ts'
import type { ObjectType } from '../schema/contract.ts'
import { addField, createIndex, createTable, dropField, dropIndex, moveTable, openSchema } from '../schema/ddl.ts'
import { keyOf, limits } from '../schema/rules.ts'
import { cloudDbKept as contract } from './contract.ts'
import { type Kept, keptZone } from './store.ts'

export default implement(contract, {
  listKept: async (ctx, { query }) => {
    await openDatabase(ctx, query.projectId)
    const { rows } = await ctx.transaction(ctx.zone).query<{
      keptId: string
      kind: 'TYPE' | 'ZONE'
      name: string
      deletedBy: string
      deletedAt: string
      keptUntil: string
    }>({
      name: 'clouddb kept',
      text: `SELECT kept_id AS "keptId", kind, name, deleted_by AS "deletedBy", deleted_at AS "deletedAt", kept_until AS "keptUntil"
        FROM cdb_kept WHERE project_id = $1 AND team_id = $2 AND kept_until > $3 ORDER BY kept_id DESC LIMIT 100`,
      values: [query.projectId, ctx.teamId, ctx.now()],
    })
    return {
      list: rows.map(row => ({ ...row, deletedAt: Number(row.deletedAt), keptUntil: Number(row.keptUntil) })),
    }
  },

  restoreKept: async (ctx, { body }) =>
    changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, body.projectId)
      const kept = await takeKept(inner, body.projectId, body.keptId)
      const { kind, name } = kept
      const done = kind === 'ZONE' ? await restoreZone(inner, database, kept) : await restoreType(inner, database, kept)
      await runAll(
        inner,
        kept.places.map(place => `DROP SCHEMA ${quoted(place.schema)} CASCADE`),
      )
      inner.audit({
        action: 'cloudDb.restore',
        entity: 'project',
        entityId: body.projectId,
        after: { kind, name, leftOut: done.leftOut },
      })
      return { kind, name, ...done }
    }),
})

async function takeKept(ctx: Context, projectId: string, keptId: string): Promise<Kept> {
  const { rows } = await ctx.transaction(ctx.zone).query<Kept>({
    text: `DELETE FROM cdb_kept WHERE kept_id = $1 AND project_id = $2 AND team_id = $3 AND kept_until > $4
      RETURNING kept_id AS "keptId", kind, name, object_types AS "objectTypes", places`,
    values: [keptId, projectId, ctx.teamId, ctx.now()],
  })
  return rows[0] ?? refuse(contract.errors.noneKept, { keptId })
}

/** The zone gets its tables back; each is brought to what its type is by now. */
async function restoreZone(ctx: Context, database: Database, kept: Kept) {
  const { projectId } = database
  const [place] = kept.places
  if (!place || database.zones.has(keyOf(kept.name))) return refuse(cloudDb.errors.zoneThere, { name: kept.name })
  if (database.zones.size >= limits.zones) refuse(cloudDb.errors.tooManyZones, { limit: limits.zones })
  const from = keptZone(place)
  const schemaName = `cdb_${BigInt(projectId).toString(36)}_${from.key}`
  const zone: DataZone = { ...from, zoneId: ctx.newId(), schema: quoted(schemaName) }
  const before = new Map(kept.objectTypes.map(type => [keyOf(type.objectTypeName), type]))
  const statements = [openSchema(zone), `ALTER SEQUENCE ${countersOf(from)} SET SCHEMA ${zone.schema}`]
  for (const type of database.types.values()) {
    const was = before.get(type.key)
    if (was) statements.push(...moveTable(modelOf(was), from, zone), ...broughtUp(zone, was, type.definition))
    else statements.push(...createTable(zone, type))
  }
  await runAll(ctx, statements)
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO cdb_zones (zone_id, project_id, team_id, name, name_key, schema_name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [zone.zoneId, projectId, ctx.teamId, zone.name, zone.key, schemaName, ctx.now()],
  })
  ctx.signal(ctx.zone, schemaChannel, projectId)
  const leftOut = kept.objectTypes.map(type => type.objectTypeName).filter(name => !database.types.has(keyOf(name)))
  return { version: database.schemaVersion, leftOut }
}

function broughtUp(zone: DataZone, was: ObjectType, now: ObjectType): string[] {
  const change = changeOf(was, now)
  const [problem] = change.problems
  if (problem) refuse(contract.errors.doesNotFit, { typeName: now.objectTypeName, reason: problem.message })
  const type = modelOf(now)
  return [
    ...change.removedIndexes.map(index => dropIndex(zone, type, index)),
    ...change.removed.map(field => dropField(zone, type, field)),
    ...change.added.map(field => addField(zone, type, field)),
    ...change.addedIndexes.map(index => createIndex(zone, type, index)),
  ]
}

/** The type gets its tables back in the zones that still are; newer zones get an empty one. */
async function restoreType(ctx: Context, database: Database, kept: Kept) {
  const [definition] = kept.objectTypes
  if (!definition || database.types.has(keyOf(kept.name))) return refuse(cloudDb.errors.typeThere, { name: kept.name })
  if (database.types.size >= limits.types) refuse(cloudDb.errors.tooManyTypes, { limit: limits.types })
  const type = modelOf(definition)
  const places = new Map(kept.places.map(place => [keyOf(place.zone), place]))
  await runAll(
    ctx,
    [...database.zones.values()].flatMap(zone => {
      const place = places.get(zone.key)
      return place ? moveTable(type, keptZone(place), zone) : createTable(zone, type)
    }),
  )
  const version = await countSchema(ctx, database, [...definitionsOf(database), definition], `+ ${type.name}`)
  await saveType(ctx, database.projectId, definition, version, [])
  const leftOut = kept.places.map(place => place.zone).filter(name => !database.zones.has(keyOf(name)))
  return { version, leftOut }
}
