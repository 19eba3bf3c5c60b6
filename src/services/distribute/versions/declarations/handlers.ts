import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { appOf, lockApp } from '../../apps/public.ts'
import { openOrFirst } from '../drafts.ts'
import { blocksOf } from '../readiness/rules.ts'
import { readinessList } from '../submit.ts'
import { aiDeclarations } from '../tables.ts'
import { validateContact } from './contact.ts'
import { versionDeclarations } from './contract.ts'
import { formModel } from './form-model.ts'
import { isAiContentRight } from './rules.ts'

const undeclared = {
  involved: false,
  types: [],
  providerNames: '',
  algorithmFilingNo: '',
  updatedAt: null,
  revision: 1,
}

export default implement(versionDeclarations, {
  getAiContent: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return { ...undeclared, ...(await declarationOf(ctx, query.appId)), appId: query.appId }
  },

  updateAiContent: async (ctx, { body }) => {
    const { appId, involved, revision } = body
    const app = await lockApp(ctx, appId)
    const before = await declarationOf(ctx, appId)
    if (before && revision !== undefined && revision !== before.revision) {
      refuse(commonErrors.stale, { revision: before.revision })
    }
    const said = {
      involved,
      types: involved ? [...body.types] : [],
      providerNames: involved ? (body.providerNames?.trim() ?? '') : '',
      algorithmFilingNo: involved ? (body.algorithmFilingNo?.trim() ?? '') : '',
    }
    if (!isAiContentRight({ ...said, types: body.types })) refuse(versionDeclarations.errors.wrongAiTypes)
    const row = { appId, teamId: app.teamId, ...said, updatedAt: ctx.now(), revision: (before?.revision ?? 0) + 1 }
    await ctx.db.insert(aiDeclarations).values(row).onConflictDoUpdate({ target: aiDeclarations.appId, set: row })
    ctx.audit({ action: 'app.declareAi', entity: 'app', entityId: appId, after: said })
    return row
  },

  getFormModel: async (ctx, { query }) => ({ list: formModel(await appOf(ctx, query.appId)) }),

  validateContact: (ctx, { body }) => validateContact(ctx, body),

  checkAgreements: async (ctx, { body }) => {
    const app = await appOf(ctx, body.appId)
    const open = await openOrFirst(ctx, body.appId)
    const findings = open ? await readinessList(ctx, app, open) : []
    const list = findings.filter(one => /^(agreement|privacy)\./.test(one.rule))
    return { isPassed: blocksOf(list) === 0, list }
  },
})

async function declarationOf(ctx: Context, appId: string) {
  const [row] = await ctx.db.select().from(aiDeclarations).where(eq(aiDeclarations.appId, appId))
  return row
}
