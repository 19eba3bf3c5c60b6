import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { giveUpItems, runItems } from '../../../../server/bulk.ts'
import { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { membersWith } from '../../../ground/teams/public.ts'
import { appOf } from '../../apps/public.ts'
import type { VersionRecord } from '../queries.ts'
import type { ReleaseMode } from '../rules.ts'
import { shelfOff } from '../shelf/shelf-off.ts'
import { submit } from '../submit.ts'
import { bulkItems } from '../tables.ts'
import { withdraw } from '../withdraw.ts'
import type { BulkAction } from './rules.ts'

interface BulkInput {
  action: BulkAction
  accountId: string
  accountName: string
  reason: string
  releaseMode?: ReleaseMode
}
type Item = typeof bulkItems.$inferSelect

export const tables = {
  database: 'zone',
  kind: 'versions.bulk',
  actions: 'version_bulks',
  items: 'version_bulk_items',
} as const
const permissionOf = {
  submit: 'versions.submit',
  withdraw: 'versions.withdraw',
  shelfOff: 'versions.shelfOff',
} as const satisfies Record<BulkAction, string>

/** Tries each version in the name of who asked, with the rights he has then. */
export async function runBulk(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as BulkInput
  const items = await ctx.transact(inner =>
    inner.db.select().from(bulkItems).where(eq(bulkItems.bulkId, job.jobId)).orderBy(asc(bulkItems.position)),
  )
  const by = actingFor(ctx, input)
  await runItems(ctx, job, tables, items, async item => {
    await mustStillMay(ctx, input, item)
    return { by, carryOut: inner => carryOut(inner, input, item) }
  })
}

export const giveUpBulk = (ctx: Context, job: JobRun) => giveUpItems(ctx, job, tables)

function actingFor(ctx: Context, { action, accountId, accountName }: BulkInput): Context {
  return new Context(ctx.server, {
    ...ctx.place,
    caller: {
      kind: 'user',
      accountId,
      name: accountName,
      permissions: new Set([permissionOf[action]]),
      staffRoles: [],
      sessionId: null,
    },
  })
}

/** A right that was taken away meanwhile is gone here too. */
async function mustStillMay(ctx: Context, { action, accountId }: BulkInput, item: Item): Promise<void> {
  const permission = permissionOf[action]
  const able = await ctx.transact(async inner => {
    const { projectId } = await appOf(inner, item.appId)
    return membersWith(inner, item.teamId, { permission, about: { appId: item.appId, projectId } })
  })
  if (!able.includes(accountId)) refuse(commonErrors.notAllowed, { permission })
}

async function carryOut(ctx: Context, input: BulkInput, { bulkId, position, versionId }: Item): Promise<void> {
  const { state } = await moved(ctx, input, versionId)
  await ctx.db
    .update(bulkItems)
    .set({ state })
    .where(and(eq(bulkItems.bulkId, bulkId), eq(bulkItems.position, position)))
}

async function moved(ctx: Context, input: BulkInput, versionId: string): Promise<VersionRecord> {
  if (input.action === 'withdraw') return withdraw(ctx, versionId)
  if (input.action === 'shelfOff') return shelfOff(ctx, versionId, input.reason)
  const { releaseMode } = input
  const wish = { versionId, submitWhenReady: true, ...(releaseMode ? { releaseMode } : {}) }
  return (await submit(ctx, wish, false)).version
}
