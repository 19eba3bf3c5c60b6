import { and, desc, eq, lt } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { cursorOf } from '../cursor.ts'
import { type ConsentPurpose, consentPurposes } from '../rules.ts'
import { consentRows as rows } from '../tables.home.ts'
import { consents } from './contract.ts'

export default implement(consents, {
  queryConsents: async (ctx, { body }) => {
    const last = await lastWords(ctx)
    return { consents: (body.purposes ?? consentPurposes).map(purpose => stateOf(last, purpose)) }
  },

  signConsents: async (ctx, { body }, { request }) => {
    const purposes = body.consents.map(one => one.purpose)
    const again = purposes.findIndex((purpose, at) => purposes.indexOf(purpose) !== at)
    if (again !== -1) throw badField(`/consents/${again}`, 'uniqueItems', 'is named twice')
    await ctx.transaction('home').query({
      name: 'consents lock',
      text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 111))',
      values: [`consents ${ctx.accountId}`],
    })
    const last = await lastWords(ctx)
    const changed = body.consents.filter(({ purpose, isAgree }) => (last.get(purpose)?.isAgree ?? false) !== isAgree)
    const written = changed.map(({ purpose, isAgree }) => ({
      consentId: ctx.newId(),
      accountId: ctx.accountId,
      purpose,
      isAgree,
      signedAt: ctx.now(),
      method: request.headers['sec-fetch-mode'] === undefined ? ('api' as const) : ('click' as const),
      ip: ctx.place.ip,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    }))
    if (written.length > 0) await ctx.home.insert(rows).values(written)
    for (const { consentId, purpose, isAgree } of written) {
      const action = isAgree ? 'consent.given' : 'consent.withdrawn'
      const about = { entity: 'consent', entityId: consentId }
      ctx.audit({ action, ...about, after: { purpose } }, 'home')
      ctx.emit({ type: action, ...about, data: { accountId: ctx.accountId, purpose } }, 'home')
    }
    const now = new Map([...last, ...written.map(row => [row.purpose, row] as const)])
    return { consents: purposes.map(purpose => stateOf(now, purpose)) }
  },

  listConsents: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const mine = and(
      eq(rows.accountId, ctx.accountId),
      query.purpose ? eq(rows.purpose, query.purpose as ConsentPurpose) : undefined,
    )
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(mine, query.cursor ? lt(rows.consentId, cursorOf(query.cursor)) : undefined))
      .orderBy(desc(rows.consentId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, mine),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.consentId ?? null) : null,
    }
  },
})

interface Word {
  isAgree: boolean
  signedAt: number
}

async function lastWords(ctx: Context): Promise<Map<ConsentPurpose, Word>> {
  const found = await ctx.home
    .selectDistinctOn([rows.purpose], { purpose: rows.purpose, isAgree: rows.isAgree, signedAt: rows.signedAt })
    .from(rows)
    .where(eq(rows.accountId, ctx.accountId))
    .orderBy(rows.purpose, desc(rows.consentId))
  return new Map(found.map(row => [row.purpose, row]))
}

const stateOf = (last: ReadonlyMap<ConsentPurpose, Word>, purpose: ConsentPurpose) => ({
  purpose,
  isAgree: last.get(purpose)?.isAgree ?? false,
  signedAt: last.get(purpose)?.signedAt ?? null,
})
