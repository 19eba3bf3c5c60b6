import { type AnyColumn, and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { isInReach } from './queries.ts'
import type { BizTag } from './rules.ts'
import { fileObjects } from './tables.ts'

export interface FileWish {
  appId?: string
  bizTag?: BizTag
  cursor?: string
  pageSize?: number
}

/** Files with bytes, the newest first; moment and id of the last one make the cursor. What has just ended may be in it until the next sweep. */
export async function listFiles(ctx: Context, wish: FileWish) {
  const pageSize = wish.pageSize ?? 20
  const rows = await rowsOf(ctx, wish)
  const [counted] = await countOf(ctx, wish)
  const list = rows.slice(0, pageSize).map(({ sizeBytes: size, mime, state, ...row }) => ({
    ...row,
    size,
    mime: mime ?? 'application/octet-stream',
    isHeld: state === 'NORMAL',
  }))
  const last = list.at(-1)
  return {
    total: counted?.total ?? 0,
    list,
    nextCursor: rows.length > pageSize && last ? `${last.createdAt}.${last.objectId}` : null,
  }
}

/** The page of a wish, and one more; the tests look at how PostgreSQL carries it out. */
export function rowsOf(ctx: Context, wish: FileWish) {
  const { objectId, fileName, bizTag, sizeBytes, mime, width, height, state, appId, createdAt, expireAt } = fileObjects
  const limit = (wish.pageSize ?? 20) + 1
  const wanted =
    ctx.memberScope === 'all' || wish.appId !== undefined
      ? and(matching(ctx, wish), isInReach(ctx), after(wish.cursor))
      : newestInReach(ctx, wish, limit)
  return ctx.db
    .select({ objectId, fileName, bizTag, sizeBytes, mime, width, height, state, appId, createdAt, expireAt })
    .from(fileObjects)
    .where(wanted)
    .orderBy(desc(createdAt), desc(objectId))
    .limit(limit)
}

/** For members with a scope: the newest of each app, of each project and of his own, each read from its own index. */
function newestInReach(ctx: Context, wish: FileWish, limit: number): SQL {
  const { objectId, appId, projectId, createdBy, createdAt } = fileObjects
  const newest = (within: SQL) => sql`SELECT ${objectId} FROM ${fileObjects}
    WHERE ${and(matching(ctx, wish), within, after(wish.cursor))}
    ORDER BY ${createdAt} DESC, ${objectId} DESC LIMIT ${limit}`
  const ofEach = (ids: readonly string[] | null, column: AnyColumn) => sql`SELECT one.object_id
    FROM unnest(${sql.param(ids)}::bigint[]) AS reach (id), LATERAL (${newest(sql`${column} = reach.id`)}) AS one`
  const { apps, projects } = ctx.scopeIds
  return sql`${objectId} IN (${ofEach(apps, appId)} UNION ALL ${ofEach(projects, projectId)}
    UNION ALL (${newest(sql`${appId} IS NULL AND ${createdBy} = ${ctx.caller.accountId}`)}))`
}

function countOf(ctx: Context, wish: FileWish) {
  return ctx.db
    .select({ total: sql<number>`count(*)::int` })
    .from(fileObjects)
    .where(and(matching(ctx, wish), isInReach(ctx)))
}

function matching(ctx: Context, { appId, bizTag }: FileWish): SQL | undefined {
  return and(
    eq(fileObjects.teamId, ctx.teamId),
    // Written out, so that PostgreSQL sees that the partial index holds.
    sql`${fileObjects.state} IN ('TEMP', 'NORMAL')`,
    appId === undefined ? undefined : eq(fileObjects.appId, appId),
    bizTag && eq(fileObjects.bizTag, bizTag),
  )
}

/** A cursor that does not fit starts at the beginning. */
function after(cursor = ''): SQL | undefined {
  const [, at, objectId] = /^([0-9]{1,15})\.(.+)$/.exec(cursor) ?? []
  if (at === undefined) return undefined
  return sql`(${fileObjects.createdAt}, ${fileObjects.objectId}) < (${Number(at)}, ${objectId})`
}
