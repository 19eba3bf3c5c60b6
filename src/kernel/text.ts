const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** A size for people (specification, section 9): below 1 MiB in KB, below 1 GiB in MB, else in GB; base 1024. */
export function fileSize(sizeBytes: number): { value: number; unit: 'KB' | 'MB' | 'GB' } {
  if (sizeBytes < MiB) return { value: sizeBytes / 1024, unit: 'KB' }
  if (sizeBytes < GiB) return { value: sizeBytes / MiB, unit: 'MB' }
  return { value: sizeBytes / GiB, unit: 'GB' }
}

/** `fileSize` as plain text with a decimal point and two decimals, for logs and files: `1.50 MB`. */
export function fileSizeText(sizeBytes: number): string {
  const { value, unit } = fileSize(sizeBytes)
  return `${value.toFixed(2)} ${unit}`
}

/** A text as PostgreSQL keeps it: for a null byte or half a sign it refuses all that is written along with it. */
export const keptText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

const surrogatePair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g
const shownEmoji = 10

/**
 * The emoji filter (specification, section 5): surrogate pairs, how many, and up to the first ten to show. It goes by
 * the pair, so rare Han characters are found as well, and signs of one unit such as ☺ are not; half a pair is none.
 */
export function emojiIn(value: string): { count: number; shown: string } {
  const found = value.match(surrogatePair) ?? []
  return { count: found.length, shown: found.slice(0, shownEmoji).join(' ') }
}

/**
 * HTML encoding (specification, section 5): &, <, >, space, single and double quote as numeric references, which every
 * parser reads back as the same characters, in text and in attributes.
 */
export function encodeHtml(value: string): string {
  return value.replace(/[&<> '"]/g, sign => `&#${sign.charCodeAt(0)};`)
}
