import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { murmur3, variantOfShare, wholeMicroPercent } from './bucket.ts'

/**
 * The hashes of other products (brief growth 8.4), so that nobody changes groups when a team moves here. Formulas only; ours
 * is in bucket.ts.
 */

/** Firebase Remote Config: where an id stands among 10^8. `percent at most p` takes `place <= p`, `between` `lo < place <= hi`. */
export function firebasePlace(seed: string, id: string): number {
  let rest = 0
  for (const byte of sha256(utf8ToBytes(seed === '' ? id : `${seed}.${id}`)))
    rest = (rest * 256 + byte) % wholeMicroPercent
  return rest
}

/** Unleash: 1 to `normalizer`; a rollout of p percent takes those with a number up to p. */
export function unleashNumber(group: string, id: string, normalizer = 100, seed = 0): number {
  return (murmur3(`${group}:${id}`, seed) % normalizer) + 1
}

/** The seed with which Unleash draws variants, apart from its rollouts. */
export const unleashVariantSeed = 86_028_157

/** Unleash: which variant an id gets, by weights; -1 where all weigh nothing. */
export function unleashVariant(group: string, id: string, weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return -1
  const target = unleashNumber(group, id, total, unleashVariantSeed)
  let sum = 0
  return weights.findIndex(weight => {
    sum += weight
    return sum >= target
  })
}

/** FNV-1a of 32 bits over UTF-16 units, as GrowthBook counts it. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** GrowthBook, hash version 2: 0 up to 0.9999. */
export function growthBookShare(seed: string, id: string): number {
  return (fnv1a(String(fnv1a(seed + id))) % 10_000) / 10_000
}

/** GrowthBook, hash version 1: 0 up to 0.999. */
export function growthBookFirstShare(seed: string, id: string): number {
  return (fnv1a(id + seed) % 1000) / 1000
}

/** flagd's `fractional`: which variant a key gets, by whole weights; -1 where all weigh nothing. */
export function flagdVariant(flagKey: string, bucketKey: string, weights: readonly number[]): number {
  return variantOfShare(murmur3(flagKey + bucketKey), weights)
}

/** PostHog: 0 to 1. The salt is empty for rollouts and `variant` for variants. */
export function postHogShare(key: string, id: string, salt = ''): number {
  const digits = bytesToHex(sha1(utf8ToBytes(`${key}.${id}${salt}`))).slice(0, 15)
  return Number.parseInt(digits, 16) / (2 ** 60 - 1)
}

/** Flagsmith: 0 to below 100, of ids joined by commas; where it would be 100 the ids are repeated. */
export function flagsmithPercent(ids: readonly string[]): number {
  for (let times = 1; ; times++) {
    const text = Array.from({ length: times }, () => ids.join(',')).join(',')
    let rest = 0
    for (const byte of md5(utf8ToBytes(text))) rest = (rest * 256 + byte) % 9999
    const percent = (rest / 9998) * 100
    if (percent !== 100) return percent
  }
}
