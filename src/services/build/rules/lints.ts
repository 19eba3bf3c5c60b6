import type { Compiled } from './compile.ts'
import type { RulePlace } from './engine-types.ts'
import { patternText } from './explain.ts'
import { walk } from './language/cel-tree.ts'
import type { Statement } from './language/compiled.ts'
import { ownName } from './language/expand.ts'
import { patternFault } from './language/patterns.ts'
import { methodBit } from './language/program.ts'
import type { PatternSegment, Problem, Token } from './language/syntax.ts'
import { planOf } from './sql/filter.ts'
import { inexactIn } from './sql/inexact.ts'
import { NoFilter } from './sql/plan.ts'

export interface Hint extends Problem {
  severity: 'ERROR' | 'WARN' | 'INFO'
  fix?: { title: string; text: string }
}

const writing = methodBit.create | methodBit.update | methodBit.delete

/** What is odd about rules that can be read. Without `places` nothing is said about what they match. */
export function lintRules({ program }: Compiled, places: readonly RulePlace[] | null): Hint[] {
  const { statements } = program
  return [
    ...statements.flatMap(openWrites),
    ...statements.flatMap(one => shadowed(one, statements)),
    ...unusedNames(statements),
    ...statements.flatMap(one => patternHints(one)),
    ...(program.service === 'agc.cloud.storage' ? [] : statements.flatMap(one => listHints(one, places ?? []))),
    ...(places && places.length > 0 ? statements.flatMap(one => unmatched(one, places)) : []),
  ]
}

function openWrites(statement: Statement): Hint[] {
  const { condition, methods, span, methodWords } = statement
  if ((methods & writing) === 0) return []
  const isAlways = !condition || (condition.ast.op === 'value' && condition.ast.args === true)
  const fix = { title: 'only for signed-in users', text: `allow ${methodWords.join(', ')}: if request.auth != null;` }
  if (isAlways) {
    return [{ code: 'R001', severity: 'WARN', message: 'Everybody in the world may write here.', ...span, fix }]
  }
  let asksWho = false
  walk(condition.ast, node => {
    if (node.op === '.' && node.args[1] === 'auth') asksWho = true
  })
  if (asksWho) return []
  return [{ code: 'R002', severity: 'WARN', message: 'This lets write without asking who does it.', ...span }]
}

/** A statement that another one without condition already grants. */
function shadowed(statement: Statement, all: readonly Statement[]): Hint[] {
  const broader = all.find(
    one =>
      one !== statement &&
      !one.condition &&
      (one.methods & statement.methods) === statement.methods &&
      covers(one.segments, statement.segments) &&
      // Of two that say the same the first one is kept.
      (statement.condition !== null || one.index < statement.index || !covers(statement.segments, one.segments)),
  )
  if (!broader) return []
  const message = `Nothing comes of this: ${patternText(broader)} grants the same without a condition.`
  return [{ code: 'R003', severity: 'WARN', message, ...statement.span }]
}

function covers(wide: readonly PatternSegment[], narrow: readonly PatternSegment[]): boolean {
  const rest = wide.findIndex(one => one.kind === 'rest')
  if (rest < 0) {
    return wide.length === narrow.length && wide.every((one, index) => coversOne(one, narrow[index]!))
  }
  const behind = wide.length - rest - 1
  if (narrow.length < wide.length) return false
  const isBegin = wide.slice(0, rest).every((one, index) => coversOne(one, narrow[index]!))
  return (
    isBegin &&
    (behind === 0 ||
      wide.slice(rest + 1).every((one, index) => coversOne(one, narrow[narrow.length - behind + index]!)))
  )
}

function coversOne(wide: PatternSegment, narrow: PatternSegment): boolean {
  if (wide.kind === 'literal') return narrow.kind === 'literal' && narrow.text === wide.text
  return narrow.kind !== 'rest'
}

