import type { RuledService } from '../engine-types.ts'
import { language as limits } from '../rules.ts'
import { countNodes, readsOf } from './cel-tree.ts'
import type { Condition, Program, Statement } from './compiled.ts'
import { environment } from './environment.ts'
import { Expander, type Expansion, type Names, namesInside } from './expand.ts'
import { readable } from './readable.ts'
import { Places } from './scanner.ts'
import {
  type AllowStatement,
  type Item,
  type MethodName,
  methodNames,
  methodWords,
  type PatternSegment,
  type Problem,
  type RulesFile,
  type ServiceBlock,
  type Span,
} from './syntax.ts'
import { addStatement, emptyTrie } from './trie.ts'

export const methodBit: Readonly<Record<MethodName, number>> = Object.fromEntries(
  methodNames.map((name, index) => [name, 1 << index]),
) as Record<MethodName, number>

const reserved = new Set(['request', 'resource'])

/** Compiles what was read; problems are what forbids to publish it. */
export function compileProgram(
  file: RulesFile,
  service: RuledService,
  source: string,
): { program: Program; problems: Problem[] } {
  const compiler = new Compiler(service, source)
  for (const block of file.services) compiler.service(block)
  if (file.services.length === 0) compiler.missing()
  return { program: compiler.program(), problems: compiler.problems }
}

class Compiler {
  readonly problems: Problem[]
  readonly #service: RuledService
  readonly #source: string
  readonly #expander: Expander
  readonly #statements: Statement[] = []
  readonly #trie = emptyTrie()
  #matches = 0
  #nodes = 0

  constructor(service: RuledService, source: string) {
    this.#service = service
    this.#source = source
    this.#expander = new Expander(service !== 'agc.cloud.storage')
    this.problems = this.#expander.problems
  }

  missing(): void {
    this.problems.push({ code: 'E050', message: `Rules begin with ${this.#service}[ … ].`, start: 0, end: 1 })
  }

  service(block: ServiceBlock): void {
    if (block.name !== this.#service) {
      const message = `These are the rules of ${this.#service}, not of ${block.name}.`
      this.problems.push({ code: 'E051', message, ...spanOf(block.nameSpan) })
    }
    const nothing: Names = { of: new Map(), functions: new Map() }
    this.#items(block.body, namesInside(nothing, [], block.body), [])
  }

  program(): Program {
    const statements = this.#statements
    const zeros = () => statements.map(() => 0)
    return {
      service: this.#service,
      source: this.#source,
      statements,
      trie: this.#trie,
      places: new Places(this.#source),
      stats: { matches: this.#matches, allows: statements.length, nodes: this.#nodes },
      tallies: { evaluated: zeros(), granted: zeros(), errors: zeros() },
    }
  }

  #items(items: readonly Item[], names: Names, above: readonly PatternSegment[], patternSpan?: Span): void {
    this.#checkFunctions(items, names)
    for (const item of items) {
      if (item.kind === 'allow') this.#allow(item, names, above, patternSpan ?? item)
      if (item.kind !== 'match') continue
      this.#matches++
      const segments = [...above, ...item.pattern.segments]
      this.#checkPattern(item.pattern.segments, segments, item.pattern)
      const inside = namesInside(names, item.pattern.segments, item.body)
      this.#items(item.body, inside, segments, spanOf(item.pattern))
    }
  }

  #checkPattern(own: readonly PatternSegment[], all: readonly PatternSegment[], span: Span): void {
    const named = all.flatMap(one => (one.kind === 'literal' ? [] : [one.name]))
    const twice = named.find((name, index) => named.indexOf(name) !== index)
    if (twice !== undefined) this.#problem('E052', `The path has two names ${twice}.`, span)
    if (all.filter(one => one.kind === 'rest').length > 1) {
      this.#problem('E053', 'A path may have one {name=**}, those around it counted.', span)
    }
    for (const one of own) {
      if (one.kind === 'literal') continue
      if (reserved.has(one.name) || one.name.startsWith('__')) {
        this.#problem('E054', `${one.name} cannot be the name of a part of a path.`, span)
      }
    }
  }

  /** A function is checked where it stands, so that one that nobody calls does not hide a mistake. */
  #checkFunctions(items: readonly Item[], names: Names): void {
    const seen = new Set<string>()
    for (const item of items) {
      if (item.kind !== 'function') continue
      if (seen.has(item.name)) this.#problem('E055', `There are two functions ${item.name}.`, item.nameSpan)
      seen.add(item.name)
      const of = new Map(names.of)
      for (const parameter of item.parameters) of.set(parameter, { kind: 'own', as: `p_${parameter}` })
      let inside: Names = { of, functions: names.functions }
      for (const { name, value } of item.lets) {
        this.#condition(value, inside)
        const meaning = { kind: 'value', expression: value, names: inside } as const
        inside = { ...inside, of: new Map([...inside.of, [name, meaning]]) }
      }
      this.#condition(item.result, inside)
    }
  }

  #allow(item: AllowStatement, names: Names, segments: readonly PatternSegment[], patternSpan: Span): void {
    const words = item.methods.map(method => method.name)
    const methods = words.flatMap(word => methodWords[word] ?? []).reduce((bits, name) => bits | methodBit[name], 0)
    const condition = item.condition && this.#condition(item.condition, names)
    if (condition) {
      this.#nodes += condition.nodes
      if (condition.nodes > limits.steps) {
        this.#problem('E056', `A condition may have ${limits.steps} nodes, with its functions put in.`, item.condition!)
      }
      if (this.#nodes > limits.nodes) {
        this.#problem('E057', `Rules may have ${limits.nodes} nodes, with their functions put in.`, item.condition!)
      }
    }
    if (this.#statements.length >= limits.statements) {
      if (!this.problems.some(one => one.code === 'E058')) {
        this.#problem('E058', `Rules may have ${limits.statements} statements.`, item)
      }
      return
    }
    // What does not compile must not become an allow without condition.
    if (item.condition && !condition) return
    const statement: Statement = {
      index: this.#statements.length,
      methods,
      methodWords: words,
      segments: [...segments],
      condition: condition ?? null,
      span: spanOf(item),
      patternSpan: spanOf(patternSpan),
    }
    this.#statements.push(statement)
    addStatement(this.#trie, statement)
  }

  #condition(expression: NonNullable<AllowStatement['condition']>, names: Names): Condition | null {
    const before = this.problems.length
    const expansion = this.#expander.expand(expression, names)
    if (this.problems.length > before || expansion.text === '') return null
    try {
      const parsed = environment.parse(expansion.text)
      const checked = parsed.check()
      if (!checked.valid) throw checked.error
      return {
        evaluate: parsed as Condition['evaluate'],
        ast: parsed.ast,
        expansion,
        span: spanOf(expression),
        nodes: countNodes(parsed.ast),
        reads: readsOf(parsed.ast),
      }
    } catch (error) {
      this.#celProblem(error, expansion, expression)
      return null
    }
  }

  #celProblem(error: unknown, expansion: Expansion, expression: Span): void {
    const { code, summary, range } = error as { code?: string; summary?: string; range?: Span }
    const span = range ? expansion.output.spanOf(range.start, range.end) : expression
    const isTypes = code === 'no_such_overload'
    const message = readable(summary ?? (error as Error).message)
    this.#problem(isTypes ? 'R005' : 'E060', message, span)
  }

  #problem(code: string, message: string, span: Span): void {
    if (this.problems.some(one => one.code === code && one.start === span.start && one.message === message)) return
    this.problems.push({ code, message, start: span.start, end: Math.max(span.end, span.start + 1) })
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })
