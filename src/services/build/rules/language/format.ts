import type {
  AllowStatement,
  Comment,
  Expression,
  FunctionBlock,
  Item,
  MatchBlock,
  PatternSegment,
  RulesFile,
  ServiceBlock,
  Span,
  Token,
} from './syntax.ts'

/**
 * Writes rules in their own form. What is written reads as the same again, comments included. Rules that were rewritten while
 * they were read are no longer what the source says.
 */
export function formatRules(file: RulesFile, source: string, isRewritten: boolean): string {
  const writer = new Writer(file.comments, source, isRewritten)
  file.services.forEach((service, index) => {
    if (index > 0) writer.line('')
    writer.service(service, file.rulesVersion)
  })
  writer.commentsUpTo(Number.POSITIVE_INFINITY)
  return `${writer.lines.join('\n')}\n`
}

class Writer {
  readonly lines: string[] = []
  readonly #source: string
  readonly #isRewritten: boolean
  readonly #comments: readonly Comment[]
  #written = 0
  #depth = 0

  constructor(comments: readonly Comment[], source: string, isRewritten: boolean) {
    this.#comments = comments
    this.#source = source
    this.#isRewritten = isRewritten
  }

  line(text: string): void {
    this.lines.push(text === '' ? '' : `${'  '.repeat(this.#depth)}${text}`)
  }

  /** Comments before a place; those of a statement stand before it. */
  commentsUpTo(offset: number, statementStart = offset): void {
    for (; this.#written < this.#comments.length; this.#written++) {
      const { start, text, isTrailing } = this.#comments[this.#written]!
      if (start >= offset) return
      const last = this.lines.length - 1
      const isBehind = isTrailing && start < statementStart && last >= 0 && this.lines[last] !== ''
      if (isBehind && !this.lines[last]!.includes('//')) this.lines[last] += ` ${text}`
      else for (const part of text.split('\n')) this.line(part.trim())
    }
  }

  service(service: ServiceBlock, rulesVersion: string | null): void {
    this.commentsUpTo(service.start)
    if (rulesVersion !== null) {
      this.line(`rules_version = '${rulesVersion}';`)
      this.line('')
    }
    this.line(`${service.name}[`)
    this.#body(service.body, service.end)
    this.line(']')
  }

  #body(items: readonly Item[], end: number): void {
    this.#depth++
    items.forEach((item, index) => {
      const before = items[index - 1]
      // A remark behind the one before belongs to its line.
      this.#trailing(item.start)
      if (before && (before.kind === 'match' || item.kind === 'match' || item.kind === 'function')) this.line('')
      this.commentsUpTo(item.start)
      if (item.kind === 'allow') this.#allow(item)
      else if (item.kind === 'match') this.#match(item)
      else this.#function(item)
    })
    this.commentsUpTo(end)
    this.#depth--
  }

  #trailing(before: number): void {
    const next = this.#comments[this.#written]
    if (next?.isTrailing && next.start < before && this.#follows(next)) this.commentsUpTo(next.start + 1)
  }

  /** Whether a remark stands behind what was written last, and not before the next thing on its line. */
  #follows({ end }: Comment): boolean {
    const rest = this.#source.slice(
      end,
      this.#source.indexOf('\n', end) < 0 ? undefined : this.#source.indexOf('\n', end),
    )
    return rest.trim() === ''
  }

  #match(match: MatchBlock): void {
    this.line(`match: ${patternSource(match.pattern.segments)} {`)
    this.#body(match.body, match.end)
    this.line('}')
  }

  #allow(allow: AllowStatement): void {
    const methods = allow.methods.map(method => method.name).join(', ')
    const condition = allow.condition && `: if ${this.#expression(allow.condition, allow)}`
    if (!allow.condition) this.commentsUpTo(allow.end, allow.start)
    this.#statement(`allow ${methods}`, condition)
  }

  #function(block: FunctionBlock): void {
    this.line(`function ${block.name}(${block.parameters.join(', ')}) {`)
    this.#depth++
    for (const one of block.lets) {
      this.commentsUpTo(one.start)
      this.#statement(`let ${one.name} = `, this.#expression(one.value, one))
    }
    this.commentsUpTo(block.result.start)
    this.#statement('return ', this.#expression(block.result, block.result))
    this.commentsUpTo(block.end)
    this.#depth--
    this.line('}')
  }

  /** A long condition is broken before && and || that stand outside of brackets. */
  #statement(begin: string, rest: string | null): void {
    const whole = `${begin}${rest ?? ''};`
    if (whole.length + this.#depth * 2 <= 100 || rest?.includes('\n') || rest?.includes('//')) {
      this.line(whole)
      return
    }
    const [first, ...others] = brokenLines(rest ?? '')
    if (others.length === 0) {
      this.line(whole)
      return
    }
    this.line(`${begin}${first}`)
    this.#depth++
    others.forEach((part, index) => {
      this.line(index === others.length - 1 ? `${part};` : part)
    })
    this.#depth--
  }

  /** Comments inside keep their place where the source still says the same; else they go before the statement. */
  #expression(expression: Expression, statement: Span): string {
    this.commentsUpTo(expression.start, statement.start)
    const next = this.#comments[this.#written]
    const hasInside = next !== undefined && next.start < expression.end
    if (hasInside && !this.#isRewritten) {
      while ((this.#comments[this.#written]?.start ?? Number.POSITIVE_INFINITY) < expression.end) this.#written++
      this.commentsUpTo(statement.end, statement.start)
      return this.#source.slice(expression.start, expression.end)
    }
    this.commentsUpTo(Math.max(statement.end, expression.end), statement.start)
    return spaced(expression.tokens)
  }
}

