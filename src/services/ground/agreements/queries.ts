import { createHash } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { accountsOf } from '../session/public.ts'
import { teamNamed } from '../teams/public.ts'
import { everywhere, type Kind, type Published, type Signer } from './rules.ts'
import { documentRows, kindRows } from './tables.home.ts'

export type KindRow = typeof kindRows.$inferSelect
export interface InForce extends Published {
  documentId: string
}
type ByCountry = ReadonlyMap<string, readonly InForce[]>

/** Every kind with its published versions by country, the oldest first; no texts. */
export interface Catalogue {
  kinds: readonly (Kind & KindRow)[]
  seriesOf: (kind: Pick<Kind, 'agrType' | 'branchId'>) => ByCountry
}

const none: ByCountry = new Map()
const kindKeyOf = ({ agrType, branchId }: Pick<Kind, 'agrType' | 'branchId'>) => `${agrType} ${branchId}`

export async function catalogueOf(ctx: Context): Promise<Catalogue> {
  const kinds = await ctx.home.select().from(kindRows).orderBy(asc(kindRows.agrType), asc(kindRows.branchId))
  const published = await ctx.home
    .select()
    .from(documentRows)
    .where(eq(documentRows.state, 'published'))
    .orderBy(asc(documentRows.version))
  const series = new Map<string, Map<string, InForce[]>>()
  for (const row of published) {
    const key = kindKeyOf(row)
    const byCountry = series.get(key) ?? new Map<string, InForce[]>()
    const versions = byCountry.get(row.country) ?? []
    const { version, graceDays, requireResign, documentId } = row
    versions.push({ version, graceDays, requireResign, documentId, effectiveAt: row.effectiveAt ?? 0 })
    byCountry.set(row.country, versions)
    series.set(key, byCountry)
  }
  return { kinds, seriesOf: kind => series.get(kindKeyOf(kind)) ?? none }
}

/** The last word on each document of a kind and country. */
export interface LastWord {
  signId: string
  agrType: number
  branchId: number
  country: string
  language: string
  version: number
  documentId: string
  isAgree: boolean
  bodyHash: string
  signedAt: number
}
export type Agreed = ReadonlyMap<string, LastWord>

export const wordKeyOf = (of: Pick<LastWord, 'agrType' | 'branchId' | 'country'>) =>
  `${of.agrType} ${of.branchId} ${of.country}`

/** The version that was agreed to; 0 where none was or where it was withdrawn. */
export const versionAgreed = (word: LastWord | undefined) => (word?.isAgree ? word.version : 0)

const lastWords = (table: string, column: string) => ({
  name: `agreements last words of ${table}`,
  text: `SELECT DISTINCT ON (agr_type, branch_id, country) sign_id AS "signId", agr_type AS "agrType",
      branch_id AS "branchId", country, language, version, document_id AS "documentId", is_agree AS "isAgree",
      body_hash AS "bodyHash", signed_at AS "signedAt"
    FROM ${table} WHERE ${column} = $1 ORDER BY agr_type, branch_id, country, sign_id DESC`,
})
const statements = {
  person: lastWords('agreement_signs', 'account_id'),
  team: lastWords('agreement_team_signs', 'team_id'),
}

/** What somebody said last of each document: all of it in one query. */
export async function agreedOf(ctx: Context, signer: Signer, id: string): Promise<Agreed> {
  const { rows } = await ctx.transaction('home').query<LastWord & { signedAt: string }>({
    ...statements[signer],
    values: [id],
  })
  return new Map(rows.map(row => [wordKeyOf(row), { ...row, signedAt: Number(row.signedAt) }]))
}

/** The country of the team that somebody starts in; without a team, everywhere. The scope of rows must be all. */
export async function countryOfPerson(ctx: Context, accountId: string): Promise<string> {
  const [account] = await accountsOf(ctx, [accountId])
  const team = account?.homeTeamId ? await teamNamed(ctx, account.homeTeamId) : null
  return team?.countryCode ?? everywhere
}

/** SHA-256 of a text as it is kept: in UTF-8, in hex. */
export function digestOf(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('hex')
}
