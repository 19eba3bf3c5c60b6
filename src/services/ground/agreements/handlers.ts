import { and, asc, desc, eq, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { agreements } from './contract.ts'
import { cursorOf } from './cursor.ts'
import { memoryOf } from './memory.ts'
import { agreedOf, digestOf } from './queries.ts'
import { languageShown, seriesOf } from './rules.ts'
import { signAll, textSigned } from './signing.ts'
import { standingIn, standingsOf } from './standings.ts'
import { kindRows, signRows, textRows } from './tables.home.ts'

export default implement(agreements, {
  query: async (ctx, { body }) => {
    const who = { country: await homeCountry(ctx), agreed: await agreedOf(ctx, 'person', ctx.accountId) }
    if (!body.agrInfo) return { signInfo: await standingsOf(ctx, 'person', who) }
    const catalogue = await memoryOf(ctx.server).catalogue()
    const signInfo = body.agrInfo.flatMap(asked => {
      const kind = catalogue.kinds.find(one => one.agrType === asked.agrType && one.branchId === asked.branchId)
      if (kind?.signer !== 'person') return []
      return standingIn(ctx, catalogue, kind, who, asked.country ?? who.country) ?? []
    })
    return { signInfo }
  },

  templateInfo: async (ctx, { query }) => {
    const { agrType, branchId } = query
    const catalogue = await memoryOf(ctx.server).catalogue()
    const kind = catalogue.kinds.find(one => one.agrType === agrType && one.branchId === branchId)
    const country = query.country ?? (await homeCountry(ctx))
    const series = kind && seriesOf(catalogue.seriesOf(kind), country, ctx.now())
    const latest = series?.versions.at(-1)
    if (!kind || !series || !latest)
      refuse(commonErrors.notFound, { entity: 'agreement', id: `${agrType}/${branchId}` })
    const texts = await ctx.home
      .select()
      .from(textRows)
      .where(eq(textRows.documentId, latest.documentId))
      .orderBy(asc(textRows.language))
    const languages = texts.map(one => one.language)
    const text = texts.find(one => one.language === languageShown(query.language, languages))
    if (!text) refuse(commonErrors.notFound, { entity: 'agreement', id: `${agrType}/${branchId}` })
    return { ...latest, ...text, agrType, branchId, name: kind.name, country: series.country, languages }
  },

  sign: async (ctx, { body }, wire) => {
    const by = { signer: 'person' as const, id: ctx.accountId, country: await homeCountry(ctx) }
    return { signInfo: await signAll(ctx, by, body.signInfo, wire) }
  },

  signedText: async (ctx, { query }) => {
    const { signId, agrType, branchId } = query
    if (signId === undefined && (agrType === undefined || branchId === undefined))
      throw badField('/signId', 'required', 'send signId, or agrType and branchId', 'query')
    const chosen =
      signId === undefined
        ? and(eq(signRows.agrType, agrType ?? 0), eq(signRows.branchId, branchId ?? 0), eq(signRows.isAgree, true))
        : eq(signRows.signId, signId)
    const [found] = await ctx.home
      .select({ sign: signRows, name: kindRows.name })
      .from(signRows)
      .innerJoin(kindRows, and(eq(kindRows.agrType, signRows.agrType), eq(kindRows.branchId, signRows.branchId)))
      .where(and(eq(signRows.accountId, ctx.accountId), chosen))
      .orderBy(desc(signRows.signId))
      .limit(1)
    const text = found && (await textSigned(ctx, found.sign))
    if (!found || !text) refuse(commonErrors.notFound, { entity: 'signature', id: signId ?? `${agrType}/${branchId}` })
    const { title, body } = text
    return { ...found.sign, name: found.name, title, body, isIntact: digestOf(body) === found.sign.bodyHash }
  },

  listSigned: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const mine = eq(signRows.accountId, ctx.accountId)
    const found = await ctx.home
      .select({ sign: signRows, name: kindRows.name })
      .from(signRows)
      .innerJoin(kindRows, and(eq(kindRows.agrType, signRows.agrType), eq(kindRows.branchId, signRows.branchId)))
      .where(and(mine, query.cursor ? lt(signRows.signId, cursorOf(query.cursor)) : undefined))
      .orderBy(desc(signRows.signId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize).map(({ sign, name }) => ({ ...sign, name }))
    return {
      total: await ctx.home.$count(signRows, mine),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.signId ?? null) : null,
    }
  },
})

/** Said by the server, whatever a call names: nobody chooses the country whose documents bind them. */
async function homeCountry(ctx: Context): Promise<string> {
  return (await memoryOf(ctx.server).of('person', ctx.accountId)).country
}
