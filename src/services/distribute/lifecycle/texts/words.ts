import { eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { words } from '../tables.home.ts'
import { readable, type Word } from './context.ts'
import { firstWords } from './words.data.ts'

const filled = new WeakSet<Server>()
const mostWords = 20_000

/** The first words are rows like any other; what staff changed or turned off stays as it is. */
export async function fillWords(ctx: Context): Promise<void> {
  if (filled.has(ctx.server)) return
  const updatedAt = ctx.now()
  const rows = firstWords.flatMap(([language, topic, level, list]) =>
    list.split(language === 'zh' ? ' ' : '|').map(word => ({
      ...{ wordId: ctx.newId(), language, topic, level, word, wordKey: readable(word) },
      ...{ isOff: false, note: '', updatedAt },
    })),
  )
  await ctx.home.insert(words).values(rows).onConflictDoNothing()
  filled.add(ctx.server)
}

/** The words that count now. */
export async function wordsNow(ctx: Context): Promise<Word[]> {
  await fillWords(ctx)
  const { language, word, topic, level } = words
  return ctx.home.select({ language, word, topic, level }).from(words).where(eq(words.isOff, false)).limit(mostWords)
}
