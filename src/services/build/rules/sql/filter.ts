import type { RuleColumn, RuleFilter, RuleRequest } from '../engine-types.ts'
import type { Program, Statement } from '../language/compiled.ts'
import { typeWords } from '../language/environment.ts'
import { contextOf } from '../language/evaluate.ts'
import { ownName } from '../language/expand.ts'
import { methodBit } from '../language/program.ts'
import type { RuleState } from '../language/state.ts'
import { collectOpen, type OpenMatch } from '../language/trie.ts'
import { compare } from './compare.ts'
import {
  always,
  and,
  both,
  choose,
  either,
  error,
  guarded,
  isFalse,
  never,
  not,
  type Operand,
  or,
  type SqlType,
  type Truth,
} from './operand.ts'
import { NoFilter, planCondition, type RowNames, type TruthPlan, type ValuePlan } from './plan.ts'
import {
  among,
  arithmetic,
  asSql,
  columnOperand,
  converted,
  isWhole,
  minus,
  notNull,
  ofBoolean,
  segmentOperand,
  textTest,
  timePart,
  truthOf,
} from './values.ts'

type Columns = ReadonlyMap<string, RuleColumn>

/** The statements that can show rows of a list. */
export function openMatches(program: Program, request: RuleRequest): OpenMatch[] {
  const found: OpenMatch[] = []
  collectOpen(program.trie, request.path, request.openPath?.length ?? 0, methodBit[request.method], found)
  return found
}

/** One condition for all statements; rows that a lookup decides are known to `state` before. */
export function writeFilter(
  program: Program,
  request: RuleRequest,
  columns: Columns,
  firstParameter: number,
  state: RuleState | null,
): RuleFilter {
  const writer = new FilterWriter(request, columns, firstParameter, state)
  const parts = openMatches(program, request).map(match => writer.statement(match))
  const text = or(...parts)
  if (text === 'TRUE') return { kind: 'all', text, values: [] }
  if (text === 'FALSE') return { kind: 'none', text, values: [] }
  return { kind: 'sql', ...renumbered(text.startsWith('(') ? text : `(${text})`, writer.values, firstParameter) }
}

/** PostgreSQL refuses parameters that nothing names, and folding leaves some. */
function renumbered(text: string, values: readonly unknown[], first: number): { text: string; values: unknown[] } {
  const kept: unknown[] = []
  const numbers = new Map<number, number>()
  const renamed = text.replace(/\$(\d+)::/g, (_all, digits: string) => {
    const number = Number(digits)
    let own = numbers.get(number)
    if (own === undefined) {
      own = first + kept.length
      numbers.set(number, own)
      kept.push(values[number - first])
    }
    return `$${own}::`
  })
  return { text: renamed, values: kept }
}

/** Names of the path whose values differ from row to row. */
export function rowNamesOf({ segments }: Statement, known: number, openPath: readonly string[]): RowNames {
  const names = new Map<string, string | null>()
  let at = 0
  for (const segment of segments) {
    if (segment.kind === 'rest') {
      const end = known + openPath.length - (segments.length - 1 - at)
      if (end > known)
        names.set(ownName(segment.name), at === known && end === known + 1 ? (openPath[0] ?? null) : null)
      at = end
      continue
    }
    if (segment.kind === 'one' && at >= known) names.set(ownName(segment.name), openPath[at - known] ?? null)
    at++
  }
  return names
}

const plans = new WeakMap<Statement, Map<string, TruthPlan>>()

/** Throws NoFilter where the condition cannot be one. */
export function planOf(statement: Statement, known: number, openPath: readonly string[]): TruthPlan {
  const key = `${known} ${openPath.join(' ')}`
  const ofStatement = plans.get(statement) ?? new Map<string, TruthPlan>()
  plans.set(statement, ofStatement)
  let plan = ofStatement.get(key)
  if (!plan) {
    plan = planCondition(statement.condition!.ast, rowNamesOf(statement, known, openPath))
    ofStatement.set(key, plan)
  }
  return plan
}

const sqlTypes: Record<SqlType, string> = {
  bool: 'bool',
  int: 'int8',
  double: 'float8',
  string: 'text',
  bytes: 'bytea',
  timestamp: 'timestamptz',
  ms: 'numeric',
}

class FilterWriter {
  readonly values: unknown[] = []
  readonly #request: RuleRequest
  readonly #columns: Columns
  readonly #first: number
  readonly #state: RuleState | null
  #context: Record<string, unknown> = {}

