import { language as limits } from '../rules.ts'
import { Output } from './expansion-output.ts'
import type { Expression, FunctionBlock, Item, PatternSegment, Problem, Span, Token } from './syntax.ts'
import { bracketEnd, splitArguments } from './token-lists.ts'

/** What a name stands for. Arguments and lets are put in where they are used, with the names that hold where they stand. */
export type Meaning =
  | { kind: 'value'; expression: Expression; names: Names }
  | { kind: 'one' | 'rest' | 'own'; as: string }

export interface Names {
  of: ReadonlyMap<string, Meaning>
  functions: ReadonlyMap<string, { block: FunctionBlock; names: Names }>
}

const macros = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])
/** Functions of CEL and ours that are called without a receiver. */
const freeFunctions = new Map([
  ...['size', 'int', 'uint', 'double', 'string', 'bool', 'bytes', 'type', 'dyn', 'has', 'timestamp', 'duration'].map(
    name => [name, name] as const,
  ),
  ['float', 'double'],
  ['toHex', '__toHex'],
  ['inCidr', '__inCidr'],
  ['debug', '__debug'],
  ['sha256', '__sha256'],
])
/** CEL knows no dotted free functions, so each has a name of ours. */
const dotted = new Map([
  ['clouddb.get', '__cdbGet'],
  ['clouddb.exists', '__cdbExists'],
  ['storage.exists', '__storageExists'],
  ...['abs', 'floor', 'ceil', 'round', 'sqrt', 'pow', 'isNaN', 'isInfinite'].map(
    name => [`math.${name}`, `__math${name[0]!.toUpperCase()}${name.slice(1)}`] as const,
  ),
  ['hashing.sha256', '__sha256'],
  ['duration.value', '__durationValue'],
  ['timestamp.date', '__timestampDate'],
  ['timestamp.value', '__timestampValue'],
])
const needState = new Set(['__cdbGet', '__cdbExists', '__storageExists', '__debug'])
/** Methods that CEL has in another sense: patterns run on RE2, letters change in ASCII only. */
const methods = new Map([
  ['matches', '__matches'],
  ['lowerAscii', '__lowerAscii'],
  ['lower', '__lowerAscii'],
  ['upperAscii', '__upperAscii'],
  ['upper', '__upperAscii'],
])
const typeNames = new Set([
  'bool',
  'bytes',
  'int',
  'float',
  'number',
  'string',
  'list',
  'map',
  'timestamp',
  'duration',
  'path',
  'null',
])
const words = new Set(['true', 'false', 'null', 'in'])

export interface Expansion {
  /** For the CEL parser. */
  text: string
  output: Output
  /** Path wildcards that are used. */
  wildcards: Set<string>
  lookups: { service: 'clouddb' | 'storage'; span: Span }[]
  patterns: Token[]
  needsState: boolean
}

/** Puts functions, lets and arguments into one expression of CEL, and remembers where each piece came from. */
export class Expander {
  readonly problems: Problem[] = []
  readonly isDatabase: boolean
  #fresh = 0

  constructor(isDatabase: boolean) {
    this.isDatabase = isDatabase
  }

  expand(expression: Expression, names: Names): Expansion {
    const made: Expansion = {
      text: '',
      output: new Output(),
      wildcards: new Set(),
      lookups: [],
      patterns: [],
      needsState: false,
    }
    this.#range(expression.tokens, 0, expression.tokens.length, names, made, [])
    made.text = made.output.text
    return made
  }

