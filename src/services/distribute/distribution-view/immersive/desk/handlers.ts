import { and, asc, eq, gt, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import type { Context } from '../../../../../server/context.ts'
import { implement } from '../../../../../server/implement.ts'
import { holdObjects, releaseObjects } from '../../../../ground/files/public.ts'
import { isMember } from '../../../../ground/teams/public.ts'
import { type AppRow, appsOf, lockApp } from '../../../apps/public.ts'
import { immersivePictures } from '../../tables.ts'
import { toImmersive } from '../answer.ts'
import { movePicture, type PictureRecord, pictureForChange } from '../rows.ts'
import type { ImmersiveFact } from '../rules.ts'
import { immersiveDesk } from './contract.ts'

export default implement(immersiveDesk, {
  listImmersive: async (ctx, { query }) => {
    const { state = 'AUDITING', pageSize = 20, cursor } = query
    const inState = eq(immersivePictures.state, state)
    const rows = await ctx.db
      .select()
      .from(immersivePictures)
      .where(and(inState, behind(cursor)))
      .orderBy(asc(immersivePictures.submittedAt), asc(immersivePictures.appId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    const last = list.at(-1)
    const apps = await appsOf(
      ctx,
      list.map(row => row.appId),
    )
    return {
      total: await ctx.db.$count(immersivePictures, inState),
      list: list.map(row =>
        onDesk(
          ctx,
          row,
          apps.find(app => app.appId === row.appId),
        ),
      ),
      nextCursor: rows.length > pageSize && last ? `${last.submittedAt ?? 0}-${last.appId}` : null,
    }
  },

  decideImmersive: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    const row = await pictureForChange(ctx, app)
    const note = body.note?.trim() ?? ''
    const facts = { isImpartial: !(await isMember(ctx, row.teamId, ctx.accountId)), hasNote: note !== '' }
    const decided = { decidedBy: ctx.accountId, decidedAt: ctx.now(), note: note || null }
    const wanted = { facts, unmet: refuseUnmet, note: { note } }
    if (body.verdict === 'REJECT') {
      return onDesk(ctx, await movePicture(ctx, row, 'reject', { ...wanted, set: decided }), app)
    }
    const { objectId, dominantColor, textColor } = row
    if (objectId === null || dominantColor === null || textColor === null) {
      refuse(commonErrors.notFound, { entity: 'picture of app', id: app.appId })
    }
    const passed = { objectId, dominantColor, textColor, at: ctx.now() }
    const after = await movePicture(ctx, row, 'approve', { ...wanted, set: { ...decided, passed } })
    await holdObjects(ctx, [objectId], app)
    if (row.passed) await releaseObjects(ctx, [row.passed.objectId])
    return onDesk(ctx, after, app)
  },
})

/** Rows behind a cursor: the instant and the app of the last one before. */
function behind(cursor: string | undefined) {
  const [, at, appId] = /^([0-9]{1,16})-([0-9]{1,19})$/.exec(cursor ?? '') ?? []
  if (at === undefined || appId === undefined) return undefined
  const { submittedAt } = immersivePictures
  return or(gt(submittedAt, Number(at)), and(eq(submittedAt, Number(at)), gt(immersivePictures.appId, appId)))
}

function onDesk(ctx: Context, row: PictureRecord, app: AppRow | undefined) {
  return { ...toImmersive(ctx, row), appName: app?.name ?? '', packageName: app?.packageName ?? null }
}

function refuseUnmet(fact: ImmersiveFact): never {
  const { conflictOfInterest, noteMissing } = immersiveDesk.errors
  return refuse(fact === 'hasNote' ? noteMissing : conflictOfInterest)
}
