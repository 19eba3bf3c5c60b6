import { eq, inArray } from 'drizzle-orm'
import type { Input } from '../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import type { WireAccess } from '../../../server/implement.ts'
import { agreements } from './contract.ts'
import { keyOf, signalName } from './memory.ts'
import { type Agreed, agreedOf, type Catalogue, catalogueOf, type LastWord, wordKeyOf } from './queries.ts'
import { type Signer, seriesOf } from './rules.ts'
import { signRows, teamSignRows, textRows } from './tables.home.ts'

const { errors } = agreements
type Wanted = Input<typeof agreements.calls.sign>['body']['signInfo'][number]
type Word = Omit<LastWord, 'signId' | 'signedAt'>

interface Signing {
  signer: Signer
  /** The account or the team. */
  id: string
  country: string
}

/**
 * Writes signatures and withdrawals, all or none. What was signed already with the same text is answered as it stands: a
 * repeated call adds nothing. Rows are read here and not from memory, behind a lock that makes two calls take turns.
 */
export async function signAll(
  ctx: Context,
  by: Signing,
  wanted: readonly Wanted[],
  wire: WireAccess,
): Promise<LastWord[]> {
  await ctx.transaction('home').query({
    name: 'agreements lock',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 111))',
    values: [keyOf(by.signer, by.id)],
  })
  refuseTwice(wanted)
  const catalogue = await catalogueOf(ctx)
  const before = await agreedOf(ctx, by.signer, by.id)
  const words = wanted.map(one => judge(ctx, by, catalogue, before, one))
  await checkTexts(ctx, wanted, words)
  return write(ctx, by, before, words, wire)
}

function refuseTwice(wanted: readonly Wanted[]): void {
  const seen = new Set<string>()
  for (const [at, one] of wanted.entries()) {
    if (one.isAgree && one.bodyHash === undefined)
      throw badField(`/signInfo/${at}/bodyHash`, 'required', 'send the digest of the text that was read')
    if (seen.has(wordKeyOf(one))) throw badField(`/signInfo/${at}`, 'uniqueItems', 'is named twice')
    seen.add(wordKeyOf(one))
  }
}

/** What is to be written for one of them; its text is looked at afterwards, for all of them at once. */
function judge(ctx: Context, by: Signing, catalogue: Catalogue, before: Agreed, one: Wanted): Word {
  const { agrType, branchId, country, language } = one
  const kind = catalogue.kinds.find(row => row.agrType === agrType && row.branchId === branchId)
  if (!kind || kind.signer !== by.signer)
    refuse(commonErrors.notFound, { entity: 'agreement', id: `${agrType}/${branchId}` })
  const word = before.get(wordKeyOf(one))
  if (!one.isAgree) {
    if (!word) refuse(errors.neverSigned)
    if (!kind.isWithdrawable) refuse(errors.notWithdrawable)
    return { ...word, isAgree: false }
  }
  const series = seriesOf(catalogue.seriesOf(kind), by.country, ctx.now())
  const latest = series?.versions.at(-1)
  if (!series || !latest) refuse(commonErrors.notFound, { entity: 'agreement', id: `${agrType}/${branchId}` })
  if (series.country !== country) refuse(errors.otherCountry, { country, ownCountry: series.country })
  if (latest.version !== one.version)
    refuse(errors.notInForce, { version: one.version, latestVersion: latest.version, agrType, branchId, country })
  const { version, documentId } = latest
  return { agrType, branchId, country, language, version, documentId, isAgree: true, bodyHash: one.bodyHash ?? '' }
}

async function checkTexts(ctx: Context, wanted: readonly Wanted[], words: readonly Word[]): Promise<void> {
  const documentIds = words.filter(word => word.isAgree).map(word => word.documentId)
  if (documentIds.length === 0) return
  const { documentId, language, bodyHash } = textRows
  const texts = await ctx.home
    .select({ documentId, language, bodyHash })
    .from(textRows)
    .where(inArray(documentId, documentIds))
  for (const [at, word] of words.entries()) {
    if (!word.isAgree) continue
    const text = texts.find(one => one.documentId === word.documentId && one.language === word.language)
    if (!text)
      throw badField(`/signInfo/${at}/language`, 'enum', 'there is no text in this language; read templateInfo')
    if (text.bodyHash !== wanted[at]?.bodyHash) refuse(errors.otherText, { language: word.language })
  }
}

async function write(ctx: Context, by: Signing, before: Agreed, words: readonly Word[], wire: WireAccess) {
  const { headers } = wire.request
  const told = {
    signedAt: ctx.now(),
    accountId: ctx.accountId,
    method: headers['sec-fetch-mode'] === undefined ? ('api' as const) : ('click' as const),
    ip: ctx.place.ip,
    userAgent: headers['user-agent']?.slice(0, 300) ?? null,
  }
  const result = words.map(word => {
    const last = before.get(wordKeyOf(word))
    return last && isSame(last, word)
      ? { isNew: false, row: last }
      : { isNew: true, row: { ...word, signId: ctx.newId(), ...told } }
  })
  const rows = result.filter(one => one.isNew).map(({ row }) => ({ ...row, ...told }))
  if (rows.length > 0) {
    if (by.signer === 'person') await ctx.home.insert(signRows).values(rows)
    else await ctx.home.insert(teamSignRows).values(rows.map(row => ({ ...row, teamId: by.id })))
    ctx.signal('home', signalName, keyOf(by.signer, by.id))
  }
  for (const { signId, agrType, branchId, country, language, version, isAgree, bodyHash } of rows) {
    const entity = { entity: 'agreement', entityId: signId }
    const data = { agrType, branchId, country, language, version, bodyHash, signer: by.signer }
    const action = isAgree ? 'agreement.signed' : 'agreement.withdrawn'
    ctx.audit({ action, ...entity, after: data }, 'home')
    ctx.emit({ type: action, ...entity, data: { ...data, accountId: ctx.accountId } }, 'home')
  }
  return result.map(one => one.row)
}

const isSame = (last: LastWord, word: Word) =>
  last.isAgree === word.isAgree &&
  last.version === word.version &&
  last.language === word.language &&
  last.bodyHash === word.bodyHash

/** The text a signature points to, as it is kept, or null. */
export async function textSigned(ctx: Context, word: Pick<LastWord, 'documentId' | 'language'>) {
  const rows = await ctx.home.select().from(textRows).where(eq(textRows.documentId, word.documentId))
  return rows.find(row => row.language === word.language) ?? null
}
