import i18next from 'i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'
import { shownLocale } from '../../../../../console/shown.ts'
import { type ImageRule, imageMisfit } from '../../listing/rules.ts'
import { ns } from '../version-words.ts'

const kindOf = (mime: string) => mime.replace(/^image\//, '').toUpperCase()
const anyOf = (words: readonly string[]) => new Intl.ListFormat(shownLocale(), { type: 'disjunction' }).format(words)
const bytesText = (bytes: string | number) => sizeText(Number(bytes), i18next.resolvedLanguage as Language)

/** The rules' own words, `720x1280 or 1280x720`, `at most 5242880 bytes`, for people. */
function inWords(said: string): string {
  const bytes = /^(at most )?(\d+) bytes$/.exec(said)
  if (bytes) return bytes[1] ? i18next.t('image.atMost', { ns, size: bytesText(bytes[2]!) }) : bytesText(bytes[2]!)
  return anyOf(said.split(' or ').map(word => (word.includes('/') ? kindOf(word) : word.replace('x', ' × '))))
}

export function misfitText(misfit: { expected: string; actual: string }): string {
  return i18next.t('image.misfit', { ns, expected: inWords(misfit.expected), actual: inWords(misfit.actual) })
}

/** What an image may be, in one line under its field. */
export function ruleText(rule: ImageRule): string {
  const sizes = anyOf(rule.sizes.map(([width, height]) => `${width} × ${height}`))
  const kinds = Object.entries(rule.maxBytes).map(([mime, most]) => `${kindOf(mime)} ≤ ${bytesText(most)}`)
  return `${sizes} px · ${kinds.join(' · ')}`
}

/** Looks at a picture before it is sent; null when it fits, or when only the server can tell. */
export async function misfitOf(file: File, rule: ImageRule): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return i18next.t('image.unreadable', { ns })
  const { width, height } = bitmap
  bitmap.close()
  const misfit = imageMisfit(rule, { mime: file.type, sizeBytes: file.size, width, height })
  return misfit && misfitText(misfit)
}
