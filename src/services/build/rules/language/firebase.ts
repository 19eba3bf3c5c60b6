import type {
  Expression,
  FunctionBlock,
  Item,
  MatchBlock,
  PatternSegment,
  Problem,
  RulesFile,
  ServiceBlock,
  Span,
  Token,
} from './syntax.ts'
import { bracketEnd } from './token-lists.ts'

const services: Record<string, 'agc.cloud.storage' | 'agc.cloud.db'> = {
  'firebase.storage': 'agc.cloud.storage',
  'cloud.firestore': 'agc.cloud.db',
}

/** Rewrites the Firebase forms as ours: service, beginnings of paths, lookups, patterns that match a text as a whole. */
export function importFirebase(file: RulesFile): { file: RulesFile; problems: Problem[]; isImported: boolean } {
  const problems: Problem[] = []
  if (file.services.every(service => service.form === 'agc')) return { file, problems, isImported: false }
  const made = file.services.map(service => (service.form === 'firebase' ? imported(service, problems) : service))
  return { file: { ...file, rulesVersion: null, services: made }, problems, isImported: true }
}

function imported(service: ServiceBlock, problems: Problem[]): ServiceBlock {
  const name = services[service.name]
  if (!name) {
    const message = `${service.name} is not known; there are firebase.storage and cloud.firestore.`
    problems.push({ code: 'E070', message, start: service.nameSpan.start, end: service.nameSpan.end })
    return service
  }
  const rewriter = new Rewriter(name === 'agc.cloud.storage', problems)
  return { ...service, name, form: 'agc', body: rewriter.items(service.body, true) }
}

class Rewriter {
  readonly #isStorage: boolean
  readonly #problems: Problem[]

  constructor(isStorage: boolean, problems: Problem[]) {
    this.#isStorage = isStorage
    this.#problems = problems
  }

  items(items: readonly Item[], isTop: boolean): Item[] {
    return items.map(item => {
      if (item.kind === 'match') return this.#match(item, isTop)
      if (item.kind === 'function') return this.#function(item)
      return { ...item, condition: item.condition && this.#expression(item.condition) }
    })
  }

  #match(match: MatchBlock, isTop: boolean): MatchBlock {
    const { pattern } = match
    const segments = isTop ? this.#begin(pattern.segments, pattern) : pattern.segments
    return { ...match, pattern: { ...pattern, segments }, body: this.items(match.body, false) }
  }

  /** `/b/{bucket}/o` is `/{bucket}`, `/databases/{database}/documents` is `/{database}`. */
  #begin(segments: readonly PatternSegment[], span: Span): PatternSegment[] {
    const [first, name, third] = segments
    const [before, behind] = this.#isStorage ? ['b', 'o'] : ['databases', 'documents']
    const is = (segment: PatternSegment | undefined, text: string) =>
      segment?.kind === 'literal' && segment.text === text
    if (name && is(first, before) && is(third, behind)) return [named(name, 'bucket'), ...segments.slice(3)]
    const message = `Here stands /${before}/{name}/${behind}, from which the path is taken.`
    this.#problems.push({ code: 'E071', message, start: span.start, end: span.end })
    return [...segments]
  }

  #function(block: FunctionBlock): FunctionBlock {
    return {
      ...block,
      lets: block.lets.map(one => ({ ...one, value: this.#expression(one.value) })),
      result: this.#expression(block.result),
    }
  }

  #expression(expression: Expression): Expression {
    return { ...expression, tokens: this.#tokens(expression.tokens) }
  }

  #tokens(tokens: readonly Token[]): Token[] {
    const made: Token[] = []
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!
      const isCall = tokens[at + 1]?.text === '(' && token.kind === 'name'
      const isMember = tokens[at - 1]?.text === '.'
      if (token.kind === 'path') made.push(this.#path(token))
      else if (isCall && !isMember && (token.text === 'get' || token.text === 'exists')) {
        made.push(...this.#lookup(tokens, at))
        at = this.#lookupEnd
      } else if (token.text === 'firestore' && tokens[at + 1]?.text === '.' && tokens[at + 3]?.text === '(') {
        made.push(...this.#lookup(tokens, at + 2))
        at = this.#lookupEnd
      } else if (isCall && isMember && token.text === 'matches') {
        const end = bracketEnd(tokens, at + 1)
        made.push(token, tokens[at + 1]!, ...whole(this.#tokens(tokens.slice(at + 2, end - 1))), tokens[end - 1]!)
        at = end - 1
      } else made.push(token)
    }
    return made
  }

  /** The last token that the lookup took. */
  #lookupEnd = 0

  #lookup(tokens: readonly Token[], nameAt: number): Token[] {
    const name = tokens[nameAt]!
    const end = bracketEnd(tokens, nameAt + 1)
    const inside = this.#tokens(tokens.slice(nameAt + 1, end))
    const word = (text: string): Token => ({ ...name, kind: text === '.' ? 'sign' : 'name', text })
    const made = [word('clouddb'), word('.'), word(name.text), ...inside]
    // A row of ours is its fields, without a word between.
    const isData = name.text === 'get' && tokens[end]?.text === '.' && tokens[end + 1]?.text === 'data'
    this.#lookupEnd = end - 1 + (isData ? 2 : 0)
    return made
  }

  #path(token: Token): Token {
    const segments = (token.segments ?? []).map(segment =>
      'expression' in segment ? { expression: this.#expression(segment.expression) } : segment,
    )
    const [first, name, third, ...rest] = segments
    const is = (one: typeof first, text: string) => one !== undefined && 'literal' in one && one.literal === text
    if (!name || !is(first, 'databases') || !is(third, 'documents')) return { ...token, segments }
    if (is(name, '(default)')) {
      const message = 'The database (default) was taken as the zone default; write the name of your zone.'
      this.#problems.push({ code: 'I001', message, start: token.start, end: token.end })
      return { ...token, segments: [{ literal: 'default' }, ...rest] }
    }
    return { ...token, segments: [name, ...rest] }
  }
}

function named(segment: PatternSegment, otherwise: string): PatternSegment {
  return segment.kind === 'rest' ? { kind: 'one', name: segment.name || otherwise } : segment
}

/** There a pattern matches a text as a whole; here, as in RE2, any part of it. */
function whole(tokens: Token[]): Token[] {
  const [only] = tokens
  if (tokens.length === 1 && only?.kind === 'string') {
    const [, prefix, quote, inside] = /^([rRbB]*)("""|'''|"|')([\s\S]*)$/.exec(only.text) ?? []
    if (quote !== undefined && inside !== undefined) {
      const pattern = inside.slice(0, -quote.length)
      const isAnchored = pattern.startsWith('^') && pattern.endsWith('$') && !pattern.includes('|')
      const text = isAnchored ? pattern : `^(?:${pattern})$`
      return [{ ...only, text: `${prefix}${quote}${text}${quote}` }]
    }
  }
  const around = tokens[0] ?? { kind: 'string' as const, text: '', start: 0, end: 0 }
  const put = (kind: Token['kind'], text: string): Token => ({ ...around, kind, text })
  return [
    put('string', "'^(?:'"),
    put('sign', '+'),
    put('sign', '('),
    ...tokens,
    put('sign', ')'),
    put('sign', '+'),
    put('string', "')$'"),
  ]
}
