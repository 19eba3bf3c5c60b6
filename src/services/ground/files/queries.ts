import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { zoneOfSlug, zones } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { type FileState, fileLimits } from './rules.ts'
import { fileGarbage, fileObjects } from './tables.ts'

export type FileRow = typeof fileObjects.$inferSelect

/** Objects that have bytes. */
export const withBytes: FileState[] = ['TEMP', 'NORMAL']

/** `de/2026073115/`: where new objects of the call's zone go. */
export function folderOf(ctx: Context): string {
  const at = new Date(ctx.now()).toISOString()
  return `${zones[ctx.zone].slug}/${at.slice(0, 4)}${at.slice(5, 7)}${at.slice(8, 10)}${at.slice(11, 13)}`
}

/** The caller's own; staff and workers without a team reach all that their transaction reaches. */
function isOwn(ctx: Context): SQL | undefined {
  const { teamId } = ctx.place
  return teamId === null ? undefined : and(eq(fileObjects.teamId, teamId), isInReach(ctx))
}

/** Members of the whole team reach its files; others those of their projects and apps, and what they sent for none. */
export function isInReach(ctx: Context): SQL | undefined {
  const { appId, createdBy } = fileObjects
  const own = ctx.withinScope(fileObjects)
  return own && sql`(${own} OR (${appId} IS NULL AND ${createdBy} = ${ctx.caller.accountId}))`
}

export function noSuchObject(objectId: string): never {
  refuse(commonErrors.notFound, { entity: 'object', id: objectId })
}

/** An object in one of the states; refuses 404 for another team's, another zone's, and one past its end. */
export async function loadObject(
  ctx: Context,
  objectId: string,
  states: readonly FileState[] = withBytes,
): Promise<FileRow> {
  const [row] = await loadObjects(ctx, [objectId], states)
  return row ?? noSuchObject(objectId)
}

export async function loadObjects(
  ctx: Context,
  objectIds: readonly string[],
  states: readonly FileState[] = withBytes,
): Promise<FileRow[]> {
  const here = objectIds.filter(objectId => zoneOfSlug(objectId.slice(0, 2)) === ctx.zone)
  if (here.length === 0) return []
  return ctx.db
    .select()
    .from(fileObjects)
    .where(and(inArray(fileObjects.objectId, here), inArray(fileObjects.state, [...states]), isOwn(ctx), isAlive(ctx)))
}

function isAlive(ctx: Context): SQL {
  return sql`(${fileObjects.expireAt} is null or ${fileObjects.expireAt} > ${ctx.now()})`
}

/**
 * Holds a content still until the transaction ends, and makes sure that its bytes are there: between their arrival and
 * the row that names them the collector may have taken them away with an older object.
 */
export async function pinBytes(ctx: Context, sha256: string): Promise<void> {
  await lockBytes(ctx, sha256)
  if (!(await ctx.server.bytes(ctx.zone).stat(sha256))) refuse(commonErrors.unavailable, { retryAfterSeconds: 1 })
}

export async function lockBytes(ctx: Context, sha256: string): Promise<void> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 102))', [sha256])
}

/** Has contents looked at later, and removed if no object has them then. */
export async function leaveToCollector(ctx: Context, contents: readonly (string | null)[]): Promise<void> {
  const dueAt = ctx.now() + fileLimits.garbageWaitMs
  const rows = [...new Set(contents)].flatMap(sha256 => (sha256 === null ? [] : [{ sha256, dueAt }]))
  if (rows.length > 0) await ctx.db.insert(fileGarbage).values(rows).onConflictDoNothing()
}

/** Rows of objects whose bytes are to come, in one statement however many they are: each upload begins with it. */
export async function announceObjects(
  ctx: Context,
  objects: readonly Pick<FileRow, 'objectId' | 'bizTag' | 'fileName' | 'sizeBytes' | 'sha256'>[],
  expireAt: number,
): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'files announce',
    text: `INSERT INTO file_objects (object_id, biz_tag, file_name, size_bytes, sha256, team_id, state, created_by,
          created_at, updated_at, expire_at)
        SELECT announced.*, $6::bigint, 'INIT', $7::bigint, $8::bigint, $8::bigint, $9::bigint
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS announced`,
    values: [
      objects.map(one => one.objectId),
      objects.map(one => one.bizTag),
      objects.map(one => one.fileName),
      objects.map(one => one.sizeBytes),
      objects.map(one => one.sha256),
      ctx.teamId,
      ctx.caller.accountId,
      ctx.now(),
      expireAt,
    ],
  })
}
