import type { Context } from '../../../../server/context.ts'
import { countersOf, type Database, type DataZone, modelOf, quoted, type TypeModel, tableOf } from '../model.ts'
import { runAll } from '../schema/apply.ts'
import type { ObjectType } from '../schema/contract.ts'
import { moveTable, openSchema } from '../schema/ddl.ts'
import { keptDays } from './contract.ts'

/** What is deleted leaves its place and stands in schemas of its own until its days are over: no row is copied. */

const dayMs = 86_400_000

/** Tables of one data zone that are kept. */
export interface KeptPlace {
  zone: string
  schema: string
}

export interface Kept {
  keptId: string
  kind: 'TYPE' | 'ZONE'
  name: string
  /** The type, or all types of the zone, as they were. */
  objectTypes: ObjectType[]
  places: KeptPlace[]
}

/** Where tables of a deleted zone stand: like a data zone, so that the same statements fit. */
export const keptZone = ({ zone, schema }: KeptPlace): DataZone => ({
  zoneId: '0',
  name: zone,
  key: zone.toLowerCase(),
  schema: quoted(schema),
})

export const placeOf = (keptId: string, zone: DataZone): KeptPlace => ({
  zone: zone.name,
  schema: `cdb_${BigInt(keptId).toString(36)}_${zone.key}`,
})

/** Statements that take a type out of every zone. */
export function keepTypeSql(keptId: string, database: Pick<Database, 'zones'>, type: TypeModel): string[] {
  return [...database.zones.values()].flatMap(zone => {
    const kept = keptZone(placeOf(keptId, zone))
    return [openSchema(kept), ...moveTable(type, zone, kept)]
  })
}

/** Statements that take a whole zone away; its schema is empty then and goes. */
export function keepZoneSql(keptId: string, database: Pick<Database, 'types'>, zone: DataZone): string[] {
  const kept = keptZone(placeOf(keptId, zone))
  return [
    openSchema(kept),
    ...[...database.types.values()].flatMap(type => moveTable(type, zone, kept)),
    `ALTER SEQUENCE ${countersOf(zone)} SET SCHEMA ${kept.schema}`,
    `DROP SCHEMA ${zone.schema}`,
  ]
}

export async function noteKept(ctx: Context, projectId: string, kept: Kept): Promise<void> {
  const { keptId, kind, name, objectTypes, places } = kept
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO cdb_kept (kept_id, project_id, team_id, kind, name, object_types, places, deleted_by, deleted_at, kept_until)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      ...[keptId, projectId, ctx.teamId, kind, name, JSON.stringify(objectTypes), JSON.stringify(places)],
      ...[ctx.caller.name, ctx.now(), ctx.now() + keptDays * dayMs],
    ],
  })
}

/** Sweep: what was kept long enough is gone for good. */
export async function dropOverdue(ctx: Context): Promise<void> {
  const run = ctx.transaction(ctx.zone)
  const { rows } = await run.query<{ kept_id: string; places: KeptPlace[] }>({
    name: 'clouddb kept over',
    text: `DELETE FROM cdb_kept WHERE kept_id IN (SELECT kept_id FROM cdb_kept WHERE kept_until < $1 ORDER BY kept_until LIMIT 20)
      RETURNING kept_id, places`,
    values: [ctx.now()],
  })
  await runAll(
    ctx,
    rows.flatMap(row => row.places.map(place => `DROP SCHEMA ${quoted(place.schema)} CASCADE`)),
  )
}

/** Rows that a user made go out of what is kept as well. */
export async function forgetInKept(ctx: Context, projectId: string, uid: string): Promise<void> {
  const run = ctx.transaction(ctx.zone)
  const { rows } = await run.query<{ object_types: ObjectType[]; places: KeptPlace[] }>({
    text: 'SELECT object_types, places FROM cdb_kept WHERE project_id = $1',
    values: [projectId],
  })
  for (const { object_types, places } of rows) {
    for (const place of places) {
      for (const type of object_types) {
        const text = `DELETE FROM ${tableOf(keptZone(place), modelOf(type))} WHERE naturalbase_creator = $1`
        await run.query({ text, values: [uid] })
      }
    }
  }
}
