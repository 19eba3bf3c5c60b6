import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { badField } from '../../../server/http/problem.ts'
import { type ProjectSort, projectNameKey } from './rules.ts'
import { projects } from './tables.home.ts'

export type ProjectRow = typeof projects.$inferSelect

const projectOfTeam = planned(db =>
  db
    .select()
    .from(projects)
    .where(and(eq(projects.projectId, sql.placeholder('projectId')), eq(projects.teamId, sql.placeholder('teamId')))),
)

/** A project of the team that the caller may reach; refuses 404. */
export async function loadProject(ctx: Context, projectId: string): Promise<ProjectRow> {
  ctx.assertScope({ projectId })
  const [row] = await projectOfTeam(ctx.transaction('home'), { projectId, teamId: ctx.teamId })
  return row ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}

/** The same for who wants to change it; refuses 204100003 for the demo project. */
export async function loadForChange(ctx: Context, projectId: string): Promise<ProjectRow> {
  const project = await loadProject(ctx, projectId)
  if (project.isDemo) refuse(commonErrors.demoReadOnly, { projectId })
  return project
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
  /** Only projects this account is in. */
  memberId?: string
}

/** The statement of a page, by key and id: a project made meanwhile moves no other one from a page to the next. */
export function projectListSql(query: ListQuery, own: { teamId: string; scope: readonly string[] | null }) {
  const { sort = '-createdAt', pageSize = 20 } = query
  const isDown = sort.startsWith('-')
  const { column, type } = keys[sort.replace('-', '')] ?? { column: 'created_at', type: 'bigint' }
  const order = isDown ? 'DESC' : 'ASC'
  const filters: string[] = []
  const values: unknown[] = []
  const filter = (value: unknown, text: (at: string) => string) => {
    values.push(value)
    filters.push(text(`$${values.length}`))
  }
  filter(own.teamId, at => `team_id = ${at}`)
  if (query.search) {
    filter(projectNameKey(query.search), at => `(position(${at} in name_key) > 0 OR project_id::text = ${at})`)
  }
  if (query.zone) filter(query.zone, at => `zone = ${at}`)
  if (own.scope) filter(own.scope, at => `project_id = ANY(${at}::bigint[])`)
  if (query.memberId) {
    const isIn = 'SELECT FROM project_members m WHERE m.project_id = projects.project_id AND m.account_id ='
    filter(query.memberId, at => `EXISTS (${isIn} ${at})`)
  }
  const all = filters.join(' AND ')
  if (query.cursor !== undefined) {
    const [key, id] = readCursor(query.cursor, type)
    values.push(key, id)
    const at = values.length
    filters.push(`(${column}, project_id) ${isDown ? '<' : '>'} ($${at - 1}::${type}, $${at}::bigint)`)
  }
  values.push(pageSize + 1)
  // The name's index ends with the name, which no two projects of a team share.
  const tie = column === 'name_key' ? '' : `, project_id ${order}`
  const text = `SELECT project_id AS "projectId", team_id AS "teamId", name, zone, description, app_count AS "appCount",
        is_demo AS "isDemo", created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", revision,
        ${column}::text AS key, (SELECT count(*) FROM projects WHERE ${all}) AS total
      FROM projects WHERE ${filters.join(' AND ')} ORDER BY ${column} ${order}${tie} LIMIT $${values.length}`
  return { text, values }
}

/** One page of the team's projects that the caller may reach. */
export async function pageOfProjects(ctx: Context, query: ListQuery) {
  const { pageSize = 20 } = query
  const { text, values } = projectListSql(query, { teamId: ctx.teamId, scope: ctx.scopeIds.projects })
  const { rows } = await ctx.transaction('home').query<PageRow>({ name: nameOf(text), text, values })
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    total: rows[0] ? Number(rows[0].total) : 0,
    list: page.map(row => ({ ...row, createdAt: Number(row.createdAt), updatedAt: Number(row.updatedAt) })),
    nextCursor: last ? Buffer.from(JSON.stringify([last.key, last.projectId])).toString('base64url') : null,
  }
}

/** Each form of the statement is prepared once a connection; there are a few dozen. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `projects ${names.size}`
    names.set(text, name)
  }
  return name
}

type PageRow = Omit<ProjectRow, 'createdAt' | 'updatedAt' | 'nameKey' | 'alliance'> & {
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
