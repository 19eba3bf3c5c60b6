import { and, desc, eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { ObjectType } from './schema/contract.ts'
import { objectTypes, schemaVersions } from './tables.ts'

/** The switch of a project with how many types and zones it has; null where it never was on. */
export async function databaseRow(ctx: Context, projectId: string) {
  const { rows } = await ctx.transaction(ctx.zone).query<{
    isEnabled: boolean
    apiVersion: 'v1' | 'v2' | 'v3' | 'v4'
    schemaVersion: number
    retentionDays: number
    revision: number
    types: number
    zones: number
  }>({
    name: 'clouddb switch',
    text: `SELECT is_enabled AS "isEnabled", api_version AS "apiVersion", schema_version AS "schemaVersion",
        retention_days AS "retentionDays", revision,
        (SELECT count(*)::int FROM cdb_types t WHERE t.project_id = d.project_id) AS types,
        (SELECT count(*)::int FROM cdb_zones z WHERE z.project_id = d.project_id) AS zones
      FROM cdb_databases d WHERE project_id = $1 AND team_id = $2`,
    values: [projectId, ctx.teamId],
  })
  return rows[0] ?? null
}

export async function versionsOf(ctx: Context, projectId: string) {
  const rows = await ctx.db
    .select()
    .from(schemaVersions)
    .where(and(eq(schemaVersions.projectId, projectId), eq(schemaVersions.teamId, ctx.teamId)))
    .orderBy(desc(schemaVersions.version))
    .limit(100)
  return rows.map(({ version, at, author, summary, objectTypes: types }) => ({
    version,
    time: at,
    author,
    summary,
    types: types.length,
  }))
}

/** The types of now, or of an older version; null where that version is not kept. */
export async function typeRows(ctx: Context, projectId: string, version: number | null) {
  if (version !== null) {
    const [row] = await ctx.db
      .select()
      .from(schemaVersions)
      .where(
        and(
          eq(schemaVersions.projectId, projectId),
          eq(schemaVersions.teamId, ctx.teamId),
          eq(schemaVersions.version, version),
        ),
      )
    const types = row?.objectTypes as unknown as ObjectType[] | undefined
    return types ? types.map(type => ({ ...type, revision: 1, updatedAt: row?.at ?? null, indexStates: {} })) : null
  }
  const rows = await ctx.db
    .select()
    .from(objectTypes)
    .where(and(eq(objectTypes.projectId, projectId), eq(objectTypes.teamId, ctx.teamId)))
    .orderBy(objectTypes.nameKey)
  return rows.map(({ definition, revision, updatedAt, indexStates }) => ({
    ...(definition as unknown as ObjectType),
    revision,
    updatedAt,
    indexStates,
  }))
}
