import { refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { hopsIn } from '../../../server/call-chain.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { cloudDb } from './contract.ts'
import { type Database, type DataZone, modelOf, type Place, quoted, type TypeModel } from './model.ts'
import type { ObjectType } from './schema/contract.ts'
import { keyOf } from './schema/rules.ts'

/** Projects whose schema a process remembers; a change is told by this channel and dropped. */
export const schemaChannel = 'clouddb'
const mostRemembered = 5_000

interface Rows {
  database: { team_id: string; is_enabled: boolean; schema_version: number; retention_days: number } | null
  zones: { zone_id: string; name: string; schema_name: string }[]
  types: { definition: ObjectType; index_states: Record<string, 'BUILDING' | 'FAILED'> }[]
}

const remembered = new WeakMap<Server, Map<string, Promise<Database | null>>>()

/** From `Work.start`, before the signals begin. */
export function rememberSchemas(server: Server): void {
  const kept = new Map<string, Promise<Database | null>>()
  remembered.set(server, kept)
  for (const zone of server.config.zones) {
    server.signals.on(zone, schemaChannel, projectId => {
      if (projectId === '') kept.clear()
      else kept.delete(`${zone} ${projectId}`)
    })
  }
}

/** The cloud database of a project, from memory after the first time; null where it never was switched on. */
export function databaseOf(server: Server, zone: ZoneId, projectId: string): Promise<Database | null> {
  const kept = remembered.get(server) ?? new Map<string, Promise<Database | null>>()
  const key = `${zone} ${projectId}`
  const known = kept.get(key)
  if (known) return known
  const read = readDatabase(server, zone, projectId)
  if (kept.size >= mostRemembered) kept.clear()
  kept.set(key, read)
  read.catch(() => kept.delete(key))
  return read
}

/** What a statement against tables that have changed since calls for. */
export function forgetSchema(server: Server, zone: ZoneId, projectId: string): void {
  remembered.get(server)?.delete(`${zone} ${projectId}`)
}

async function readDatabase(server: Server, zone: ZoneId, projectId: string): Promise<Database | null> {
  const ctx = systemContext(server, zone, { name: 'cloud-db', scope: 'all' })
  const rows = await ctx.transact(inner => readRows(inner, projectId))
  return toDatabase(projectId, rows)
}

/** The same as it stands in the caller's transaction, with its row held: for changes of the schema. */
export async function lockDatabase(ctx: Context, projectId: string): Promise<Database | null> {
  await ctx.transaction(ctx.zone).query({
    text: 'SELECT 1 FROM cdb_databases WHERE project_id = $1 FOR UPDATE',
    values: [projectId],
  })
  return toDatabase(projectId, await readRows(ctx, projectId))
}

async function readRows(ctx: Context, projectId: string): Promise<Rows> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ found: Rows }>({
    name: 'clouddb catalogue',
    text: `SELECT jsonb_build_object(
      'database', (SELECT jsonb_build_object('team_id', team_id::text, 'is_enabled', is_enabled, 'schema_version', schema_version,
        'retention_days', retention_days) FROM cdb_databases WHERE project_id = $1),
      'zones', (SELECT coalesce(jsonb_agg(jsonb_build_object('zone_id', zone_id::text, 'name', name, 'schema_name', schema_name)
        ORDER BY zone_id), '[]') FROM cdb_zones WHERE project_id = $1),
      'types', (SELECT coalesce(jsonb_agg(jsonb_build_object('definition', definition, 'index_states', index_states)
        ORDER BY name_key), '[]') FROM cdb_types WHERE project_id = $1)) AS found`,
    values: [projectId],
  })
  return (rows[0] as { found: Rows }).found
}

function toDatabase(projectId: string, { database, zones, types }: Rows): Database | null {
  if (!database) return null
  const models = types.map(one => modelOf(one.definition, new Set(Object.keys(one.index_states))))
  return {
    projectId,
    teamId: database.team_id,
    isEnabled: database.is_enabled,
    schemaVersion: database.schema_version,
    retentionDays: database.retention_days,
    types: new Map(models.map(model => [model.key, model])),
    zones: new Map(
      zones.map(one => {
        const key = keyOf(one.name)
        return [key, { zoneId: one.zone_id, name: one.name, key, schema: quoted(one.schema_name) }]
      }),
    ),
  }
}

/** The database of a project of the caller's team in the zone of the call; 404, or 409 while it is off. */
export async function openDatabase(ctx: Context, projectId: string): Promise<Database> {
  await assertProject(ctx, projectId)
  const database = await databaseOf(ctx.server, ctx.zone, projectId)
  if (!database?.isEnabled) refuse(cloudDb.errors.notEnabled)
  return database
}

/** Refuses 404 for a project of another team, and what calls for it where its data does not stay. */
export async function assertProject(ctx: Context, projectId: string) {
  const project = await projectOf(ctx, projectId)
  if (project.zone !== ctx.zone) refuse(cloudDb.errors.zoneElsewhere, { zone: project.zone })
  return project
}

export function typeOf(database: Database, name: string): TypeModel {
  return database.types.get(keyOf(name)) ?? refuse(cloudDb.errors.noType, { name })
}

export function zoneOf(database: Database, name: string): DataZone {
  return database.zones.get(keyOf(name)) ?? refuse(cloudDb.errors.noZone, { name })
}

/** Where rows of a type in a data zone are, for a caller of the console. */
export async function placeOf(ctx: Context, where: { projectId: string; zone: string; type: string }): Promise<Place> {
  const database = await openDatabase(ctx, where.projectId)
  return {
    server: ctx.server,
    zone: ctx.zone,
    database,
    dataZone: zoneOf(database, where.zone),
    type: typeOf(database, where.type),
    hops: hopsIn(ctx.place, where.projectId),
  }
}
