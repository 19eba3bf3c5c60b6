import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { assertProject, lockDatabase, schemaChannel } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { type Problem, typeProblems } from '../design/rules.ts'
import type { Database } from '../model.ts'
import type { ObjectType } from './contract.ts'

const tries = 5

/**
 * Runs a change of tables in one transaction. Who holds a table for longer than three seconds makes it wait and try
 * again, so that apps are not held up behind it; nothing is changed unless all is.
 */
export async function changingSchema<T>(ctx: Context, work: (inner: Context) => Promise<T>): Promise<T> {
  for (let at = 1; ; at++) {
    try {
      return await ctx.transact(async inner => {
        await inner.transaction(inner.zone).query(`SET LOCAL lock_timeout = '3s'`)
        return work(inner)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
      if (at === tries) refuse(cloudDb.errors.locked, { retryAfterSeconds: 5 })
      await new Promise(resolve => setTimeout(resolve, 100 * at))
    }
  }
}

/** The database with its row held; refuses while it is off. */
export async function heldDatabase(ctx: Context, projectId: string): Promise<Database> {
  await assertProject(ctx, projectId)
  const database = await lockDatabase(ctx, projectId)
  if (!database?.isEnabled) refuse(cloudDb.errors.notEnabled)
  return database
}

export async function runAll(ctx: Context, statements: readonly string[]): Promise<void> {
  for (const text of statements) await ctx.transaction(ctx.zone).query(text)
}

/** Refuses a type that cannot be; the first number stands for all. */
export function assertType(type: ObjectType, more: readonly Problem[] = []): void {
  const problems = [...more, ...typeProblems(type)]
  const [first] = problems
  if (!first) return
  const [, status, sentence] = cloudDb.errors.typeInvalid
  refuse([first.code, status, sentence], { problems })
}

/** Counts the schema on, keeps it whole, and tells every process and every app that listens. */
export async function countSchema(
  ctx: Context,
  database: Database,
  types: readonly ObjectType[],
  summary: string,
): Promise<number> {
  const version = database.schemaVersion + 1
  const { projectId } = database
  await ctx.transaction(ctx.zone).query({
    text: 'UPDATE cdb_databases SET schema_version = $2, updated_at = $3, revision = revision + 1 WHERE project_id = $1',
    values: [projectId, version, ctx.now()],
  })
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO cdb_schema_versions (project_id, version, team_id, object_types, summary, author, at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [projectId, version, ctx.teamId, JSON.stringify(types), summary.slice(0, 500), ctx.caller.name, ctx.now()],
  })
  // As the catalogue's other versions: the hundred newest.
  await ctx.transaction(ctx.zone).query({
    text: 'DELETE FROM cdb_schema_versions WHERE project_id = $1 AND version <= $2',
    values: [projectId, version - 100],
  })
  ctx.signal(ctx.zone, schemaChannel, projectId)
  ctx.emit({ type: 'clouddb.schema_changed', entity: 'project', entityId: projectId, data: { version, summary } })
  ctx.audit({ action: 'cloudDb.schema', entity: 'project', entityId: projectId, after: { version, summary } })
  return version
}

export const definitionsOf = (database: Database): ObjectType[] =>
  [...database.types.values()].map(type => type.definition)

export async function saveType(
  ctx: Context,
  projectId: string,
  type: ObjectType,
  version: number,
  building: readonly string[],
): Promise<void> {
  const states = Object.fromEntries(building.map(name => [name, 'BUILDING']))
  await ctx.transaction(ctx.zone).query({
    text: `INSERT INTO cdb_types (type_id, project_id, team_id, name_key, definition, index_states, schema_version, created_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
      ON CONFLICT (project_id, name_key) DO UPDATE SET definition = excluded.definition,
        index_states = cdb_types.index_states || excluded.index_states, schema_version = excluded.schema_version,
        updated_at = excluded.updated_at, revision = cdb_types.revision + 1`,
    values: [
      ctx.newId(),
      projectId,
      ctx.teamId,
      type.objectTypeName.toLowerCase(),
      JSON.stringify(type),
      JSON.stringify(states),
      version,
      ctx.now(),
    ],
  })
}
