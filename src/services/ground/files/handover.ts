import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type Handing, type Handover, handoversOf, ofApp } from '../../../server/handover.ts'
import { folderOf } from './queries.ts'
import { fileObjects } from './tables.ts'

/** The ids of files inside any column, whatever its type. */
const idPattern = '[a-z]{2}/[0-9]{10}/[0-9a-fA-F-]{36}[.0-9A-Za-z]*'

/** Files go with the apps that show them. One that another app of the old team shows too stays there, and a copy of its row goes. */
export const filesHandover: Handover = {
  stays: {
    file_objects: 'those that apps refer to go one by one',
    file_uploads: 'what people are sending belongs to no app yet',
    file_parts: 'as the upload',
    file_tasks: 'who asked sees the answer',
    file_checks: 'as the file',
  },
  zone: async (ctx, handing) => {
    if (handing.fromTeamId === handing.toTeamId) return moveWithinTeam(ctx, handing)
    const used = await usedFiles(ctx, handing)
    const shared = await sharedFiles(ctx, handing, [...used.keys()])
    for (const objectId of shared) await copyFile(ctx, handing, objectId, used.get(objectId)?.count ?? 1)
    const going = [...used].filter(([objectId]) => !shared.has(objectId))
    for (const [objectId, { appId }] of going) {
      await ctx.db
        .update(fileObjects)
        .set({ teamId: handing.toTeamId, appId, projectId: handing.toProjectId, updatedAt: ctx.now() })
        .where(and(eq(fileObjects.objectId, objectId), eq(fileObjects.teamId, handing.fromTeamId)))
    }
    await ctx.transaction(ctx.zone).query({
      text: 'UPDATE file_checks SET team_id = $2 WHERE object_id = ANY($1)',
      values: [going.map(([objectId]) => objectId), handing.toTeamId],
    })
    // Whatever else was meant for the apps, such as papers of the old team, stays with it and belongs to none of them.
    await ctx.db
      .update(fileObjects)
      .set({ appId: null, projectId: null })
      .where(and(eq(fileObjects.teamId, handing.fromTeamId), inArray(fileObjects.appId, handing.appIds)))
  },
}

async function moveWithinTeam(ctx: Context, { appIds, fromTeamId, toProjectId }: Handing): Promise<void> {
  await ctx.db
    .update(fileObjects)
    .set({ projectId: toProjectId })
    .where(and(eq(fileObjects.teamId, fromTeamId), inArray(fileObjects.appId, appIds)))
}

function places(ctx: Context) {
  return handoversOf(ctx.server).flatMap(one =>
    (one.rows ?? []).flatMap(({ table, by = ofApp, files = [] }) => files.map(column => ({ table, by, column }))),
  )
}

/** Each file of the old team that rows of the apps name, how often, and one of the apps. */
async function usedFiles(ctx: Context, { appIds, fromTeamId }: Handing) {
  const used = new Map<string, { count: number; appId: string }>()
  for (const { table, by, column } of places(ctx)) {
    const { rows } = await ctx.transaction(ctx.zone).query<{ object_id: string; count: string }>({
      text: `SELECT found[1] AS object_id, count(*) AS count
        FROM ${table}, LATERAL regexp_matches(${column}::text, '${idPattern}', 'g') AS found
        WHERE team_id = $2 AND ${by} GROUP BY 1`,
      values: [appIds, fromTeamId],
    })
    for (const row of rows) {
      const before = used.get(row.object_id)?.count ?? 0
      used.set(row.object_id, { count: before + Number(row.count), appId: appIds[0] as string })
    }
  }
  const known = await ctx.db
    .select({ objectId: fileObjects.objectId, appId: fileObjects.appId })
    .from(fileObjects)
    .where(and(inArray(fileObjects.objectId, [...used.keys()]), eq(fileObjects.teamId, fromTeamId)))
  return new Map(
    known.map(({ objectId, appId }) => {
      const one = used.get(objectId) as { count: number; appId: string }
      return [objectId, { ...one, appId: appId !== null && appIds.includes(appId) ? appId : one.appId }] as const
    }),
  )
}

/** Those that rows of other apps of the team name as well. */
async function sharedFiles(ctx: Context, { appIds, fromTeamId }: Handing, objectIds: string[]) {
  const shared = new Set<string>()
  for (const { table, by, column } of places(ctx)) {
    const { rows } = await ctx.transaction(ctx.zone).query<{ object_id: string }>({
      text: `SELECT DISTINCT found[1] AS object_id
        FROM ${table}, LATERAL regexp_matches(${column}::text, '${idPattern}', 'g') AS found
        WHERE team_id = $2 AND (${by}) IS NOT TRUE AND found[1] = ANY($3)`,
      values: [appIds, fromTeamId, objectIds],
    })
    for (const row of rows) shared.add(row.object_id)
  }
  return shared
}

/** The same bytes under a new id for the apps that go; their rows name that one then. */
async function copyFile(ctx: Context, handing: Handing, objectId: string, count: number): Promise<void> {
  const [row] = await ctx.db.select().from(fileObjects).where(eq(fileObjects.objectId, objectId)).for('update')
  if (!row) return
  const { appIds, fromTeamId, toTeamId, toProjectId } = handing
  const appId = row.appId !== null && appIds.includes(row.appId) ? row.appId : (appIds[0] as string)
  const copyId = `${folderOf(ctx)}/${randomUUID()}${/\.[0-9A-Za-z.]+$/.exec(objectId)?.[0] ?? ''}`
  const now = ctx.now()
  await ctx.db.insert(fileObjects).values({
    ...row,
    objectId: copyId,
    teamId: toTeamId,
    appId,
    projectId: toProjectId,
    state: 'NORMAL',
    refCount: count,
    expireAt: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  })
  await ctx.db
    .update(fileObjects)
    .set({ refCount: sql`greatest(${fileObjects.refCount} - ${count}, 1)`, updatedAt: now })
    .where(eq(fileObjects.objectId, objectId))
  for (const { table, by, column } of places(ctx)) {
    const { rows } = await ctx.transaction(ctx.zone).query<{ type: string }>({
      text: `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2`,
      values: [table, column],
    })
    await ctx.transaction(ctx.zone).query({
      text: `UPDATE ${table} SET ${column} = replace(${column}::text, $3, $4)::${rows[0]?.type ?? 'text'}
        WHERE team_id = $2 AND ${by} AND strpos(${column}::text, $3) > 0`,
      values: [appIds, fromTeamId, objectId, copyId],
    })
  }
}
