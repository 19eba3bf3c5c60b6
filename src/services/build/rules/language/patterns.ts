import { RE2JS } from 're2js'
import { language as limits } from '../rules.ts'

const compiled = new Map<string, RE2JS>()

/** Whether a text holds a match. Patterns run on RE2 only: no text makes them slow. */
export function matchesPattern(text: string, pattern: string): boolean {
  let known = compiled.get(pattern)
  if (!known) {
    const reason = patternFault(pattern)
    if (reason !== null) throw new Error(reason)
    known = RE2JS.compile(pattern)
    if (compiled.size >= 500) compiled.clear()
    compiled.set(pattern, known)
  }
  return known.matcher(text).find()
}

/** Why a pattern cannot be used; null when it can. */
export function patternFault(pattern: string): string | null {
  if (Buffer.byteLength(pattern) > limits.patternBytes) return `a pattern may have ${limits.patternBytes} bytes`
  // What matches in a time that grows with the text only, by the words of RE2.
  if (/\(\?(?:[=!]|<[=!])/.test(pattern)) return 'patterns know no looking ahead or back'
  if (/\\[1-9]/.test(pattern)) return 'patterns know no references to groups'
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'this is no pattern'
  }
}

const literalText = /^(?:[A-Za-z0-9 _\-/@:;,=#%&~<>!"'`]|\\[.+*?()[\]{}|^$\\/-])*$/

/**
 * What a pattern says when it is nothing but texts: `^a/b`, `^(png|jpeg)$`. Those mean the same in SQL. Null for all others.
 */
export function literalPattern(pattern: string): { texts: string[]; isAtStart: boolean; isAtEnd: boolean } | null {
  const isAtStart = pattern.startsWith('^')
  const isAtEnd = pattern.endsWith('$') && !pattern.endsWith('\\$')
  const inside = pattern.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : undefined)
  const group = /^((?:[^()|\\]|\\.)*)\((?:\?:)?((?:[^()\\]|\\.)*)\)((?:[^()|\\]|\\.)*)$/.exec(inside)
  const alternatives = group ? group[2]!.split('|').map(one => group[1]! + one + group[3]!) : [inside]
  if (!alternatives.every(one => literalText.test(one))) return null
  return { texts: alternatives.map(one => one.replace(/\\(.)/g, '$1')), isAtStart, isAtEnd }
}
