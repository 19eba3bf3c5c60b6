import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { openCanary } from '../canary/queries.ts'
import { tellControls } from '../governance/controls.ts'
import { problemOf } from '../problems/rules.ts'
import { limits } from '../rules.ts'
import { functionAliases, functions, functionVersions } from '../tables.ts'
import { functionGroups } from './contract.ts'
import type { Member, Wanted } from './rules.ts'
import { groupMembers, groupReleases, type functionGroups as groups } from './tables.ts'

const { errors } = functionGroups
export type GroupRow = typeof groups.$inferSelect
export type ReleaseRow = typeof groupReleases.$inferSelect

/** Members of some groups, by group; each with where its alias leads, read once for all. */
export async function membersOf(
  ctx: Context,
  rows: readonly GroupRow[],
): Promise<Map<string, (Member & { isShared: boolean })[]>> {
  const found = new Map(rows.map(row => [row.serviceId, [] as (Member & { isShared: boolean })[]]))
  if (rows.length === 0) return found
  const aliasOf = new Map(rows.map(row => [row.serviceId, row.aliasName]))
  const members = await ctx.db
    .select({ serviceId: groupMembers.serviceId, functionId: functions.functionId, name: functions.functionName })
    .from(groupMembers)
    .innerJoin(functions, eq(functions.functionId, groupMembers.functionId))
    .where(inArray(groupMembers.serviceId, [...found.keys()]))
    .orderBy(functions.functionName)
  const ids = [...new Set(members.map(one => one.functionId))]
  if (ids.length === 0) return found
  const aliases = await ctx.db.select().from(functionAliases).where(inArray(functionAliases.functionId, ids))
  const newest = await ctx.db
    .select({ functionId: functionVersions.functionId, version: sql<number>`max(${functionVersions.version})` })
    .from(functionVersions)
    .where(inArray(functionVersions.functionId, ids))
    .groupBy(functionVersions.functionId)
  for (const { serviceId, functionId, name: functionName } of members) {
    const alias = aliases.find(one => one.functionId === functionId && one.name === aliasOf.get(serviceId))
    const last = newest.find(one => one.functionId === functionId)
    found.get(serviceId)?.push({
      ...{ functionId, functionName, version: alias?.version ?? null, newest: last ? String(last.version) : null },
      isShared: (alias?.additional ?? null) !== null,
    })
  }
  return found
}

export async function releaseOf(ctx: Context, serviceId: string, number: number): Promise<ReleaseRow> {
  const isIt = and(eq(groupReleases.serviceId, serviceId), eq(groupReleases.number, number))
  const [row] = await ctx.db.select().from(groupReleases).where(isIt)
  return row ?? refuse(errors.noRelease, { number })
}

export async function lastReleases(ctx: Context, serviceId: string, most: number): Promise<ReleaseRow[]> {
  const isIts = eq(groupReleases.serviceId, serviceId)
  return ctx.db.select().from(groupReleases).where(isIts).orderBy(desc(groupReleases.number)).limit(most)
}

/** Holds the functions in one order, so that two releases of the same ones do not wait for each other in a circle. */
export async function holdFunctions(ctx: Context, functionIds: readonly string[]): Promise<void> {
  await ctx.db
    .select({ functionId: functions.functionId })
    .from(functions)
    .where(inArray(functions.functionId, [...functionIds]))
    .orderBy(functions.functionId)
    .for('update')
}

/** Leads the aliases of all to their versions in the transaction of the caller. Refuses for the first that cannot be. */
export async function leadAll(ctx: Context, { aliasName, teamId }: GroupRow, all: readonly Wanted[]): Promise<void> {
  const ids = all.map(one => one.functionId)
  const versions = await ctx.db
    .select({ functionId: functionVersions.functionId, version: functionVersions.version })
    .from(functionVersions)
    .where(inArray(functionVersions.functionId, ids))
  const aliases = await ctx.db.select().from(functionAliases).where(inArray(functionAliases.functionId, ids))
  const now = ctx.now()
  for (const { functionId, functionName: name, version } of all) {
    const isThere = versions.some(one => one.functionId === functionId && String(one.version) === version)
    if (!isThere) refuse(errors.versionGone, { name, version })
    if (await openCanary(ctx, functionId, aliasName)) refuse(errors.canaryRuns, { name: `${aliasName} of ${name}` })
    const own = aliases.filter(one => one.functionId === functionId)
    const before = own.find(one => one.name === aliasName)
    if (before) {
      const change = { version, additional: null, updatedAt: now, revision: before.revision + 1 }
      const isIt = and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, aliasName))
      await ctx.db.update(functionAliases).set(change).where(isIt)
    } else {
      if (own.length >= limits.aliases)
        refuse(errors.tooMany, problemOf('manyAliases', { name, limit: limits.aliases }))
      const row = { functionId, teamId, name: aliasName, version, createdAt: now, updatedAt: now, revision: 1 }
      await ctx.db.insert(functionAliases).values(row)
    }
    tellControls(ctx, functionId)
  }
}