  #problem(code: string, message: string, { start, end }: Span): void {
    if (!this.problems.some(one => one.start === start && one.code === code)) {
      this.problems.push({ code, message, start, end })
    }
  }

  #range(tokens: Token[], from: number, to: number, names: Names, made: Expansion, calls: FunctionBlock[]): void {
    for (let at = from; at < to; ) at = this.#piece(tokens, at, to, names, made, calls)
  }

  /** Writes what begins at a token; answers where the next piece begins. */
  #piece(tokens: Token[], at: number, to: number, names: Names, made: Expansion, calls: FunctionBlock[]): number {
    const token = tokens[at]!
    const before = tokens[at - 1]
    const behind = tokens[at + 1]
    if (made.output.isFull) {
      this.#problem('E040', 'With its functions put in this condition is too long.', token)
      return to
    }
    if (token.kind === 'path') {
      this.#path(token, names, made, calls)
      return at + 1
    }
    if (token.kind !== 'name') {
      made.output.put(token.text, token)
      return at + 1
    }
    const isCall = at + 1 < to && behind?.text === '(' && behind.kind === 'sign'
    if (before?.text === '.' && before.kind === 'sign') {
      if (isCall && macros.has(token.text)) return this.#macro(tokens, at, names, made, calls)
      if (isCall && token.text === 'matches' && tokens[at + 2]?.kind === 'string') made.patterns.push(tokens[at + 2]!)
      const isPath = token.text === 'path' && tokens[at - 2]?.text === 'request'
      const isList = isPath && (behind?.text === '[' || behind?.text === '.' || tokens[at - 3]?.text === 'in')
      made.output.put(isList ? 'segments' : isCall ? (methods.get(token.text) ?? token.text) : token.text, token)
      return at + 1
    }
    if (token.text === 'is' && endsOperand(before)) {
      if (!behind || !typeNames.has(behind.text)) {
        this.#problem('E041', `Behind is stands a type: ${[...typeNames].join(', ')}.`, token)
        return to
      }
      made.output.put('in', token)
      made.output.put(`__is_${behind.text}`, behind)
      return at + 2
    }
    if (behind?.text === '.' && tokens[at + 3]?.text === '(' && !names.of.has(token.text)) {
      const found = dotted.get(`${token.text}.${tokens[at + 2]?.text}`)
      if (found) return this.#call(found, tokens, at, at + 3, names, made, calls)
    }
    if (isCall) return this.#free(tokens, at, names, made, calls)
    this.#name(token, behind, before, names, made, calls)
    return at + 1
  }

  #free(tokens: Token[], at: number, names: Names, made: Expansion, calls: FunctionBlock[]): number {
    const token = tokens[at]!
    const own = names.functions.get(token.text)
    if (own) return this.#inline(own, tokens, at, names, made, calls)
    const isLookup = token.text === 'get' || token.text === 'exists'
    const known = isLookup && this.isDatabase ? dotted.get(`clouddb.${token.text}`) : freeFunctions.get(token.text)
    if (known) return this.#call(known, tokens, at, at + 1, names, made, calls)
    const message = isLookup
      ? `Say where: clouddb.${token.text}(/zone/type/$(id)).`
      : `There is no function ${token.text}; write one with function ${token.text}() { … }.`
    this.#problem('E042', message, token)
    return bracketEnd(tokens, at + 1)
  }

  #call(
    name: string,
    tokens: Token[],
    at: number,
    bracket: number,
    names: Names,
    made: Expansion,
    calls: FunctionBlock[],
  ): number {
    const end = bracketEnd(tokens, bracket)
    const span = { start: tokens[at]!.start, end: tokens[Math.min(end, tokens.length) - 1]!.end }
    if (name === '__cdbGet' || name === '__cdbExists' || name === '__storageExists') {
      made.lookups.push({ service: name === '__storageExists' ? 'storage' : 'clouddb', span })
      if (tokens[bracket + 1]?.kind !== 'path') {
        this.#problem('E043', 'In the brackets stands a path: /zone/type/$(id).', span)
      }
    }
    const begin = made.output.length
    made.output.put(name, { start: tokens[at]!.start, end: tokens[bracket - 1]!.end })
    made.output.put('(', tokens[bracket]!)
    if (needState.has(name)) {
      made.needsState = true
      made.output.put('__state,', tokens[bracket]!)
      if (name === '__debug') made.output.put(`${tokens[at]!.start},`, tokens[bracket]!)
    }
    this.#range(tokens, bracket + 1, end, names, made, calls)
    made.output.cover(begin, span)
    return end
  }

  /** `list.all(x, condition)`: the variable gets a name of its own, and each round counts. */
  #macro(tokens: Token[], at: number, names: Names, made: Expansion, calls: FunctionBlock[]): number {
    const end = bracketEnd(tokens, at + 1)
    const variable = tokens[at + 2]
    const parts = splitArguments(tokens, at + 2, end - 1)
    const output = made.output
    output.put(tokens[at]!.text, tokens[at]!)
    if (variable?.kind !== 'name' || parts.length < 2) {
      this.#range(tokens, at + 1, end, names, made, calls)
      return end
    }
    const fresh = `v${this.#fresh++}_${variable.text}`
    const inside: Names = { ...names, of: new Map([...names.of, [variable.text, { kind: 'own', as: fresh }]]) }
    const weight = Math.max(1, end - at - 4)
    const tick = `__tick(__state,${weight})`
    made.needsState = true
    output.put('(', tokens[at + 1]!)
    output.put(`${fresh},`, variable)
    const bodies = parts.slice(1)
    const isMap = tokens[at]!.text === 'map'
    if (isMap && bodies.length === 1) output.put(`${tick},`, tokens[at]!)
    bodies.forEach(([from, to], index) => {
      const isCondition = !isMap || (bodies.length === 2 && index === 0)
      if (index > 0) output.put(',', tokens[from - 1]!)
      if (isCondition) output.put(`${tick}?(`, tokens[at]!)
      this.#range(tokens, from, to, inside, made, calls)
      if (isCondition) output.put('):false', tokens[at]!)
    })
    output.put(')', tokens[end - 1]!)
    return end
  }

  #inline(
    { block, names: around }: { block: FunctionBlock; names: Names },
    tokens: Token[],
    at: number,
    names: Names,
    made: Expansion,
    calls: FunctionBlock[],
  ): number {
    const token = tokens[at]!
    const end = bracketEnd(tokens, at + 1)
    const given = splitArguments(tokens, at + 2, end - 1)
    const span = { start: token.start, end: tokens[Math.min(end, tokens.length) - 1]!.end }
    if (calls.includes(block)) {
      this.#problem('E044', `${token.text} calls itself; rules know no recursion.`, span)
      return end
    }
    if (calls.length >= limits.callDepth) {
      this.#problem('E045', `Functions may call each other ${limits.callDepth} deep.`, span)
      return end
    }
    if (given.length !== block.parameters.length) {
      this.#problem('E046', `${token.text} takes ${block.parameters.length} values, not ${given.length}.`, span)
      return end
    }
    const of = new Map(around.of)
    block.parameters.forEach((parameter, index) => {
      const [from, to] = given[index]!
      const part = tokens.slice(from, to)
      const expression = { tokens: part, start: part[0]?.start ?? token.start, end: part.at(-1)?.end ?? token.end }
      of.set(parameter, { kind: 'value', expression, names })
    })
    let inside: Names = { of, functions: around.functions }
    for (const { name, value } of block.lets) {
      inside = { ...inside, of: new Map([...inside.of, [name, { kind: 'value', expression: value, names: inside }]]) }
    }
    const begin = made.output.length
    made.output.put('(', span)
    this.#range(block.result.tokens, 0, block.result.tokens.length, inside, made, [...calls, block])
    made.output.put(')', span)
    made.output.cover(begin, span)
    return end
  }

  #name(
    token: Token,
    behind: Token | undefined,
    before: Token | undefined,
    names: Names,
    made: Expansion,
    calls: FunctionBlock[],
  ): void {
    if (words.has(token.text)) {
      made.output.put(token.text, token)
      return
    }
    const meaning = names.of.get(token.text)
    if (meaning?.kind === 'value') {
      const [only] = meaning.expression.tokens
      const isName = meaning.expression.tokens.length === 1 && only!.kind === 'name'
      // A path that was handed on is still a path to what stands behind it here.
      if (isName) {
        this.#name({ ...only!, ...spanOf(token) }, behind, before, meaning.names, made, calls)
        return
      }
      made.output.put('(', token)
      this.#range(meaning.expression.tokens, 0, meaning.expression.tokens.length, meaning.names, made, calls)
      made.output.put(')', token)
      return
    }
    if (meaning) {
      const isList = meaning.kind === 'rest' && (behind?.text === '[' || behind?.text === '.' || before?.text === 'in')
      if (meaning.kind !== 'own') made.wildcards.add(meaning.as)
      made.output.put(isList ? `${meaning.as}__segments` : meaning.as, token)
      return
    }
    if (token.text === 'request' || token.text === 'resource' || typeNames.has(token.text) || token.text === 'double') {
      made.output.put(token.text, token)
      return
    }
    this.#problem(
      'E047',
      `There is no ${token.text} here; there are request, resource and the names of the path.`,
      token,
    )
    made.output.put('null', token)
  }

  #path(token: Token, names: Names, made: Expansion, calls: FunctionBlock[]): void {
    made.output.put('[', token)
    token.segments?.forEach((segment, index) => {
      if (index > 0) made.output.put(',', token)
      if ('literal' in segment) {
        made.output.put(JSON.stringify(segment.literal), token)
        return
      }
      made.output.put('__segment(', token)
      const { tokens } = segment.expression
      this.#range(tokens, 0, tokens.length, names, made, calls)
      made.output.put(')', token)
    })
    made.output.put(']', token)
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false
  return token.kind === 'sign' ? [')', ']', '}'].includes(token.text) : token.text !== 'in'
}

/** What a name of the path is called for CEL, which has names of its own: list, map, type. */
export const ownName = (name: string) => `p_${name}`

/** The names that hold inside a block: those around it, its wildcards, its functions. */
export function namesInside(around: Names, segments: readonly PatternSegment[], body: readonly Item[]): Names {
  const of = new Map(around.of)
  for (const segment of segments) {
    if (segment.kind !== 'literal') of.set(segment.name, { kind: segment.kind, as: ownName(segment.name) })
  }
  const functions = new Map(around.functions)
  const names: Names = { of, functions }
  for (const item of body) if (item.kind === 'function') functions.set(item.name, { block: item, names })
  return names
}
