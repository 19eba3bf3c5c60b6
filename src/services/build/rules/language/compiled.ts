import type { RuledService } from '../engine-types.ts'
import type { ASTNode } from './cel-tree.ts'
import type { Expansion } from './expand.ts'
import type { Places } from './scanner.ts'
import type { PatternSegment, Span } from './syntax.ts'
import type { Reads } from './values.ts'

/** The condition of a statement, ready to be evaluated. */
export interface Condition {
  evaluate(context: Record<string, unknown>): unknown
  ast: ASTNode
  expansion: Expansion
  span: Span
  nodes: number
  reads: ReadonlyMap<string, Reads>
}

/** One allow with the whole path of its matches. */
export interface Statement {
  index: number
  /** A bit each of methodNames. */
  methods: number
  methodWords: string[]
  segments: PatternSegment[]
  /** Null: always. */
  condition: Condition | null
  span: Span
  patternSpan: Span
}

/** A ruleset as it decides. */
export interface Program {
  service: RuledService
  source: string
  statements: readonly Statement[]
  trie: Trie
  stats: { matches: number; allows: number; nodes: number }
  places: Places
  /** By statement: looked at, granted, failed; whoever counts takes them away. */
  tallies: { evaluated: number[]; granted: number[]; errors: number[] }
}

/** Statements by the segments of their paths. */
export interface Trie {
  literals: Map<string, Trie> | null
  one: Trie | null
  ends: Statement[]
  /** Those with a wildcard for many segments that begins here, and what follows it. */
  rests: { statement: Statement; behind: PatternSegment[] }[]
}
