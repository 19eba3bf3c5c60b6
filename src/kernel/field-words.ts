/** `en-US` and `zh-Hans-CN` as the keys of listings have it: `enUS`, `zhCN`. */
export function languageKeyOf(tag: string): string {
  const [language = '', ...rest] = tag.trim().split(/[-_]/)
  return language + (rest.at(-1) ?? '')
}

/** `enUS` as the field writes it: `en-US`. */
export function languageTagOf(key: string): string {
  return key.replace(/^([a-z]{2,3})([A-Z]{2}|\d{3})$/, '$1-$2')
}

/** A share with two decimals, as `5.00`; what is no number is left as it is, to be refused. */
export function percentOf(written: number | string): string {
  const share = Number(written)
  return Number.isFinite(share) ? share.toFixed(2) : String(written)
}

/** Of a package's state: 0 done, 1 in progress, 2 refused; and the same as bundles were asked for: 2 done, 1, 3. */
export function compileStatusOf(state: string): { successStatus: 0 | 1 | 2; aabCompileStatus: 1 | 2 | 3 } {
  if (state === 'READY' || state === 'ARCHIVED') return { successStatus: 0, aabCompileStatus: 2 }
  if (state === 'FAILED') return { successStatus: 2, aabCompileStatus: 3 }
  return { successStatus: 1, aabCompileStatus: 1 }
}

/** What the field says of a phased release. */
export const phasedWords = 'RELEASE, SUSPEND, CANCEL, GRAY_TERMINATED or ROLLBACK'

/** What the field's words for a phased release mean here; null for others. */
export function phasedStateOf(word: string): 'RELEASE' | 'SUSPEND' | 'CANCEL' | 'ROLLBACK' | null {
  if (word === 'GRAY_TERMINATED') return 'CANCEL'
  return word === 'RELEASE' || word === 'SUSPEND' || word === 'CANCEL' || word === 'ROLLBACK' ? word : null
}
