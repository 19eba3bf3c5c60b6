import { and, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { documentCycle, documentFacts, languageKeyOf } from '../rules.ts'
import { documentRows, kindRows, textRows } from '../tables.home.ts'

export type DocumentRow = typeof documentRows.$inferSelect

/** The documents as people see them: languages, title, signatures and what may be done; a fixed number of queries. */
export async function shown(ctx: Context, documents: readonly DocumentRow[]) {
  if (documents.length === 0) return []
  const ids = documents.map(row => row.documentId)
  const { documentId, language, title } = textRows
  const texts = await ctx.home
    .select({ documentId, language, title })
    .from(textRows)
    .where(inArray(documentId, ids))
    .orderBy(language)
  const kinds = await ctx.home
    .select()
    .from(kindRows)
    .where(inArray(kindRows.agrType, [...new Set(documents.map(row => row.agrType))]))
  const counts = await signaturesOf(ctx, ids)
  const seasons = await effectiveTimes(ctx, documents)
  const now = ctx.now()
  return documents.map(row => {
    const own = texts.filter(one => one.documentId === row.documentId)
    const kind = kinds.find(one => one.agrType === row.agrType && one.branchId === row.branchId)
    const told = own.find(one => one.language === languageKeyOf[ctx.place.language]) ?? own[0]
    const others = seasons.filter(one => isOfSeries(one, row) && one.documentId !== row.documentId)
    const facts = documentFacts(
      { effectiveAt: row.effectiveAt, texts: own.length, lastEffectiveAt: latestOf(others) },
      now,
    )
    const isNow = (at: number | null) => at !== null && at <= now
    return {
      ...row,
      name: kind?.name ?? { zh: '', en: '', ru: '' },
      languages: own.map(one => one.language),
      title: told?.title ?? '',
      signatures: counts.get(row.documentId) ?? 0,
      isInForce:
        row.state === 'published' &&
        isNow(row.effectiveAt) &&
        !others.some(one => one.version > row.version && isNow(one.effectiveAt)),
      allowedActions: allowedActions(
        documentCycle,
        row.state,
        permission => ctx.may(permission),
        // What still keeps a draft from being published is said when it is tried.
        row.state === 'draft' ? undefined : facts,
      ),
    }
  })
}

export async function shownWhole(ctx: Context, row: DocumentRow) {
  const [one] = await shown(ctx, [row])
  if (!one) throw new Error('nothing came back')
  const texts = await ctx.home
    .select()
    .from(textRows)
    .where(eq(textRows.documentId, row.documentId))
    .orderBy(textRows.language)
  return { ...one, texts }
}

export async function loadDocument(ctx: Context, documentId: string): Promise<DocumentRow> {
  const [row] = await ctx.home.select().from(documentRows).where(eq(documentRows.documentId, documentId))
  return row ?? refuse(commonErrors.notFound, { entity: 'document', id: documentId })
}

/** When the published versions of the same kinds come into force. */
export async function effectiveTimes(ctx: Context, documents: readonly Pick<DocumentRow, 'agrType'>[]) {
  const { documentId, agrType, branchId, country, version, effectiveAt } = documentRows
  return ctx.home
    .select({ documentId, agrType, branchId, country, version, effectiveAt })
    .from(documentRows)
    .where(and(eq(documentRows.state, 'published'), inArray(agrType, [...new Set(documents.map(row => row.agrType))])))
}

type Series = Pick<DocumentRow, 'agrType' | 'branchId' | 'country'>
export const isOfSeries = (one: Series, other: Series) =>
  one.agrType === other.agrType && one.branchId === other.branchId && one.country === other.country

export const latestOf = (times: readonly { effectiveAt: number | null }[]): number | null =>
  times.length === 0 ? null : Math.max(...times.map(one => one.effectiveAt ?? 0))

/** How many people and teams said yes to a version and nothing else since. */
async function signaturesOf(ctx: Context, documentIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await ctx.transaction('home').query<{ document_id: string; count: number }>({
    name: 'agreements signatures',
    text: `WITH said AS (
        SELECT 'p' AS kind, account_id AS who, agr_type, branch_id, country, sign_id, document_id, is_agree
        FROM agreement_signs WHERE document_id = ANY($1)
        UNION ALL
        SELECT 't', team_id, agr_type, branch_id, country, sign_id, document_id, is_agree
        FROM agreement_team_signs WHERE document_id = ANY($1)),
      last AS (SELECT DISTINCT ON (kind, who, document_id) document_id, is_agree FROM said
        ORDER BY kind, who, document_id, sign_id DESC)
      SELECT document_id, count(*)::int AS count FROM last WHERE is_agree GROUP BY document_id`,
    values: [documentIds],
  })
  return new Map(rows.map(row => [row.document_id, row.count]))
}
