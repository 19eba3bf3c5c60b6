import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { membersWith } from '../../../ground/teams/public.ts'
import { appOf } from '../../apps/public.ts'
import type { VersionRecord } from '../queries.ts'
import type { BulkAction, ReleaseMode } from '../rules.ts'
import { shelfOff } from '../shelf/shelf-off.ts'
import { submit } from '../submit.ts'
import { bulkItems, bulks } from '../tables.ts'
import { withdraw } from '../withdraw.ts'

interface BulkInput {
  action: BulkAction
  accountId: string
  accountName: string
  reason: string
  releaseMode?: ReleaseMode
}
type Item = typeof bulkItems.$inferSelect

const permissionOf = {
  submit: 'versions.submit',
  withdraw: 'versions.withdraw',
  shelfOff: 'versions.shelfOff',
} as const satisfies Record<BulkAction, string>

/**
 * Tries each version that was not tried yet, in the name of who asked and with the rights he has then. What became of it
 * is written in the transaction of the move itself, so a job that runs again goes on where it was.
 */
export async function runBulk(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as BulkInput
  const items = await ctx.transact(inner =>
    inner.db.select().from(bulkItems).where(eq(bulkItems.bulkId, job.jobId)).orderBy(asc(bulkItems.position)),
  )
  const asker = actingFor(ctx, input)
  for (const [index, item] of items.entries()) {
    if (item.result !== 'WAITING') continue
    await job.progress(`${index + 1}/${items.length}`, Math.floor((index * 100) / items.length))
    await tryOne(ctx, asker, input, item)
  }
  await finish(ctx, job.jobId)
}

/** What nobody came to is told as not done. */
export async function giveUpBulk(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner =>
    inner.db
      .update(bulkItems)
      .set({ result: 'REFUSED', message: 'It was not come to in time; try it again.', at: inner.now() })
      .where(and(eq(bulkItems.bulkId, job.jobId), eq(bulkItems.result, 'WAITING'))),
  )
  await finish(ctx, job.jobId)
}

async function finish(ctx: Context, bulkId: string): Promise<void> {
  await ctx.transact(inner => inner.db.update(bulks).set({ finishedAt: inner.now() }).where(eq(bulks.bulkId, bulkId)))
}

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

async function tryOne(ctx: Context, asker: Context, input: BulkInput, item: Item): Promise<void> {
  try {
    await mustStillMay(ctx, input, item)
    await asker.transact(async inner => {
      if (!(await isWaiting(inner, item))) return
      const version = await carryOut(inner, input, item.versionId)
      await note(inner, item, { result: 'DONE', state: version.state })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { number, message } = error
    await ctx.transact(inner => note(inner, item, { result: 'REFUSED', code: number, message: message.slice(0, 1000) }))
  }
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

async function carryOut(ctx: Context, input: BulkInput, versionId: string): Promise<VersionRecord> {
  if (input.action === 'withdraw') return withdraw(ctx, versionId)
  if (input.action === 'shelfOff') return shelfOff(ctx, versionId, input.reason)
  const { releaseMode } = input
  const wish = { versionId, submitWhenReady: true, ...(releaseMode ? { releaseMode } : {}) }
  return (await submit(ctx, wish, false)).version
}

/** Locks the item: a process whose lease has run out may still be at it, and each is carried out once. */
async function isWaiting(ctx: Context, item: Item): Promise<boolean> {
  const [row] = await ctx.db.select({ result: bulkItems.result }).from(bulkItems).where(isItem(item)).for('update')
  return row?.result === 'WAITING'
}

const isItem = ({ bulkId, position }: Item) => and(eq(bulkItems.bulkId, bulkId), eq(bulkItems.position, position))

async function note(ctx: Context, item: Item, set: Partial<Item>): Promise<void> {
  await ctx.db
    .update(bulkItems)
    .set({ ...set, at: ctx.now() })
    .where(and(isItem(item), eq(bulkItems.result, 'WAITING')))
}
