import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { giveUpItems, runItems } from '../../../../server/bulk.ts'
import { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { membersWith } from '../../../ground/teams/public.ts'
import { type AppRow, appOf } from '../../apps/public.ts'
import { loadGroup } from '../queries.ts'
import { limits } from '../rules.ts'
import { importItems, imports, testGroups } from '../tables.ts'
import { addPeople } from './adding.ts'
import { betaPeople as contract } from './contract.ts'
import { type CsvFault, readPeople } from './rules.ts'

const { errors } = contract
const permission = 'betaTest.manage'

export const importTables = {
  database: 'zone',
  kind: 'betaTest.import',
  actions: 'beta_imports',
  items: 'beta_import_items',
} as const

type Item = typeof importItems.$inferSelect
interface ImportInput {
  appId: string
  accountId: string
  accountName: string
}

const reasons: Readonly<Record<CsvFault, string>> = {
  header: 'its first line must name the columns account, nickname and, where no group is chosen, group',
  quote: 'a quote is not closed',
  empty: 'nobody stands in it',
}

/** Writes down each line of a file and starts the job that adds them. */
export async function startImport(
  ctx: Context,
  wish: { appId: string; csv: string } | { groupId: string; csv: string },
): Promise<{ bulkId: string }> {
  const group = 'groupId' in wish ? await loadGroup(ctx, wish.groupId) : null
  const app = await appOf(ctx, 'appId' in wish ? wish.appId : (group?.appId ?? ''))
  const read = readPeople(wish.csv, group === null)
  if ('fault' in read) refuse(errors.badFile, { reason: reasons[read.fault], fault: read.fault })
  const { people } = read
  if (people.length > limits.importRows) refuse(errors.fileTooLong, { rows: people.length, limit: limits.importRows })
  const named = group ? new Map<string, string>() : await groupsByName(ctx, app)
  const { accountId, caller } = ctx
  const input: ImportInput = { appId: app.appId, accountId, accountName: caller.name }
  const bulkId = ctx.startJob({
    kind: importTables.kind,
    subject: app.appId,
    input: { ...input },
    deadlineMs: limits.importMs,
  })
  const { teamId, appId } = app
  await ctx.db.insert(imports).values({
    ...{ bulkId, teamId, appId, groupId: group?.groupId ?? null, total: people.length },
    ...{ createdBy: accountId, createdAt: ctx.now() },
  })
  const items = people.map((person, position) => ({
    ...{ bulkId, position, teamId, line: person.line, result: 'WAITING' as const },
    account: person.account.slice(0, limits.accountLength),
    nickname: person.nickname.slice(0, limits.nicknameLength),
    groupName: (group?.name ?? person.group).slice(0, limits.nameLength),
    groupId: group?.groupId ?? named.get(person.group.toLowerCase()) ?? null,
  }))
  for (let from = 0; from < items.length; from += 500) {
    await ctx.db.insert(importItems).values(items.slice(from, from + 500))
  }
  ctx.audit({ action: 'testUser.import', entity: 'testImport', entityId: bulkId, after: { lines: people.length } })
  return { bulkId }
}

async function groupsByName(ctx: Context, { appId, teamId }: AppRow): Promise<Map<string, string>> {
  const rows = await ctx.db
    .select()
    .from(testGroups)
    .where(and(eq(testGroups.appId, appId), eq(testGroups.teamId, teamId)))
  return new Map(rows.map(row => [row.name.toLowerCase(), row.groupId]))
}

/** Adds one line after the other in the name of who asked, with the rights he has then. */
export async function runImport(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as ImportInput
  const items = await ctx.transact(inner =>
    inner.db.select().from(importItems).where(eq(importItems.bulkId, job.jobId)).orderBy(asc(importItems.position)),
  )
  const first = firstLines(items)
  const by = actingFor(ctx, input)
  await runItems(ctx, job, importTables, items, async item => {
    await ctx.transact(inner => mustStillMay(inner, input))
    const { account, groupId, groupName } = item
    const before = first.get(keyOf(item))
    if (before !== undefined && before !== item.line) refuse(errors.sameLine, { account, line: before })
    return { by, carryOut: inner => addOne(inner, { account, nickname: item.nickname, groupId, groupName }) }
  })
}

export const giveUpImport = (ctx: Context, job: JobRun) => giveUpItems(ctx, job, importTables)

const keyOf = ({ account, groupName }: Pick<Item, 'account' | 'groupName'>) =>
  JSON.stringify([account.toLowerCase(), groupName.toLowerCase()])

/** Of each person the first line that names him; the others are told of it. */
function firstLines(items: readonly Item[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item.line)
  return first
}

async function addOne(
  ctx: Context,
  { account, nickname, groupId, groupName }: Pick<Item, 'account' | 'nickname' | 'groupId' | 'groupName'>,
): Promise<void> {
  if (groupId === null) refuse(errors.noSuchGroup, { name: groupName })
  const { added } = await addPeople(ctx, groupId, [{ account, nickname }])
  if (added.length === 0) refuse(errors.userKnown, { account })
}

function actingFor(ctx: Context, { accountId, accountName }: ImportInput): Context {
  const permissions = new Set([permission])
  const caller = { kind: 'user' as const, accountId, name: accountName, permissions, staffRoles: [], sessionId: null }
  return new Context(ctx.server, { ...ctx.place, caller })
}

/** A right that was taken away meanwhile is gone here too. */
async function mustStillMay(ctx: Context, { appId, accountId }: ImportInput): Promise<void> {
  const { projectId, teamId } = await appOf(ctx, appId)
  const able = await membersWith(ctx, teamId, { permission, about: { appId, projectId } })
  if (!able.includes(accountId)) refuse(commonErrors.notAllowed, { permission })
}

/** Forgets the addresses of imports whose reports are old. */
export async function dropImports(ctx: Context): Promise<void> {
  const old = await ctx.db
    .delete(imports)
    .where(lt(imports.createdAt, ctx.now() - limits.importKeptMs))
    .returning({ bulkId: imports.bulkId })
  if (old.length === 0) return
  await ctx.db.delete(importItems).where(
    inArray(
      importItems.bulkId,
      old.map(one => one.bulkId),
    ),
  )
}
