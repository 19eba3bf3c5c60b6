const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** A size for people (specification, section 9): below 1 MiB in KB, below 1 GiB in MB, else GB; 2 decimals, base 1024. */
export function fileSize(sizeBytes: number): { value: number; unit: 'KB' | 'MB' | 'GB' } {
  if (sizeBytes < MiB) return { value: sizeBytes / 1024, unit: 'KB' }
  if (sizeBytes < GiB) return { value: sizeBytes / MiB, unit: 'MB' }
  return { value: sizeBytes / GiB, unit: 'GB' }
}

/** `fileSize` as plain text with a decimal point, for logs and files: `1.50 MB`. */
export function fileSizeText(sizeBytes: number): string {
  const { value, unit } = fileSize(sizeBytes)
  return `${value.toFixed(2)} ${unit}`
}

/** Emoji in a text (specification, section 5): how many, and up to the first ten to show. */
export function emojiIn(value: string): { count: number; shown: string } {
  const found = value.match(/\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]|\p{Extended_Pictographic}\uFE0F/gu) ?? []
  return { count: found.length, shown: found.slice(0, 10).join(' ') }
}
