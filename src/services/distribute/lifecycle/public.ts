import type { Context } from '../../../server/context.ts'
import { hitsIn } from './texts/context.ts'
import { wordsNow } from './texts/words.ts'

/** What the store does not want to read in a text, as it stands there, each once; empty where there is nothing. Reads the home database. */
export async function forbiddenIn(ctx: Context, text: string): Promise<string[]> {
  const hits = hitsIn({ text }, await wordsNow(ctx))
  return [...new Set(hits.filter(hit => hit.level === 'BLOCK').map(hit => hit.seen))]
}
