import { asc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { giveUpItems, runItems } from '../../../../server/bulk.ts'
import { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { grantableRoles } from '../members/granting.ts'
import { loadMember, moveMember } from '../members/moves.ts'
import { membershipsOf } from '../memberships.ts'
import { loadTeam } from '../queries.ts'
import type { BulkAction } from '../rules.ts'
import { memberBulkItems } from '../tables.home.ts'

interface BulkInput {
  action: BulkAction
  roles: string[]
  accountId: string
  accountName: string
}

export const tables = {
  database: 'home',
  kind: 'teams.bulk',
  actions: 'member_bulks',
  items: 'member_bulk_items',
} as const

/** Tries each member in the name of who asked, with the rights he has then. */
export async function runBulk(ctx: Context, job: JobRun): Promise<void> {
  const input = job.input as unknown as BulkInput
  const items = await ctx.transact(inner =>
    inner.home
      .select()
      .from(memberBulkItems)
      .where(eq(memberBulkItems.bulkId, job.jobId))
      .orderBy(asc(memberBulkItems.position)),
  )
  await runItems(ctx, job, tables, items, async ({ accountId }) => ({
    by: await askerNow(ctx, input),
    carryOut: inner => carryOut(inner, input, accountId),
  }))
}

export const giveUpBulk = (ctx: Context, job: JobRun) => giveUpItems(ctx, job, tables)

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