  constructor(request: RuleRequest, columns: Columns, first: number, state: RuleState | null) {
    this.#request = request
    this.#columns = columns
    this.#first = first
    this.#state = state
  }

  statement({ statement, literals }: OpenMatch): string {
    const { path, openPath = [] } = this.#request
    const spelled = literals.map(({ open, text }) => {
      const segment = segmentOperand(this.#columns, openPath[open]!)
      return compare('==', segment, { kind: 'value', value: text }, this.#parameter).t
    })
    let condition = 'TRUE'
    if (statement.condition) {
      let plan: TruthPlan
      try {
        plan = planOf(statement, path.length, openPath)
      } catch (failure) {
        // Publishing refuses these; rules from before show nothing by this statement.
        if (failure instanceof NoFilter) return 'FALSE'
        throw failure
      }
      this.#context = contextOf(statement, this.#request, this.#state, null)
      condition = this.#truth(plan).t
    }
    return and(...spelled, condition)
  }

  readonly #parameter = (value: unknown, type: SqlType): string => {
    const isBig = typeof value === 'bigint' && BigInt.asIntN(64, value) !== value
    this.values.push(
      typeof value === 'bigint'
        ? String(value)
        : value instanceof Date
          ? value.toISOString()
          : value instanceof Uint8Array
            ? Buffer.from(value)
            : value,
    )
    return `$${this.#first + this.values.length - 1}::${isBig ? 'numeric' : sqlTypes[type]}`
  }

  #truth(plan: TruthPlan): Truth {
    switch (plan.kind) {
      case 'fixed': {
        const operand = this.#fixed(plan.evaluate)
        return operand.kind === 'value' && typeof operand.value === 'boolean' ? ofBoolean(operand.value) : never
      }
      case 'and':
      case 'or': {
        const left = this.#truth(plan.left)
        // What the left side settles needs nothing of the right one.
        if (plan.kind === 'and' && left.f === 'TRUE') return isFalse
        if (plan.kind === 'or' && left.t === 'TRUE') return always
        const right = this.#truth(plan.right)
        return plan.kind === 'and' ? both(left, right) : either(left, right)
      }
      case 'not':
        return not(this.#truth(plan.of))
      case 'choice': {
        const condition = this.#truth(plan.condition)
        if (condition.t === 'TRUE') return this.#truth(plan.yes)
        if (condition.f === 'TRUE') return this.#truth(plan.no)
        return choose(condition, this.#truth(plan.yes), this.#truth(plan.no))
      }
      case 'compare':
        return compare(plan.op, this.#value(plan.left), this.#value(plan.right), this.#parameter)
      case 'in':
        return this.#membership(plan)
      case 'text':
        return textTest(plan.test, this.#value(plan.text), this.#value(plan.part), this.#parameter)
      case 'pattern':
        return this.#pattern(plan)
      case 'has':
        return this.#has(plan.place)
      case 'is':
        return this.#is(this.#value(plan.value), plan.type)
      case 'truth':
        return truthOf(this.#value(plan.value))
    }
  }

  #value(plan: ValuePlan): Operand {
    switch (plan.kind) {
      case 'fixed':
        return this.#fixed(plan.evaluate)
      case 'column':
        return columnOperand(this.#columns, plan.place)
      case 'segment':
        return segmentOperand(this.#columns, plan.place)
      case 'arithmetic':
        return arithmetic(plan.op, this.#value(plan.left), this.#value(plan.right), this.#parameter)
      case 'minus':
        return minus(this.#value(plan.of))
      case 'part':
        return timePart(this.#value(plan.of), plan.field)
      case 'choice': {
        const condition = this.#truth(plan.condition)
        if (condition.t === 'TRUE') return this.#value(plan.yes)
        if (condition.f === 'TRUE') return this.#value(plan.no)
        return { kind: 'choice', condition, yes: this.#value(plan.yes), no: this.#value(plan.no) }
      }
      default:
        return converted(plan.kind, this.#value(plan.of))
    }
  }

  #fixed(evaluate: (context: Record<string, unknown>) => unknown): Operand {
    const kept = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      return { kind: 'value', value: evaluate(this.#context) }
    } catch {
      return error
    } finally {
      Error.stackTraceLimit = kept
    }
  }

  #membership(plan: Extract<TruthPlan, { kind: 'in' }>): Truth {
    const one = this.#value(plan.one)
    if (Array.isArray(plan.list)) {
      const items = plan.list.map(item => this.#value(item))
      if (items.some(item => item.kind === 'error')) return never
      const guards = items.flatMap(item => (item.kind === 'sql' ? item.guards : []))
      return guarded(
        guards,
        among(
          one,
          items.map(item => (item.kind === 'sql' ? { ...item, guards: [] } : item)),
          this.#parameter,
        ),
      )
    }
    const list = this.#value(plan.list)
    if (list.kind !== 'value' || list.value === null || typeof list.value !== 'object') return never
    if (Array.isArray(list.value)) {
      return this.#amongValues(one, list.value)
    }
    if (Object.getPrototypeOf(list.value) !== Object.prototype) return never
    return one.kind === 'sql' && one.type === 'string' ? this.#amongValues(one, Object.keys(list.value)) : never
  }

  /** Texts and whole numbers go over as one list, whatever else it holds one by one. */
  #amongValues(one: Operand, list: readonly unknown[]): Truth {
    const isPlain = one.kind === 'sql' && (one.type === 'string' || one.type === 'int')
    const same = list.filter(item => typeof item === (isPlain && one.type === 'string' ? 'string' : 'bigint'))
    if (!isPlain || same.length < 2 || !same.every(held)) {
      if (one.kind === 'error') return never
      const values = list.map(value => ({ kind: 'value', value }) as const)
      if (values.length === 0) return one.kind === 'sql' ? guarded(one.guards, isFalse) : isFalse
      return among(one, values, this.#parameter)
    }
    this.values.push(same.map(String))
    const array = `$${this.#first + this.values.length - 1}::${one.type === 'string' ? 'text' : 'int8'}[]`
    const isNull = one.isNullable ? `${one.sql} IS NULL` : 'FALSE'
    const many: Truth = { t: `${one.sql} = ANY(${array})`, f: or(`${one.sql} <> ALL(${array})`, isNull) }
    const others = list.filter(item => !same.includes(item)).map(value => ({ kind: 'value', value }) as const)
    const rest = others.length > 0 ? among({ ...one, guards: [] }, others, this.#parameter) : isFalse
    return guarded(one.guards, either(many, rest))
  }

  #pattern({ text, pattern }: Extract<TruthPlan, { kind: 'pattern' }>): Truth {
    const { texts, isAtStart, isAtEnd } = pattern
    const operand = this.#value(text)
    const one = (part: string): Truth => {
      const value: Operand = { kind: 'value', value: part }
      const there = asSql(operand, this.#parameter)
      if (there?.type !== 'string') return never
      if (isAtStart && isAtEnd) return guarded(notNull(there), compare('==', there, value, this.#parameter))
      const test = isAtStart ? 'startsWith' : isAtEnd ? 'endsWith' : 'contains'
      return textTest(test, there, value, this.#parameter)
    }
    return texts.map(one).reduce(either)
  }

  /** A field that the type has is there, also where it is null; what it hangs on must be there for the question. */
  #has(place: string): Truth {
    if (this.#columns.has(place) || isWhole(this.#columns, place)) return always
    const above = place.includes('.') ? place.slice(0, place.lastIndexOf('.')) : ''
    return isWhole(this.#columns, above) ? isFalse : never
  }

  #is(operand: Operand, name: string): Truth {
    if (operand.kind === 'choice')
      return choose(operand.condition, this.#is(operand.yes, name), this.#is(operand.no, name))
    if (operand.kind === 'error') return never
    if (operand.kind === 'value') return ofBoolean(typeWords[name]!.test(operand.value))
    if (operand.kind === 'whole') return name === '__is_map' ? always : isFalse
    const sample = {
      bool: true,
      int: 1n,
      double: 1.5,
      string: '',
      bytes: new Uint8Array(),
      timestamp: new Date(0),
      ms: new Date(0),
    }
    const isType = typeWords[name]!.test(sample[operand.type])
    const { sql, isNullable, guards } = operand
    if (name === '__is_null')
      return guarded(guards, isNullable ? { t: `${sql} IS NULL`, f: `${sql} IS NOT NULL` } : isFalse)
    if (!isType) return guarded(guards, isFalse)
    return guarded(guards, isNullable ? { t: `${sql} IS NOT NULL`, f: `${sql} IS NULL` } : always)
  }
}

const held = (value: unknown) =>
  typeof value === 'bigint'
    ? BigInt.asIntN(64, value) === value
    : !String(value).includes('\0') && String(value).isWellFormed()
