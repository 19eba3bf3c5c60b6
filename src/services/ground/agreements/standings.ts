import type { Context } from '../../../server/context.ts'
import { type Known, memoryOf } from './memory.ts'
import { type Catalogue, type LastWord, versionAgreed, wordKeyOf } from './queries.ts'
import { type Signer, seriesOf, standingOf } from './rules.ts'

type KindOf = Catalogue['kinds'][number]

/** Where somebody stands with each kind that they sign and that has a text in force for them. */
export async function standingsOf(ctx: Context, signer: Signer, who: Known) {
  const catalogue = await memoryOf(ctx.server).catalogue()
  return catalogue.kinds
    .filter(kind => kind.signer === signer)
    .flatMap(kind => {
      const found = standingIn(ctx, catalogue, kind, who, who.country)
      return found ? [found] : []
    })
}

/** Where somebody stands with the documents of a country, which need not be theirs: then there is nothing to sign. */
export function standingIn(ctx: Context, catalogue: Catalogue, kind: KindOf, who: Known, country: string) {
  const now = ctx.now()
  const series = seriesOf(catalogue.seriesOf(kind), country, now)
  if (!series) return null
  const { agrType, branchId, name, isRequired, isWithdrawable, permissions } = kind
  const word: LastWord | undefined = who.agreed.get(wordKeyOf({ agrType, branchId, country: series.country }))
  const standing = standingOf(kind, series.versions, versionAgreed(word), now)
  if (!standing) return null
  const own = seriesOf(catalogue.seriesOf(kind), who.country, now)
  const { latest, isAgree, needSign, graceUntil, isBlocking } = standing
  const isOwn = own?.country === series.country
  return {
    agrType,
    branchId,
    name,
    country: series.country,
    language: isAgree ? (word?.language ?? null) : null,
    version: versionAgreed(word),
    latestVersion: latest.version,
    isRequired,
    isWithdrawable,
    permissions,
    isAgree,
    needSign: isOwn && needSign,
    graceUntil: isOwn ? graceUntil : null,
    isBlocking: isOwn && isBlocking,
    signId: isAgree ? (word?.signId ?? null) : null,
    signedAt: isAgree ? (word?.signedAt ?? null) : null,
    bodyHash: isAgree ? (word?.bodyHash ?? null) : null,
  }
}
