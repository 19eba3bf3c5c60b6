import type { Statement, Trie } from './compiled.ts'
import type { PatternSegment } from './syntax.ts'

export const emptyTrie = (): Trie => ({ literals: null, one: null, ends: [], rests: [] })

export function addStatement(root: Trie, statement: Statement): void {
  let node = root
  for (const [index, segment] of statement.segments.entries()) {
    if (segment.kind === 'rest') {
      node.rests.push({ statement, behind: statement.segments.slice(index + 1) })
      return
    }
    if (segment.kind !== 'literal') {
      node.one ??= emptyTrie()
      node = node.one
      continue
    }
    node.literals ??= new Map()
    let next = node.literals.get(segment.text)
    if (!next) {
      next = emptyTrie()
      node.literals.set(segment.text, next)
    }
    node = next
  }
  node.ends.push(statement)
}

/**
 * Adds the statements whose path matches and that speak of a method. `{name=**}` takes at least one segment; in a list,
 * which names a folder, it may take none.
 */
export function collect(
  node: Trie,
  path: readonly string[],
  method: number,
  isFolder: boolean,
  found: Statement[],
  at = 0,
): void {
  for (const { statement, behind } of node.rests) {
    if ((statement.methods & method) === 0) continue
    const taken = path.length - at - behind.length
    if (taken < (isFolder ? 0 : 1)) continue
    if (behind.length === 0 || matchesBehind(behind, path)) found.push(statement)
  }
  if (at === path.length) {
    for (const statement of node.ends) if ((statement.methods & method) !== 0) found.push(statement)
    return
  }
  const literal = node.literals?.get(path[at]!)
  if (literal) collect(literal, path, method, isFolder, found, at + 1)
  if (node.one) collect(node.one, path, method, isFolder, found, at + 1)
}

function matchesBehind(behind: readonly PatternSegment[], path: readonly string[]): boolean {
  const from = path.length - behind.length
  return behind.every((segment, index) => segment.kind !== 'literal' || segment.text === path[from + index])
}

/** A statement that can match rows of a list, and what the rows must have for it. */
export interface OpenMatch {
  statement: Statement
  /** Segments of the rows that the path spells out, by their number. */
  literals: { open: number; text: string }[]
}

/** The same for a list of rows that have further segments of their own. */
export function collectOpen(
  node: Trie,
  path: readonly string[],
  opens: number,
  method: number,
  found: OpenMatch[],
  at = 0,
  literals: OpenMatch['literals'] = [],
): void {
  const length = path.length + opens
  for (const { statement, behind } of node.rests) {
    if ((statement.methods & method) === 0 || length - at - behind.length < Math.min(opens, 1)) continue
    const needed = behindOpen(behind, path, length)
    if (needed) found.push({ statement, literals: [...literals, ...needed] })
  }
  if (at === length) {
    for (const statement of node.ends) if ((statement.methods & method) !== 0) found.push({ statement, literals })
    return
  }
  if (node.one) collectOpen(node.one, path, opens, method, found, at + 1, literals)
  if (at < path.length) {
    const literal = node.literals?.get(path[at]!)
    if (literal) collectOpen(literal, path, opens, method, found, at + 1, literals)
    return
  }
  for (const [text, next] of node.literals ?? []) {
    collectOpen(next, path, opens, method, found, at + 1, [...literals, { open: at - path.length, text }])
  }
}

function behindOpen(
  behind: readonly PatternSegment[],
  path: readonly string[],
  length: number,
): OpenMatch['literals'] | null {
  const needed: OpenMatch['literals'] = []
  const from = length - behind.length
  for (const [index, segment] of behind.entries()) {
    if (segment.kind !== 'literal') continue
    const at = from + index
    if (at >= path.length) needed.push({ open: at - path.length, text: segment.text })
    else if (path[at] !== segment.text) return null
  }
  return needed
}
