import { and, asc, eq, ilike, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { isCountryCode } from '../../../ground/regions/contract.ts'
import { keptOf, pageOf } from '../queries.ts'
import { kept, words } from '../tables.home.ts'
import { readable } from '../texts/context.ts'
import { fillWords } from '../texts/words.ts'
import { lifecycleDesk as contract } from './contract.ts'

const mostWords = 20_000

export default implement(contract, {
  listWords: async (ctx, { query }) => {
    await fillWords(ctx)
    const { language, topic, search } = query
    const like = `%${(search ?? '').trim().replace(/[\\%_]/g, found => `\\${found}`)}%`
    const rows = await ctx.home
      .select()
      .from(words)
      .where(
        and(
          language && eq(words.language, language),
          topic && eq(words.topic, topic),
          search ? ilike(words.word, like) : undefined,
        ),
      )
      .orderBy(asc(words.language), asc(words.topic), asc(words.wordKey), asc(words.wordId))
      .limit(mostWords)
    const page = pageOf(
      rows.map(row => ({ ...row, rowId: row.wordId })),
      query,
    )
    return page
  },

  saveWord: async (ctx, { body }) => {
    const { wordId, revision, ...fields } = body
    const word = fields.word.trim()
    const set = { ...fields, word, wordKey: readable(word), updatedAt: ctx.now() }
    const same = and(eq(words.language, set.language), eq(words.wordKey, set.wordKey), ne(words.wordId, wordId ?? '0'))
    if ((await ctx.home.$count(words, same)) > 0) refuse(contract.errors.wordThere, { word })
    const [row] =
      wordId === undefined
        ? await ctx.home
            .insert(words)
            .values({ wordId: ctx.newId(), ...set })
            .onConflictDoNothing()
            .returning()
        : await ctx.home
            .update(words)
            .set({ ...set, revision: (revision ?? 0) + 1 })
            .where(and(eq(words.wordId, wordId), eq(words.revision, revision ?? 0)))
            .returning()
    if (!row && wordId === undefined) refuse(contract.errors.wordThere, { word })
    if (!row) {
      const [known] = await ctx.home
        .select()
        .from(words)
        .where(eq(words.wordId, wordId ?? '0'))
      refuse(known ? commonErrors.stale : commonErrors.notFound, { entity: 'word', id: wordId, ...known })
    }
    ctx.audit({ action: 'lifecycle.saveWord', entity: 'word', entityId: row.wordId, after: { ...set } }, 'home')
    return row
  },

  listRows: async (ctx, { query }) => pageOf(await keptOf(ctx, query.kind, true), query),

  saveRow: async (ctx, { body }) => {
    const { rowId, revision, startAt = null, endAt = null, ...fields } = body
    if (startAt !== null && endAt !== null && endAt <= startAt) refuse(contract.errors.notOrdered)
    fields.countries?.forEach((code, index) => {
      if (!isCountryCode(code)) throw badField(`/countries/${index}`, 'country', `${code} is no ISO 3166 code.`)
    })
    const { link = '', countries = [], kindTags = [], place = 0 } = fields
    if (link !== '' && !/^https?:\/\/[^\s]+$/.test(link)) throw badField('/link', 'address', 'Begin with https://.')
    const stamp = { updatedBy: ctx.accountId, updatedAt: ctx.now() }
    const set = { ...fields, link, countries: [...countries], kindTags: [...kindTags], place, startAt, endAt, ...stamp }
    const [row] =
      rowId === undefined
        ? await ctx.home
            .insert(kept)
            .values({ rowId: ctx.newId(), ...set })
            .returning()
        : await ctx.home
            .update(kept)
            .set({ ...set, revision: (revision ?? 0) + 1 })
            .where(and(eq(kept.rowId, rowId), eq(kept.kind, body.kind), eq(kept.revision, revision ?? 0)))
            .returning()
    if (!row) {
      const [known] = await ctx.home
        .select()
        .from(kept)
        .where(eq(kept.rowId, rowId ?? '0'))
      refuse(known ? commonErrors.stale : commonErrors.notFound, {
        entity: 'row',
        id: rowId,
        revision: known?.revision,
      })
    }
    const { kind, titles } = row
    ctx.audit({ action: 'lifecycle.saveRow', entity: 'keptRow', entityId: row.rowId, after: { kind, titles } }, 'home')
    return row
  },

  deleteRow: async (ctx, { query }) => {
    const [row] = await ctx.home.delete(kept).where(eq(kept.rowId, query.rowId)).returning()
    if (!row) refuse(commonErrors.notFound, { entity: 'row', id: query.rowId })
    const { kind, titles } = row
    ctx.audit(
      { action: 'lifecycle.deleteRow', entity: 'keptRow', entityId: row.rowId, before: { kind, titles } },
      'home',
    )
    return {}
  },
})
