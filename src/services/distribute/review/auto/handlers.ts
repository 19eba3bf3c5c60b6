import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { autoRules } from '../tables.home.ts'
import { automaticPasses as contract } from './contract.ts'
import { usualRules } from './rules.ts'

export default implement(contract, {
  getAutoRules: async ctx => {
    const [row] = await ctx.home.select().from(autoRules)
    if (!row) return { ...usualRules, changedBy: null, updatedAt: null, revision: 0 }
    const [person] = await accountsOf(ctx, [row.changedBy])
    return { ...row, changedBy: person?.name ?? null }
  },

  updateAutoRules: async (ctx, { body }) => {
    const { revision, ...rules } = body
    const set = { ...rules, changedBy: ctx.accountId, updatedAt: ctx.now(), revision: revision + 1 }
    const [row] = await ctx.home
      .insert(autoRules)
      .values(set)
      .onConflictDoUpdate({ target: autoRules.one, set, setWhere: eq(autoRules.revision, revision) })
      .returning()
    // Nothing came back: another revision stands there. The first write of all has nothing to be stale about but 0.
    if (!row) {
      const [current] = await ctx.home.select({ revision: autoRules.revision }).from(autoRules)
      refuse(commonErrors.stale, { revision: current?.revision ?? 0 })
    }
    ctx.audit({ action: 'review.setAutoRules', entity: 'reviewRules', entityId: '1', after: { ...rules } }, 'home')
    return row
  },
})
