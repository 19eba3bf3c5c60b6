import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { type ProjectSort, projectNameKey } from './rules.ts'
import { projects } from './tables.home.ts'

export type ProjectRow = typeof projects.$inferSelect

export async function loadProject(ctx: Context, projectId: string): Promise<ProjectRow> {
  const [row] = await ctx.home
    .select()
    .from(projects)
    .where(and(eq(projects.projectId, projectId), eq(projects.teamId, ctx.teamId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}

const keys: Readonly<Record<string, { column: string; type: 'text' | 'bigint' }>> = {
  createdAt: { column: 'created_at', type: 'bigint' },
  updatedAt: { column: 'updated_at', type: 'bigint' },
  name: { column: 'name_key', type: 'text' },
}

interface ListQuery {
  cursor?: string
  pageSize?: number
  search?: string
  zone?: ZoneId
  sort?: ProjectSort
}

/** One page by key and id: a project made meanwhile moves no other one from a page to the next. */
export async function pageOfProjects(ctx: Context, query: ListQuery) {
  const { sort = '-createdAt', pageSize = 20 } = query
  const isDown = sort.startsWith('-')
  const { column, type } = keys[sort.replace('-', '')] ?? { column: 'created_at', type: 'bigint' }
  const [afterKey, afterId] = query.cursor === undefined ? [null, null] : readCursor(query.cursor, type)
  const order = isDown ? 'DESC' : 'ASC'
  const filter = `team_id = $1 AND ($2::text IS NULL OR position($2 in name_key) > 0 OR project_id::text = $2)
    AND ($3::text IS NULL OR zone = $3)`
  const shared = [ctx.teamId, query.search ? projectNameKey(query.search) : null, query.zone ?? null]
  const { rows } = await ctx.transaction('home').query<PageRow>({
    text: `SELECT project_id AS "projectId", team_id AS "teamId", name, zone, app_count AS "appCount",
        created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", revision,
        ${column}::text AS key, (SELECT count(*) FROM projects WHERE ${filter}) AS total
      FROM projects WHERE ${filter}
        AND ($4::text IS NULL OR (${column}, project_id) ${isDown ? '<' : '>'} ($4::${type}, $5::bigint))
      ORDER BY ${column} ${order}, project_id ${order} LIMIT $6`,
    values: [...shared, afterKey, afterId, pageSize + 1],
  })
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    total: rows[0] ? Number(rows[0].total) : 0,
    list: page.map(row => ({ ...row, createdAt: Number(row.createdAt), updatedAt: Number(row.updatedAt) })),
    nextCursor: last ? Buffer.from(JSON.stringify([last.key, last.projectId])).toString('base64url') : null,
  }
}

type PageRow = Omit<ProjectRow, 'createdAt' | 'updatedAt' | 'nameKey'> & {
  createdAt: string
  updatedAt: string
  key: string
  total: string
}

function readCursor(cursor: string, type: 'text' | 'bigint'): [string, string] {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const isRight = typeof key === 'string' && typeof id === 'string' && /^[1-9]\d{0,18}$/.test(id)
    if (isRight && (type === 'text' || /^\d{1,16}$/.test(key))) return [key, id]
  } catch {}
  throw badField('/cursor', 'cursor', 'is not the nextCursor of a page with this sort', 'query')
}
