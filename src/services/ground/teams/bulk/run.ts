import { and, asc, eq } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { grantableRoles } from '../members/granting.ts'
import { loadMember, moveMember } from '../members/moves.ts'
import { membershipsOf } from '../memberships.ts'
import { loadTeam } from '../queries.ts'
import type { BulkAction } from '../rules.ts'
import { memberBulkItems, memberBulks } from '../tables.home.ts'

interface BulkInput {
  action: BulkAction
  roles: string[]
  accountId: string
  accountName: string
}
type Item = typeof memberBulkItems.$inferSelect

/**
 * Tries each member that was not tried yet, in the name of who asked and with the rights he has then. What became of it
 * is written in the transaction of the move itself, so a job that runs again goes on where it was.
 */
export async function runBulk(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as BulkInput
  const items = await ctx.transact(inner =>
    inner.home
      .select()
      .from(memberBulkItems)
      .where(eq(memberBulkItems.bulkId, job.jobId))
      .orderBy(asc(memberBulkItems.position)),
  )
  for (const [index, item] of items.entries()) {
    if (item.result !== 'WAITING') continue
    await job.progress(`${index + 1}/${items.length}`, Math.floor((index * 100) / items.length))
    await tryOne(ctx, input, item)
  }
  await finish(ctx, job.jobId)
}

/** What nobody came to is told as not done. */
export async function giveUpBulk(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner =>
    inner.home
      .update(memberBulkItems)
      .set({ result: 'REFUSED', message: 'It was not come to in time; try it again.', at: inner.now() })
      .where(and(eq(memberBulkItems.bulkId, job.jobId), eq(memberBulkItems.result, 'WAITING'))),
  )
  await finish(ctx, job.jobId)
}

async function finish(ctx: Context, bulkId: string): Promise<void> {
  await ctx.transact(inner =>
    inner.home.update(memberBulks).set({ finishedAt: inner.now() }).where(eq(memberBulks.bulkId, bulkId)),
  )
}

async function tryOne(ctx: Context, input: BulkInput, item: Item): Promise<void> {
  try {
    const asker = await askerNow(ctx, input)
    await asker.transact(async inner => {
      await carryOut(inner, input, item.accountId)
      await note(inner, item, { result: 'DONE' })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { number, message } = error
    await ctx.transact(inner => note(inner, item, { result: 'REFUSED', code: number, message: message.slice(0, 1000) }))
  }
}

/** Who asked, with what he may now: a right that was taken away meanwhile is gone here too. */
async function askerNow(ctx: Context, { accountId, accountName }: BulkInput): Promise<Context> {
  const memberships = await ctx.transact(inner => membershipsOf(inner.transaction('home'), accountId), 'all')
  const membership = memberships.get(ctx.teamId)
  if (!membership?.permissions.has('teams.members')) refuse(commonErrors.notAllowed, { permission: 'teams.members' })
  const { permissions, scope } = membership
  return new Context(ctx.server, {
    ...ctx.place,
    memberScope: scope,
    caller: { kind: 'user', accountId, name: accountName, permissions, staffRoles: [], sessionId: null },
  })
}

async function carryOut(ctx: Context, { action, roles }: BulkInput, accountId: string): Promise<void> {
  const { leaderAccountId } = await loadTeam(ctx)
  const row = await loadMember(ctx, accountId)
  if (action === 'roles') {
    await moveMember(ctx, row, {
      leaderAccountId,
      action: 'change',
      fields: { roles: await grantableRoles(ctx, roles) },
    })
  } else {
    await moveMember(ctx, row, { leaderAccountId, action })
  }
}

async function note(ctx: Context, item: Item, set: Partial<Item>): Promise<void> {
  await ctx.home
    .update(memberBulkItems)
    .set({ ...set, at: ctx.now() })
    .where(and(eq(memberBulkItems.bulkId, item.bulkId), eq(memberBulkItems.position, item.position)))
}
