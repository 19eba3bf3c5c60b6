import type { Token } from './syntax.ts'

const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])

/** Where what is behind the bracket at `at` begins. */
export function bracketEnd(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let index = at; index < tokens.length; index++) {
    const { kind, text } = tokens[index]!
    if (kind !== 'sign') continue
    if (opening.has(text)) depth++
    if (closing.has(text) && --depth === 0) return index + 1
  }
  return tokens.length
}

/** The arguments between two places, by their first token and the one behind the last. */
export function splitArguments(tokens: readonly Token[], from: number, to: number): [number, number][] {
  const parts: [number, number][] = []
  let depth = 0
  let begin = from
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at]!
    if (kind !== 'sign') continue
    if (opening.has(text)) depth++
    if (closing.has(text)) depth--
    if (text === ',' && depth === 0) {
      parts.push([begin, at])
      begin = at + 1
    }
  }
  if (begin < to) parts.push([begin, to])
  return parts
}