/** Names between the first and the last part of a path that no condition asks for. */
function unusedNames(statements: readonly Statement[]): Hint[] {
  const used = new Map<string, { name: string; isUsed: boolean; statement: Statement }>()
  for (const statement of statements) {
    statement.segments.slice(1, -1).forEach((segment, index) => {
      if (segment.kind !== 'one') return
      const key = JSON.stringify(statement.segments.slice(0, index + 2))
      const known = used.get(key) ?? { name: segment.name, isUsed: false, statement }
      if (!statement.condition || statement.condition.expansion.wildcards.has(ownName(segment.name)))
        known.isUsed = true
      used.set(key, known)
    })
  }
  return [...used.values()].flatMap(({ name, isUsed, statement }) => {
    if (isUsed) return []
    const message = `No condition asks for ${name}: is it meant that every one matches?`
    return [{ code: 'R004', severity: 'INFO' as const, message, ...statement.patternSpan }]
  })
}

function patternHints({ condition }: Statement): Hint[] {
  return (condition?.expansion.patterns ?? []).flatMap((token: Token) => {
    const text = /^[rR]?(["'])([\s\S]*)\1$/.exec(token.text)?.[2]
    if (text === undefined) return []
    const pattern = /^[rR]/.test(token.text) ? text : text.replace(/\\(.)/g, '$1')
    const fault = patternFault(pattern)
    if (fault === null) return []
    const message = `This pattern cannot be used: ${fault}.`
    return [{ code: 'R007', severity: 'ERROR' as const, message, start: token.start, end: token.end }]
  })
}

/** In a list each condition becomes a filter of rows. */
function listHints(statement: Statement, places: readonly RulePlace[]): Hint[] {
  const { condition, methods } = statement
  if (!condition || (methods & methodBit.list) === 0) return []
  const hints: Hint[] = condition.expansion.lookups.map(({ span }) => ({
    code: 'R009',
    severity: 'WARN',
    message: 'Each list looks this up first; that costs one lookup of the ten that a request has.',
    ...span,
  }))
  try {
    const openPath = Array.from(
      { length: Math.max(1, statement.segments.length - 2) },
      (_one, index) => `data.key${index}`,
    )
    const plan = planOf(statement, 2, openPath)
    const inexact = places
      .filter(one => isPossible(statement, one))
      .flatMap(({ fields }) => (fields ? inexactIn(plan, fields) : []))
    for (const { node, conversion, type } of inexact.slice(0, 1)) {
      const span = condition.expansion.output.spanOf(node.start, node.end)
      const message = `A list cannot use this condition: ${conversion}() of a ${type} has no exact form in the database. Give get and list conditions of their own.`
      hints.push({ code: 'R006', severity: 'ERROR', message, ...span })
    }
  } catch (failure) {
    if (!(failure instanceof NoFilter)) throw failure
    const span = condition.expansion.output.spanOf(failure.node.start, failure.node.end)
    const message = `A list cannot use this condition: ${failure.message}. Give get and list conditions of their own.`
    hints.push({ code: 'R006', severity: 'ERROR', message, ...span })
  }
  return hints
}

function isPossible({ segments }: Pick<Statement, 'segments'>, { path }: RulePlace): boolean {
  return path.every((text, index) => {
    const rest = segments.findIndex(one => one.kind === 'rest')
    if (rest >= 0 && index >= rest) return true
    const segment = segments[index]
    return segment !== undefined && (segment.kind !== 'literal' || segment.text === text)
  })
}

/** A path that nothing that is there can have. */
function unmatched({ segments, patternSpan }: Statement, places: readonly RulePlace[]): Hint[] {
  if (places.some(one => isPossible({ segments }, one)) || segments[0] === undefined) return []
  const message = 'Nothing that is there has such a path; look at the name of the bucket, the zone or the type.'
  return [{ code: 'R008', severity: 'WARN', message, ...patternSpan }]
}
