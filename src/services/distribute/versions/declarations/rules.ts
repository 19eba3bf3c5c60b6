/** What may be made by AI: 1 text, 2 pictures, 3 sound, 4 video, 5 something else. */
export const aiContentTypes = [1, 2, 3, 4, 5] as const

/** Somebody who says that AI is involved says in what, and whose model it is. */
export function isAiContentRight(said: {
  involved: boolean
  types: readonly number[]
  providerNames: string
}): boolean {
  return said.involved ? said.types.length > 0 && said.providerNames.trim() !== '' : said.types.length === 0
}
