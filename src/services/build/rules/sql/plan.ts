import { celText } from '../language/cel-text.ts'
import { type ASTNode, placeOf, walk } from '../language/cel-tree.ts'
import { environment, typeWords } from '../language/environment.ts'
import { literalPattern } from '../language/patterns.ts'

type Evaluate = (context: Record<string, unknown>) => unknown

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
export type Arithmetic = '+' | '-' | '*' | '/' | '%'

/** A condition that is true, false or an error for a row. */
export type TruthPlan =
  | { kind: 'fixed'; evaluate: Evaluate }
  | { kind: 'and' | 'or'; left: TruthPlan; right: TruthPlan }
  | { kind: 'not'; of: TruthPlan }
  | { kind: 'choice'; condition: TruthPlan; yes: TruthPlan; no: TruthPlan }
  | { kind: 'compare'; op: Comparison; left: ValuePlan; right: ValuePlan }
  | { kind: 'in'; one: ValuePlan; list: ValuePlan | ValuePlan[] }
  | { kind: 'text'; test: 'startsWith' | 'endsWith' | 'contains'; text: ValuePlan; part: ValuePlan }
  | { kind: 'pattern'; text: ValuePlan; pattern: NonNullable<ReturnType<typeof literalPattern>> }
  | { kind: 'has'; place: string }
  | { kind: 'is'; value: ValuePlan; type: string }
  | { kind: 'truth'; value: ValuePlan }

export type Conversion = 'size' | 'lower' | 'upper' | 'string' | 'int' | 'double'

/** A value that a row gives or that is the same for all. */
export type ValuePlan =
  | { kind: 'fixed'; evaluate: Evaluate }
  | { kind: 'column'; place: string }
  | { kind: 'segment'; place: string }
  | { kind: 'arithmetic'; op: Arithmetic; left: ValuePlan; right: ValuePlan }
  | { kind: 'minus'; of: ValuePlan }
  | { kind: Conversion; of: ValuePlan; node: ASTNode }
  | { kind: 'part'; of: ValuePlan; field: TimePart }
  | { kind: 'choice'; condition: TruthPlan; yes: ValuePlan; no: ValuePlan }

/** Fields of an instant in UTC, as PostgreSQL names them, and what is added. */
export const timeParts = {
  getFullYear: ['year', 0],
  getMonth: ['month', -1],
  getDate: ['day', 0],
  getDayOfMonth: ['day', -1],
  getDayOfWeek: ['dow', 0],
  getHours: ['hour', 0],
  getMinutes: ['minute', 0],
  year: ['year', 0],
  month: ['month', 0],
  day: ['day', 0],
  hours: ['hour', 0],
  minutes: ['minute', 0],
} as const
export type TimePart = keyof typeof timeParts

/** What cannot become a filter, and which part of the condition it is. */
export class NoFilter extends Error {
  readonly node: ASTNode

  constructor(node: ASTNode, message: string) {
    super(message)
    this.node = node
  }
}

/** Names of the path that each row has its own value of: by name the place below `resource`, or null where that is several. */
export type RowNames = ReadonlyMap<string, string | null>

/** Turns a condition into what SQL can say of a row. Throws NoFilter. */
export function planCondition(root: ASTNode, rowNames: RowNames): TruthPlan {
  return new Planner(rowNames).truth(root)
}

class Planner {
  readonly #rowNames: RowNames

  constructor(rowNames: RowNames) {
    this.#rowNames = rowNames
  }