export function patternSource(segments: readonly PatternSegment[]): string {
  return segments
    .map(one => {
      if (one.kind === 'literal') return `/${one.text.replace(/[%{}/\s]/g, encodeURIComponent)}`
      return `/{${one.name}${one.kind === 'rest' ? '=**' : ''}}`
    })
    .join('')
}

const tightBefore = new Set([')', ']', ',', '.', ';'])
const tightBehind = new Set(['(', '[', '.', '!'])

/** One space between tokens, but where none belongs. */
export function spaced(tokens: readonly Token[]): string {
  let text = ''
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]
    if (before && !isTight(tokens, index)) text += ' '
    text += token.kind === 'path' ? pathSource(token) : token.text
  })
  return text
}

function isTight(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]!
  const before = tokens[index - 1]!
  if (token.kind === 'sign' && tightBefore.has(token.text)) return true
  if (before.kind === 'sign' && tightBehind.has(before.text)) return true
  if (before.text === '-' && before.kind === 'sign' && isSignBefore(tokens[index - 2])) return true
  if (token.kind !== 'sign') return false
  if (token.text === '(' || token.text === '[') {
    return (
      before.text !== 'in' &&
      (before.kind === 'name' || before.kind === 'string' || [')', ']', '}'].includes(before.text))
    )
  }
  // The colon of a map stands at its key, that of a choice between spaces.
  return token.text === ':' && isMapColon(tokens, index)
}

/** Whether a minus behind this token is a sign and no subtraction. */
function isSignBefore(token: Token | undefined): boolean {
  if (!token) return true
  return token.kind === 'sign' ? ![')', ']', '}'].includes(token.text) : token.text === 'in'
}

function isMapColon(tokens: readonly Token[], index: number): boolean {
  let depth = 0
  let colons = 0
  for (let at = index - 1; at >= 0; at--) {
    const { text, kind } = tokens[at]!
    if (kind !== 'sign') continue
    if ([')', ']', '}'].includes(text)) depth++
    else if (['(', '[', '{'].includes(text)) {
      if (depth === 0) return text === '{' && colons === 0
      depth--
    } else if (depth === 0 && text === '?') {
      if (colons === 0) return false
      colons--
    } else if (depth === 0 && text === ':') colons++
    else if (depth === 0 && text === ',') return true
  }
  return false
}

function pathSource(token: Token): string {
  const parts = (token.segments ?? []).map(segment =>
    'literal' in segment
      ? segment.literal.replace(/[%{}/$,;\s]/g, encodeURIComponent)
      : `$(${spaced(segment.expression.tokens)})`,
  )
  return `/${parts.join('/')}`
}

/** Splits before && and || outside of brackets and texts. */
function brokenLines(text: string): string[] {
  const lines: string[] = []
  let depth = 0
  let begin = 0
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote !== null) {
      if (char === '\\') at++
      else if (char === quote) quote = null
      continue
    }
    if (char === '"' || char === "'") quote = char
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char)) depth--
    if (depth === 0 && at > begin && (text.startsWith('&& ', at) || text.startsWith('|| ', at))) {
      lines.push(text.slice(begin, at).trimEnd())
      begin = at
    }
  }
  lines.push(text.slice(begin))
  return lines
}
