import { and, desc, eq, ilike, inArray, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { problemOf } from '../problems/rules.ts'
import { projectHere } from '../queries.ts'
import { functions } from '../tables.ts'
import { functionGroups } from './contract.ts'
import {
  type GroupRow,
  holdFunctions,
  lastReleases,
  leadAll,
  membersOf,
  type ReleaseRow,
  releaseOf,
} from './releasing.ts'
import { type Choice, groupLimits, planOf, strangerIn, type Wanted } from './rules.ts'
import { groupMembers, groupReleases, functionGroups as groups } from './tables.ts'

const { errors } = functionGroups
const shownReleases = 20

export default implement(functionGroups, {
  listServices: async (ctx, { query }) => {
    const { projectId, keyword, cursor, pageSize = 20 } = query
    await projectHere(ctx, projectId)
    const words = keyword?.replace(/[\\%_]/g, '\\$&')
    const matches = and(
      eq(groups.projectId, projectId),
      eq(groups.teamId, ctx.teamId),
      words ? ilike(groups.name, `%${words}%`) : undefined,
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select()
      .from(groups)
      .where(and(matches, isCursor ? lt(groups.serviceId, cursor) : undefined))
      .orderBy(desc(groups.serviceId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(groups, matches),
      list: await toGroups(ctx, page),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.serviceId ?? null) : null,
    }
  },

  getService: async (ctx, { query }) => {
    const row = await loadGroup(ctx, query.serviceId)
    return { service: await toGroup(ctx, row), releases: await lastReleases(ctx, row.serviceId, shownReleases) }
  },

  createService: async (ctx, { body }) => {
    const { projectId, name, description = '', aliasName = 'live', functionIds } = body
    await projectHere(ctx, projectId)
    const all = await ctx.db.$count(groups, eq(groups.projectId, projectId))
    if (all >= groupLimits.groups) refuse(errors.tooMany, problemOf('manyGroups', { limit: groupLimits.groups }))
    await assertOfProject(ctx, projectId, functionIds)
    const now = ctx.now()
    const row: GroupRow = {
      ...{ serviceId: ctx.newId(), teamId: ctx.teamId, projectId, name, description, aliasName },
      ...{ releaseNumber: 0, createdAt: now, updatedAt: now, revision: 1 },
    }
    await ctx.db.insert(groups).values(row).catch(takenAs(name))
    await addMembers(ctx, row, functionIds)
    told(ctx, 'create', row, undefined, { name, aliasName, functionIds })
    return { serviceId: row.serviceId, service: await toGroup(ctx, row) }
  },

  updateService: async (ctx, { body }) => {
    const before = await loadGroup(ctx, body.serviceId, true)
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    const { name = before.name, description = before.description, functionIds } = body
    const change = { name, description, updatedAt: ctx.now(), revision: before.revision + 1 }
    await ctx.db.update(groups).set(change).where(eq(groups.serviceId, before.serviceId)).catch(takenAs(name))
    if (functionIds) {
      await assertOfProject(ctx, before.projectId, functionIds)
      await ctx.db.delete(groupMembers).where(eq(groupMembers.serviceId, before.serviceId))
      await addMembers(ctx, before, functionIds)
    }
    told(ctx, 'update', before, { name: before.name }, { name, functionIds })
    return { service: await toGroup(ctx, { ...before, ...change }) }
  },

  deleteService: async (ctx, { query }) => {
    const row = await loadGroup(ctx, query.serviceId, true)
    for (const table of [groupReleases, groupMembers, groups])
      await ctx.db.delete(table).where(eq(table.serviceId, row.serviceId))
    told(ctx, 'delete', row, { name: row.name }, undefined)
    return {}
  },

  releaseService: async (ctx, { body }) => {
    const row = await loadGroup(ctx, body.serviceId, true)
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    const choice = await choiceOf(ctx, row, body)
    const ofMember = (await membersOf(ctx, [row])).get(row.serviceId) ?? []
    await holdFunctions(
      ctx,
      ofMember.map(one => one.functionId),
    )
    // Read again, now that nobody publishes, deletes a version or leads an alias.
    const members = (await membersOf(ctx, [row])).get(row.serviceId) ?? []
    if (members.length === 0) throw badField('/serviceId', 'minItems', 'the group has no function; add one first')
    const stranger = strangerIn(members, choice)
    if (stranger !== null) throw badField(`/versions/${stranger}`, 'member', `${stranger} is no function of the group`)
    const versions = planOf(members, choice).map(
      ({ version, ...one }): Wanted => ({
        ...one,
        version: version ?? refuse(errors.neverPublished, { name: one.functionName }),
      }),
    )
    await leadAll(ctx, row, versions)
    const number = row.releaseNumber + 1
    const release: ReleaseRow = {
      ...{ serviceId: row.serviceId, number, teamId: row.teamId, description: body.description ?? '', versions },
      ...{ ofNumber: body.releaseNumber ?? null, releasedAt: ctx.now(), releasedBy: ctx.caller.accountId },
    }
    await ctx.db.insert(groupReleases).values(release)
    await forgetOld(ctx, row.serviceId, number)
    const change = { releaseNumber: number, updatedAt: ctx.now(), revision: row.revision + 1 }
    await ctx.db.update(groups).set(change).where(eq(groups.serviceId, row.serviceId))
    told(ctx, 'release', row, { releaseNumber: row.releaseNumber }, { number, versions, ofNumber: release.ofNumber })
    return { service: await toGroup(ctx, { ...row, ...change }), release }
  },
})

async function choiceOf(
  ctx: Context,
  { serviceId }: GroupRow,
  { versions, releaseNumber }: { versions?: Record<string, string>; releaseNumber?: number },
): Promise<Choice> {
  if (versions && releaseNumber !== undefined)
    throw badField('/releaseNumber', 'oneOf', 'give versions or the number of a release, not both')
  if (versions) return { kind: 'named', versions }
  if (releaseNumber === undefined) return { kind: 'newest' }
  return { kind: 'again', versions: (await releaseOf(ctx, serviceId, releaseNumber)).versions }
}

async function loadGroup(ctx: Context, serviceId: string, lock = false): Promise<GroupRow> {
  const isIt = and(eq(groups.serviceId, serviceId), eq(groups.teamId, ctx.teamId))
  const query = ctx.db.select().from(groups).where(isIt)
  const [row] = await (lock ? query.for('update') : query)
  if (!row) refuse(commonErrors.notFound, { entity: 'function group', id: serviceId })
  ctx.assertScope({ projectId: row.projectId })
  return row
}

async function assertOfProject(ctx: Context, projectId: string, functionIds: readonly string[]): Promise<void> {
  const isOne = and(eq(functions.projectId, projectId), inArray(functions.functionId, [...functionIds]))
  const rows = await ctx.db.select({ functionId: functions.functionId }).from(functions).where(isOne)
  const missing = functionIds.find(id => !rows.some(row => row.functionId === id))
  if (missing !== undefined) refuse(errors.noFunction, { name: missing })
}

async function addMembers(ctx: Context, { serviceId, teamId }: GroupRow, functionIds: readonly string[]) {
  await ctx.db.insert(groupMembers).values(functionIds.map(functionId => ({ serviceId, functionId, teamId })))
}

async function forgetOld(ctx: Context, serviceId: string, number: number): Promise<void> {
  const isOld = lt(groupReleases.number, number - groupLimits.releases + 1)
  await ctx.db.delete(groupReleases).where(and(eq(groupReleases.serviceId, serviceId), isOld))
}

async function toGroups(ctx: Context, rows: readonly GroupRow[]) {
  const members = await membersOf(ctx, rows)
  const released = await lastOf(ctx, rows)
  return rows.map(row => ({
    ...row,
    functions: (members.get(row.serviceId) ?? []).map(({ isShared, ...one }) => {
      const of = released.get(row.serviceId)?.find(({ functionId }) => functionId === one.functionId)
      return { ...one, isMoved: of !== undefined && (isShared || of.version !== one.version) }
    }),
  }))
}

async function toGroup(ctx: Context, row: GroupRow) {
  const [group] = await toGroups(ctx, [row])
  return group as NonNullable<typeof group>
}

/** What the newest release of each said. */
async function lastOf(ctx: Context, rows: readonly GroupRow[]): Promise<Map<string, readonly Wanted[]>> {
  const ids = rows.map(row => row.serviceId)
  if (ids.length === 0) return new Map()
  const found = await ctx.db
    .select({ serviceId: groupReleases.serviceId, versions: groupReleases.versions })
    .from(groupReleases)
    .innerJoin(
      groups,
      and(eq(groups.serviceId, groupReleases.serviceId), eq(groups.releaseNumber, groupReleases.number)),
    )
    .where(inArray(groupReleases.serviceId, ids))
  return new Map(found.map(one => [one.serviceId, one.versions]))
}

const takenAs = (name: string) => (error: unknown) => {
  if (isDuplicate(error as Error, 'fn_groups_by_name')) refuse(errors.groupTaken, { name })
  throw error
}

type Told = Record<string, unknown> | undefined

function told(ctx: Context, what: string, { serviceId }: GroupRow, before: Told, after: Told) {
  ctx.audit({ action: `function_group.${what}`, entity: 'function_group', entityId: serviceId, before, after })
}
