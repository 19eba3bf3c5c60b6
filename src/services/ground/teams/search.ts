import { type AnyColumn, type SQL, sql } from 'drizzle-orm'

/** Words as they are compared: what is neither letter nor digit parts them. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

/** What a row is found by. */
export function searchKeyOf(...texts: string[]): string {
  return [...new Set(texts.flatMap(wordsOf))].join(' ')
}

/** Rows with words that begin as every word of the search does, by the index; undefined where nothing is searched. */
export function matching(column: AnyColumn, search: string | undefined): SQL | undefined {
  if (!search?.trim()) return undefined
  const words = wordsOf(search)
  if (words.length === 0) return sql`false`
  const wanted = words.map(word => `'${word}':*`).join(' & ')
  return sql`to_tsvector('simple', ${column}) @@ to_tsquery('simple', ${wanted})`
}
