import type { RuleRequest } from './engine-types.ts'
import { celText } from './language/cel-text.ts'
import { type ASTNode, childrenOf } from './language/cel-tree.ts'
import type { Condition, Program, Statement } from './language/compiled.ts'
import { environment } from './language/environment.ts'
import { contextOf, requestValue } from './language/evaluate.ts'
import { methodBit } from './language/program.ts'
import { readable } from './language/readable.ts'
import { RuleState } from './language/state.ts'
import type { Span } from './language/syntax.ts'
import { collect } from './language/trie.ts'
import { shownValue, toCel } from './language/values.ts'
import type { MatchedAllow, MatchedStatement, TraceStep } from './tables.ts'

const anyMethod = 0b11111
const mostSteps = 60
const macros = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

/** Every statement whose path matches, and what each part of its condition came to. Knows what `state` has looked up. */
export function explainStatements(program: Program, request: RuleRequest, state: RuleState | null): MatchedStatement[] {
  const found: Statement[] = []
  collect(program.trie, request.path, anyMethod, request.method === 'list', found)
  const known = new RuleState(Number.MAX_SAFE_INTEGER)
  for (const [key, value] of state?.known ?? []) known.known.set(key, value)
  const matched = new Map<number, MatchedStatement>()
  const kept = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    for (const statement of found.sort((a, b) => a.index - b.index)) {
      const { line } = program.places.of(statement.patternSpan.start)
      const one = matched.get(statement.patternSpan.start) ?? {
        pattern: patternText(statement),
        line,
        bindings: bindingsOf(statement, request.path),
        allows: [],
      }
      one.allows.push(explainOne(program, statement, request, known))
      matched.set(statement.patternSpan.start, one)
    }
  } finally {
    Error.stackTraceLimit = kept
  }
  return [...matched.values()]
}

export function patternText({ segments }: Statement): string {
  return segments
    .map(one => (one.kind === 'literal' ? `/${one.text}` : `/{${one.name}${one.kind === 'rest' ? '=**' : ''}}`))
    .join('')
}

function bindingsOf({ segments }: Statement, path: readonly string[]): Record<string, string> {
  const made: Record<string, string> = {}
  let shift = 0
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'one') made[segment.name] = path[index + shift] ?? ''
    if (segment.kind === 'rest') {
      const taken = path.length - segments.length + 1
      made[segment.name] = path.slice(index, index + taken).join('/')
      shift = taken - 1
    }
  }
  return made
}

function explainOne(program: Program, statement: Statement, request: RuleRequest, state: RuleState): MatchedAllow {
  const { condition, methods, methodWords, span } = statement
  const shown = { ...program.places.of(span.start), methods: methodWords, error: null, trace: [] }
  if ((methods & methodBit[request.method]) === 0) return { ...shown, result: 'other-method' }
  if (!condition) return { ...shown, result: 'true' }
  const context = fullContext(statement, request, state)
  const result = evaluated(condition.evaluate, context, state)
  const trace = partsOf(program, condition).map(({ evaluate, ...step }) => {
    const { value, error } = evaluated(evaluate, context, state)
    return { ...step, value: error ?? shownValue(value), isError: error !== null }
  })
  const isBoolean = typeof result.value === 'boolean'
  const error = result.error ?? (isBoolean ? null : 'the condition is neither true nor false')
  return { ...shown, trace, error, result: error !== null ? 'error' : result.value === true ? 'true' : 'false' }
}

function fullContext(statement: Statement, request: RuleRequest, state: RuleState): Record<string, unknown> {
  return {
    ...contextOf(statement, request, state),
    request: requestValue(request, 'all'),
    resource: toCel(request.resource ?? null, 'all', request.fields, ''),
    __state: state,
  }
}

function evaluated(
  evaluate: (context: Record<string, unknown>) => unknown,
  context: Record<string, unknown>,
  state: RuleState,
): { value: unknown; error: string | null } {
  state.steps = 0
  state.resume()
  try {
    return { value: evaluate(context), error: null }
  } catch (error) {
    const { summary, message } = error as { summary?: string; message: string }
    return { value: undefined, error: readable(summary ?? message.split('\n')[0]!).slice(0, 300) }
  }
}

type Part = Omit<TraceStep, 'value' | 'isError'> & { evaluate: Condition['evaluate'] }

const parts = new WeakMap<Condition, Part[]>()

/** The parts of a condition that are worth a look, in the order of the source. */
function partsOf(program: Program, condition: Condition): Part[] {
  let known = parts.get(condition)
  if (!known) {
    known = collectParts(program, condition)
    parts.set(condition, known)
  }
  return known
}

function collectParts(program: Program, { ast, expansion }: Condition): Part[] {
  const made = new Map<string, Part>()
  const look = (node: ASTNode) => {
    if (made.size >= mostSteps || node.op === 'value') return
    const isMacro = node.op === 'rcall' && macros.has(node.args[0])
    const isHidden = (node.op === 'id' || node.op === 'call') && /^__(?:segment|state|is_|tick)/.test(nameOf(node))
    // The whole request stands beside the trace; a part that is there twice is shown once.
    const isWhole = node.op === 'id' && (node.args === 'request' || node.args === 'resource')
    if (!isHidden && !isWhole) {
      const span = expansion.output.spanOf(node.start, node.end)
      const cover = expansion.output.coverOf(node.start, node.end)
      const text = celText(node)
      const src = cover ? program.source.slice(cover.start, cover.end) : readable(text)
      const key = src
      if (!made.has(key))
        made.set(key, { ...placed(program, span), src: src.slice(0, 300), evaluate: environment.parse(text) })
    }
    const isHas = node.op === 'call' && node.args[0] === 'has'
    if (isHas) return
    for (const child of isMacro ? childrenOf(node).slice(0, 1) : childrenOf(node)) look(child)
  }
  look(ast)
  return [...made.values()].sort((a, b) => a.line - b.line || a.col - b.col || b.endCol - a.endCol)
}

const nameOf = (node: ASTNode) => String(node.op === 'call' ? node.args[0] : node.args)

export function placed(program: Pick<Program, 'places'>, span: Span) {
  const { line, col } = program.places.of(span.start)
  const end = program.places.of(span.end)
  return { line, col, endLine: end.line, endCol: end.col }
}
