import { and, count, desc, eq, getTableColumns, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Where } from './drafts.ts'
import type { Template } from './rules.ts'
import { rcsVersions } from './tables.ts'

const { content: _content, ...columns } = getTableColumns(rcsVersions)
export type VersionRow = Omit<typeof rcsVersions.$inferSelect, 'content'>

/** Of the column that holds it. */
const largest = 2_147_483_647

const ofVersions = ({ projectId, kind }: Where) => and(eq(rcsVersions.projectId, projectId), eq(rcsVersions.kind, kind))

/** What a version says. Refuses 404 for one that is not there, or no longer. */
export async function contentOfVersion(ctx: Context, where: Where, version: number): Promise<Template> {
  return (await keptContent(ctx, where, version)) ?? refuse(commonErrors.notFound, { entity: 'version', id: version })
}

/** The same; null for one that is not there. */
export async function keptContent(ctx: Context, where: Where, version: number): Promise<Template | null> {
  if (version < 1 || version > largest) return null
  const [row] = await ctx.db
    .select({ content: rcsVersions.content })
    .from(rcsVersions)
    .where(and(ofVersions(where), eq(rcsVersions.version, version)))
  return row?.content ?? null
}

export async function versionOf(ctx: Context, where: Where, version: number): Promise<VersionRow> {
  const [row] =
    version > largest
      ? []
      : await ctx.db
          .select(columns)
          .from(rcsVersions)
          .where(and(ofVersions(where), eq(rcsVersions.version, version)))
  return row ?? refuse(commonErrors.notFound, { entity: 'version', id: version })
}

/** The kept versions without what they say, the newest first. */
export async function listVersions(ctx: Context, where: Where, query: { cursor?: string; pageSize?: number }) {
  const pageSize = query.pageSize ?? 20
  const before = /^\d{1,9}$/.test(query.cursor ?? '') ? Number(query.cursor) : largest
  const list = await ctx.db
    .select(columns)
    .from(rcsVersions)
    .where(and(ofVersions(where), lt(rcsVersions.version, before)))
    .orderBy(desc(rcsVersions.version))
    .limit(pageSize)
  const [counted] = await ctx.db.select({ total: count() }).from(rcsVersions).where(ofVersions(where))
  const last = list.at(-1)
  return { total: counted?.total ?? 0, list, nextCursor: list.length === pageSize && last ? `${last.version}` : null }
}
