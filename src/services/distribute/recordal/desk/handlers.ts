import { and, asc, eq, gt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { isMember } from '../../../ground/teams/public.ts'
import { appOf, appsOf } from '../../apps/public.ts'
import { type RecordalRecord, toRecordal } from '../answer.ts'
import { recordal } from '../contract.ts'
import { limits, recordalCycle } from '../rules.ts'
import { recordals } from '../tables.ts'
import { recordalDesk } from './contract.ts'

export default implement(recordalDesk, {
  listRecordals: async (ctx, { query }) => {
    const matching = eq(recordals.state, query.state ?? 'CHECKING')
    const pageSize = query.pageSize ?? 20
    const isCursor = /^[0-9]{1,19}$/.test(query.cursor ?? '')
    const rows = await ctx.db
      .select()
      .from(recordals)
      .where(and(matching, isCursor ? gt(recordals.appId, query.cursor as string) : undefined))
      .orderBy(asc(recordals.appId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    const apps = new Map(
      (
        await appsOf(
          ctx,
          page.map(row => row.appId),
        )
      ).map(app => [app.appId, app]),
    )
    const list = []
    for (const row of page) {
      const app = apps.get(row.appId)
      if (app) list.push({ ...(await toRecordal(ctx, app, row)), teamId: row.teamId })
    }
    return {
      total: await ctx.db.$count(recordals, matching),
      list,
      nextCursor: rows.length > pageSize ? (page.at(-1)?.appId ?? null) : null,
    }
  },

  decideRecordal: async (ctx, { body }) => {
    const note = body.note?.trim() ?? ''
    if (body.verdict !== 'match' && [...note].length < limits.noteMin) {
      throw badField('/note', 'minLength', `says to the developer why, in at least ${limits.noteMin} characters`)
    }
    const [row] = await ctx.db.select().from(recordals).where(eq(recordals.appId, body.appId)).for('update')
    if (!row) refuse(commonErrors.notFound, { entity: 'recordal', id: body.appId })
    const decided = await decide(ctx, row, body.verdict, note)
    return { ...(await toRecordal(ctx, await appOf(ctx, row.appId), decided)), teamId: row.teamId }
  },
})

async function decide(
  ctx: Context,
  row: RecordalRecord,
  verdict: 'match' | 'mismatch' | 'notFound' | 'expire',
  note: string,
): Promise<RecordalRecord> {
  const { appId, teamId, state, revision } = row
  await transition(ctx, {
    cycle: recordalCycle,
    table: 'app_recordals',
    idColumn: 'app_id',
    row: { id: appId, state, revision },
    action: verdict,
    facts: { isImpartial: !(await isMember(ctx, teamId, ctx.accountId)) },
    unmet: () => refuse(recordal.errors.ofOwnTeam),
    data: { appId },
    note: { reason: note },
    teamId,
  })
  const [next] = await ctx.db
    .update(recordals)
    .set({ source: 'MANUAL', note: note === '' ? null : note, checkedAt: ctx.now(), checkedBy: ctx.accountId })
    .where(eq(recordals.appId, appId))
    .returning()
  return next!
}
