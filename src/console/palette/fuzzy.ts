/** What somebody types and what it is looked for in, without accents, case and width. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
}

const wordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/**
 * How well `typed` fits: its letters must come in this order, and count more together and at the start of words. Zero
 * is no fit; the shorter of two texts that fit alike is the better one.
 */
export function fuzzyScore(typed: string, text: string): number {
  const wanted = folded(typed).replace(/\s+/g, '')
  const inside = folded(text)
  if (wanted === '') return 1
  const whole = inside.indexOf(wanted)
  if (whole >= 0) return 1000 + (wordStart(inside, whole) ? 500 : 0) - inside.length / 100
  let score = 0
  let at = -1
  for (const letter of wanted) {
    const next = inside.indexOf(letter, at + 1)
    if (next < 0) return 0
    score += wordStart(inside, next) ? 10 : next === at + 1 ? 5 : 1
    at = next
  }
  return score / wanted.length - inside.length / 1000
}

/** Those of the texts' owners that fit, the best first; those that fit alike keep their order. */
export function fuzzyFind<T>(typed: string, things: readonly T[], textsOf: (thing: T) => readonly string[]): T[] {
  return things
    .map(thing => ({ thing, score: Math.max(...textsOf(thing).map(text => fuzzyScore(typed, text))) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ thing }) => thing)
}
