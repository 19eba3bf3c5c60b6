import { and, asc, eq, gt, or } from 'drizzle-orm'
import { refuse } from '../../../../../kernel/errors.ts'
import { implement } from '../../../../../server/implement.ts'
import { isMember } from '../../../../ground/teams/public.ts'
import { type AppRow, appOf, appsOf } from '../../../apps/public.ts'
import { materialTests } from '../../tables.ts'
import { toPage, toTestAlone, toTests } from '../answer.ts'
import { loadTest, lockTest, moveTest } from '../rows.ts'
import { materialDesk } from './contract.ts'

const { conflictOfInterest, noteMissing } = materialDesk.errors

export default implement(materialDesk, {
  listWaiting: async (ctx, { query }) => {
    const { state = 'AUDITING', pageSize = 20, cursor } = query
    const inState = eq(materialTests.state, state)
    const rows = await ctx.db
      .select()
      .from(materialTests)
      .where(and(inState, behind(cursor)))
      .orderBy(asc(materialTests.submittedAt), asc(materialTests.testId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    const last = page.at(-1)
    const apps = await appsOf(
      ctx,
      page.map(row => row.appId),
    )
    const views = await toTests(ctx, page)
    return {
      total: await ctx.db.$count(materialTests, inState),
      list: views.map(view => ({ ...view, ...faceOf(apps.find(app => app.appId === view.appId)) })),
      nextCursor: rows.length > pageSize && last ? `${last.submittedAt ?? 0}-${last.testId}` : null,
    }
  },

  viewWaiting: async (ctx, { query }) => {
    const test = await loadTest(ctx, query.testId)
    return { ...(await toPage(ctx, test)), ...faceOf(await appOf(ctx, test.appId)) }
  },

  decideTest: async (ctx, { body }) => {
    const { app, test } = await lockTest(ctx, body.testId)
    const note = body.note?.trim() ?? ''
    const isOfTeam = await isMember(ctx, test.teamId, ctx.accountId)
    const moved = await moveTest(ctx, test, body.verdict === 'REJECT' ? 'reject' : 'approve', {
      objections: {
        isImpartial: isOfTeam ? () => refuse(conflictOfInterest) : null,
        hasNote: note === '' ? () => refuse(noteMissing) : null,
      },
      set: { decidedBy: ctx.accountId, decidedAt: ctx.now(), note: note || null },
      note: { note },
    })
    return { ...(await toTestAlone(ctx, moved)), ...faceOf(app) }
  },
})

/** Rows behind a cursor: the instant and the test of the last one before. */
function behind(cursor: string | undefined) {
  const [, at, testId] = /^([0-9]{1,16})-([0-9]{1,19})$/.exec(cursor ?? '') ?? []
  if (at === undefined || testId === undefined) return undefined
  const { submittedAt } = materialTests
  return or(gt(submittedAt, Number(at)), and(eq(submittedAt, Number(at)), gt(materialTests.testId, testId)))
}

const faceOf = (app: AppRow | undefined) => ({ appName: app?.name ?? '', packageName: app?.packageName ?? null })
