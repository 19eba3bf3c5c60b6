import { eq } from 'drizzle-orm'
import type { Context } from '../../../../../server/context.ts'
import { implement } from '../../../../../server/implement.ts'
import { rcsRollouts as rows } from '../../tables.ts'
import { assertAhead } from '../checks.ts'
import { assertStart, moveRollout, type RolloutRow, type StillWish, stay } from '../moves.ts'
import { loadToMove, viewOf } from '../rows.ts'
import { agreementOf } from './agreement.ts'
import { rolloutAgreement } from './contract.ts'

export default implement(rolloutAgreement, {
  askAboutRollout: async (ctx, { params, body }) => {
    const { action, reason, revision } = body
    const row = await loadToMove(ctx, params.rolloutId, revision)
    const startAt = action === 'complete' ? null : body.startAt === undefined ? row.startAt : body.startAt
    assertAhead(ctx, action === 'complete' ? undefined : body.startAt)
    const [deed, what] = action === 'start' ? (['askStart', { startAt }] as const) : (['askComplete', {}] as const)
    const { row: moved, changeId } = await stay(ctx, row, deed, wishOf(reason))
    if (action === 'start') await assertStart(ctx, moved)
    return viewOf(ctx, await write(ctx, moved, { asked: action, askedIn: changeId, ...what }))
  },

  agreeToRollout: async (ctx, { params, body }) => {
    const row = await loadToMove(ctx, params.rolloutId, body.revision)
    const { needed, agreed } = await agreementOf(ctx, row)
    const isEnough = agreed.length + 1 >= needed
    const { row: moved } = await stay(ctx, row, 'agree', { ...wishOf(body.reason), data: { isEnough } })
    const { asked, startAt } = moved
    if (!isEnough || asked === null) return viewOf(ctx, moved)
    const later = asked === 'start' && startAt !== null ? { startAt } : {}
    return viewOf(ctx, await moveRollout(ctx, moved, asked, { isAgreed: true, ...later }))
  },

  refuseRollout: async (ctx, { params, body }) => giveUp(ctx, params.rolloutId, 'refuse', body),
  withdrawRollout: async (ctx, { params, body }) => giveUp(ctx, params.rolloutId, 'withdraw', body),
})

const wishOf = (reason: string | undefined): StillWish => (reason === undefined ? {} : { reason })

async function giveUp(
  ctx: Context,
  rolloutId: string,
  action: 'refuse' | 'withdraw',
  { reason, revision }: { reason?: string; revision: number },
) {
  const row = await loadToMove(ctx, rolloutId, revision)
  const { row: moved } = await stay(ctx, row, action, wishOf(reason))
  return viewOf(ctx, await write(ctx, moved, { asked: null, askedIn: null }))
}

async function write(ctx: Context, { rolloutId }: RolloutRow, what: Partial<RolloutRow>): Promise<RolloutRow> {
  const [row] = await ctx.db.update(rows).set(what).where(eq(rows.rolloutId, rolloutId)).returning()
  return row as RolloutRow
}
