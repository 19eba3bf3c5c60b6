import { and, asc, desc, eq, exists, ilike, lt, or, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { teamPermissions } from '../../teams/public.ts'
import { cursorOf } from '../cursor.ts'
import { signalName } from '../memory.ts'
import { digestOf } from '../queries.ts'
import { type DocumentAction, documentCycle, documentFacts, limits } from '../rules.ts'
import { kindRows, documentRows as rows, textRows } from '../tables.home.ts'
import { agreementDocuments } from './contract.ts'
import { setKind } from './kinds.ts'
import { type DocumentRow, effectiveTimes, isOfSeries, latestOf, loadDocument, shown, shownWhole } from './view.ts'

const { errors } = agreementDocuments

export default implement(agreementDocuments, {
  listKinds: async ctx => ({
    list: await ctx.home
      .select()
      .from(kindRows)
      .orderBy(asc(kindRows.agrType), asc(kindRows.branchId))
      .limit(limits.kinds),
    permissions: teamPermissions().filter(one => !one.startsWith('agreements.')),
  }),

  setKind: (ctx, { body }) => setKind(ctx, body),

  listDocuments: async (ctx, { query }) => {
    const { state, agrType, branchId, country, search } = query
    const pageSize = query.pageSize ?? 20
    const like = `%${(search ?? '').replace(/[\\%_]/g, '\\$&')}%`
    const hasTitle = ctx.home
      .select({ one: sql`1` })
      .from(textRows)
      .where(and(eq(textRows.documentId, rows.documentId), ilike(textRows.title, like)))
    const filter = and(
      state ? eq(rows.state, state) : undefined,
      agrType === undefined ? undefined : eq(rows.agrType, agrType),
      branchId === undefined ? undefined : eq(rows.branchId, branchId),
      country ? eq(rows.country, country) : undefined,
      search ? or(exists(hasTitle), eq(sql`${rows.agrType}::text`, search)) : undefined,
    )
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(filter, query.cursor ? lt(rows.documentId, cursorOf(query.cursor)) : undefined))
      .orderBy(desc(rows.documentId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, filter),
      list: await shown(ctx, list),
      nextCursor: found.length > pageSize ? (list.at(-1)?.documentId ?? null) : null,
    }
  },

  createDocument: async (ctx, { body }) => {
    const { agrType, branchId, country } = body
    const isKind = and(eq(kindRows.agrType, agrType), eq(kindRows.branchId, branchId))
    if ((await ctx.home.$count(kindRows, isKind)) === 0)
      refuse(commonErrors.notFound, { entity: 'kind', id: `${agrType}/${branchId}` })
    const [before] = await ctx.home
      .select()
      .from(rows)
      .where(and(eq(rows.agrType, agrType), eq(rows.branchId, branchId), eq(rows.country, country)))
      .orderBy(desc(rows.version))
      .limit(1)
    const now = ctx.now()
    const row: DocumentRow = {
      documentId: ctx.newId(),
      agrType,
      branchId,
      country,
      version: (before?.version ?? 0) + 1,
      state: 'draft',
      effectiveAt: null,
      graceDays: before?.graceDays ?? 0,
      requireResign: true,
      publishedAt: null,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    await ctx.home
      .insert(rows)
      .values(row)
      .catch(error => (isDuplicate(error) ? refuse(errors.draftOpen, { country }) : Promise.reject(error)))
    if (before) {
      const texts = await ctx.home.select().from(textRows).where(eq(textRows.documentId, before.documentId))
      const copies = texts.map(one => ({ ...one, documentId: row.documentId }))
      if (copies.length > 0) await ctx.home.insert(textRows).values(copies)
    }
    record(ctx, 'created', row)
    return shownWhole(ctx, row)
  },

  getDocument: async (ctx, { params }) => shownWhole(ctx, await loadDocument(ctx, params.documentId)),

  updateDocument: async (ctx, { params, body }) => {
    const { revision, ...settings } = body
    const row = await changeDraft(ctx, params.documentId, revision, settings)
    return shownWhole(ctx, row)
  },

  writeText: async (ctx, { params, body }) => {
    const { revision, language, title, body: whole } = body
    const row = await changeDraft(ctx, params.documentId, revision, {}, language)
    const text = { title, body: whole, bodyHash: digestOf(whole) }
    await ctx.home
      .insert(textRows)
      .values({ documentId: row.documentId, language, ...text })
      .onConflictDoUpdate({ target: [textRows.documentId, textRows.language], set: text })
    return shownWhole(ctx, row)
  },

  deleteText: async (ctx, { params, query }) => {
    const row = await changeDraft(ctx, params.documentId, query.revision, {}, query.language)
    await ctx.home
      .delete(textRows)
      .where(and(eq(textRows.documentId, row.documentId), eq(textRows.language, query.language)))
    return shownWhole(ctx, row)
  },

  actOnDocument: async (ctx, { params, body }) => {
    const row = await loadDocument(ctx, params.documentId)
    const { state } = await move(ctx, row, body.action)
    if (body.action === 'publish') {
      const now = ctx.now()
      await ctx.home
        .update(rows)
        .set({ publishedAt: now, effectiveAt: row.effectiveAt ?? now })
        .where(eq(rows.documentId, row.documentId))
    }
    if (state === null) {
      await ctx.home.delete(textRows).where(eq(textRows.documentId, row.documentId))
      await ctx.home.delete(rows).where(eq(rows.documentId, row.documentId))
    }
    ctx.signal('home', signalName, '')
    return { state }
  },
})

async function move(ctx: Context, row: DocumentRow, action: DocumentAction) {
  const times = await effectiveTimes(ctx, [row])
  const others = times.filter(one => isOfSeries(one, row) && one.documentId !== row.documentId)
  const texts = await ctx.home.$count(textRows, eq(textRows.documentId, row.documentId))
  const { documentId, agrType, branchId, country, version, effectiveAt, state, revision } = row
  return transition(ctx, {
    cycle: documentCycle,
    table: 'agreement_documents',
    idColumn: 'document_id',
    row: { id: documentId, state, revision },
    action,
    facts: documentFacts({ effectiveAt, texts, lastEffectiveAt: latestOf(others) }, ctx.now()),
    unmet: fact =>
      fact === 'isUpcoming' ? refuse(errors.inForce) : refuse(errors.notReady, { missing: missing[fact] }),
    data: { agrType, branchId, country, version },
    note: { agrType, branchId, country, version },
    database: 'home',
  })
}

const missing = {
  hasText: 'it has no text in any language',
  isAhead: 'its date has passed; choose a later one, or none for at once',
  comesAfterLast: 'the version before comes into force later; choose a date after it',
}

/** Counts a change of a draft; a text that was published is never touched. */
async function changeDraft(
  ctx: Context,
  documentId: string,
  revision: number,
  set: Partial<DocumentRow>,
  language?: string,
): Promise<DocumentRow> {
  const before = await loadDocument(ctx, documentId)
  if (before.state !== 'draft') refuse(errors.published)
  if (set.effectiveAt != null && set.effectiveAt < ctx.now())
    throw badField('/effectiveAt', 'minimum', 'lies in the past; choose a later time, or none for at once')
  const [row] = await ctx.home
    .update(rows)
    .set({ ...set, updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
    .where(and(eq(rows.documentId, documentId), eq(rows.revision, revision), eq(rows.state, 'draft')))
    .returning()
  if (!row) refuse(commonErrors.stale, { revision: before.revision })
  record(ctx, 'updated', row, { ...set, ...(language ? { language } : {}) })
  return row
}

function record(
  ctx: Context,
  what: 'created' | 'updated',
  row: DocumentRow,
  after: Record<string, unknown> = {},
): void {
  const { documentId, agrType, branchId, country, version } = row
  ctx.audit(
    {
      action: `agreement_document.${what}`,
      entity: 'agreement_document',
      entityId: documentId,
      after: { agrType, branchId, country, version, ...after },
    },
    'home',
  )
}