  truth(node: ASTNode): TruthPlan {
    if (this.#isFixed(node)) return { kind: 'fixed', evaluate: compiled(node) }
    switch (node.op) {
      case '&&':
      case '||': {
        const [left, right] = node.args
        return { kind: node.op === '&&' ? 'and' : 'or', left: this.truth(left), right: this.truth(right) }
      }
      case '!_':
        return { kind: 'not', of: this.truth(node.args) }
      case '?:': {
        const [condition, yes, no] = node.args
        return { kind: 'choice', condition: this.truth(condition), yes: this.truth(yes), no: this.truth(no) }
      }
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { kind: 'compare', op: node.op, left: this.value(node.args[0]), right: this.value(node.args[1]) }
      case 'in':
        return this.#membership(node)
      case 'call':
        if (node.args[0] === 'has') return this.#has(node)
        break
      case 'rcall':
        return this.#textTest(node)
      default:
    }
    return { kind: 'truth', value: this.value(node) }
  }

  value(node: ASTNode): ValuePlan {
    if (this.#isFixed(node)) return { kind: 'fixed', evaluate: compiled(node) }
    const place = this.#column(node)
    if (place !== null) return { kind: 'column', place }
    switch (node.op) {
      case 'id':
        return this.#segment(node)
      case '+':
      case '-':
      case '*':
      case '/':
      case '%': {
        const [left, right] = node.args
        return { kind: 'arithmetic', op: node.op, left: this.value(left), right: this.value(right) }
      }
      case '-_':
        return { kind: 'minus', of: this.value(node.args) }
      case '?:': {
        const [condition, yes, no] = node.args
        return { kind: 'choice', condition: this.truth(condition), yes: this.value(yes), no: this.value(no) }
      }
      case 'call':
      case 'rcall':
        return this.#called(node)
      default:
        throw new NoFilter(node, 'this part cannot be turned into a filter')
    }
  }

  #called(node: ASTNode): ValuePlan {
    const [name, receiver, args] = calledOf(node)
    const only = receiver ?? args[0]
    const isOne = only !== undefined && args.length === (receiver ? 0 : 1)
    if (isOne && name in timeParts) return { kind: 'part', of: this.value(only), field: name as TimePart }
    if (isOne) {
      const kind = {
        size: 'size',
        __lowerAscii: 'lower',
        __upperAscii: 'upper',
        string: 'string',
        int: 'int',
        double: 'double',
        __segment: 'string',
      }[name]
      if (kind) return { kind: kind as Conversion, of: this.value(only), node }
    }
    throw new NoFilter(node, `${name.replace(/^__/, '')}() of a row cannot be turned into a filter`)
  }

  #segment(node: ASTNode): ValuePlan {
    const name = String(node.args)
    const place = this.#rowNames.get(name) ?? null
    if (place !== null) return { kind: 'segment', place }
    throw new NoFilter(node, `${name} cannot be compared as a whole in a list`)
  }

  #membership(node: ASTNode): TruthPlan {
    const [one, list] = node.args as [ASTNode, ASTNode]
    if (list.op === 'id' && list.args in typeWords) return { kind: 'is', value: this.value(one), type: list.args }
    const place = placeOf(list)
    if (place?.[0] === 'resource') {
      if (one.op === 'value' && typeof one.args === 'string') {
        return { kind: 'has', place: [...place.slice(1), one.args].join('.') }
      }
      throw new NoFilter(node, 'whether something is in a row must be a text')
    }
    if (this.#isFixed(list))
      return { kind: 'in', one: this.value(one), list: { kind: 'fixed', evaluate: compiled(list) } }
    if (list.op === 'list') return { kind: 'in', one: this.value(one), list: list.args.map(item => this.value(item)) }
    throw new NoFilter(list, 'the list behind in cannot be turned into a filter')
  }

  #has(node: ASTNode): TruthPlan {
    const argument = (node.args as [string, ASTNode[]])[1][0]
    const place = argument ? this.#column(argument) : null
    if (place === null) throw new NoFilter(node, 'has() takes a field of the row')
    return { kind: 'has', place }
  }

  #textTest(node: ASTNode): TruthPlan {
    const [name, receiver, args] = calledOf(node)
    const [first] = args
    if (receiver && first && args.length === 1) {
      if (name === 'startsWith' || name === 'endsWith' || name === 'contains') {
        return { kind: 'text', test: name, text: this.value(receiver), part: this.value(first) }
      }
      if (name === '__matches') {
        const pattern = first.op === 'value' && typeof first.args === 'string' ? literalPattern(first.args) : null
        if (pattern) return { kind: 'pattern', text: this.value(receiver), pattern }
        throw new NoFilter(node, 'in a list only patterns of plain texts can be used: ^images/, ^(png|jpeg)$')
      }
    }
    return { kind: 'truth', value: this.value(node) }
  }

  /** The place below `resource`, or null. `resource` and `resource.data` as a whole are '' and 'data'. */
  #column(node: ASTNode): string | null {
    const place = placeOf(node)
    return place?.[0] === 'resource' ? place.slice(1).join('.') : null
  }

  /** Nothing of it comes from a row. */
  #isFixed(node: ASTNode): boolean {
    let isFixed = true
    walk(node, part => {
      if (part.op !== 'id') return
      const name = part.args.replace(/__segments$/, '')
      if (name === 'resource' || this.#rowNames.has(name)) isFixed = false
    })
    return isFixed
  }
}

function calledOf(node: ASTNode): [name: string, receiver: ASTNode | null, args: ASTNode[]] {
  if (node.op === 'call') return [node.args[0], null, node.args[1]]
  if (node.op === 'rcall') return [node.args[0], node.args[1], node.args[2]]
  throw new NoFilter(node, 'this part cannot be turned into a filter')
}

const compiled = (node: ASTNode): Evaluate => environment.parse(celText(node))
