import { Scanner } from './scanner.ts'
import type { Comment, Expression, PathSegment, Pattern, PatternSegment, Problem, Span, Token } from './syntax.ts'

const closingOf: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
const lookups = new Set(['get', 'exists', 'getAfter', 'existsAfter'])

/** Tokens, patterns and the extent of expressions; what is in an expression is read by CEL later. */
export class ExpressionReader {
  readonly problems: Problem[]
  readonly #scanner: Scanner
  /** The next one, read but not taken. */
  token: Token
  /** Where the last taken one ended. */
  last = 0

  constructor(source: string) {
    this.#scanner = new Scanner(source)
    this.problems = this.#scanner.problems
    this.token = this.#scanner.next()
  }

  get comments(): readonly Comment[] {
    return this.#scanner.comments
  }

  take(): Token {
    const taken = this.token
    this.last = taken.end
    this.token = this.#scanner.next()
    return taken
  }

  isName(text: string): boolean {
    return this.token.kind === 'name' && this.token.text === text
  }

  isSign(text: string): boolean {
    return this.token.kind === 'sign' && this.token.text === text
  }

  isBlockWord(): boolean {
    return this.isName('allow') || this.isName('match') || this.isName('function')
  }

  problem(code: string, message: string, { start, end }: Span): void {
    const at = Math.min(start, this.#scanner.source.length)
    this.problems.push({ code, message, start: at, end: Math.max(end, at + 1) })
  }

  expect(text: string): void {
    if (this.isSign(text)) this.take()
    else {
      const found = this.token.kind === 'end' ? 'the end' : this.token.text.slice(0, 40)
      this.problem('E021', `Here stands ${text}, not ${found}.`, this.token)
    }
  }

  /** The semicolon; its lack is told at the end of what it should have closed. */
  expectEnd(): void {
    if (this.isSign(';')) this.take()
    else this.problem('E022', 'A ; is missing here.', { start: this.last, end: this.last + 1 })
  }

  /** The word match is the token in hand. */
  pattern(): Pattern {
    const scanner = this.#scanner
    scanner.at = this.token.end
    scanner.skip()
    if (scanner.source[scanner.at] === ':') {
      scanner.at++
      scanner.skip()
    }
    const start = scanner.at
    const segments: PatternSegment[] = []
    while (scanner.source[scanner.at] === '/') {
      scanner.at++
      const segment = this.#segment()
      if (!segment) break
      segments.push(segment)
    }
    const span = { start, end: Math.max(scanner.at, start + 1) }
    if (segments.length === 0) this.problem('E030', 'A match names a path: /{bucket}/{path=**}.', span)
    this.last = scanner.at
    this.token = scanner.next()
    return { segments, ...span }
  }

  #segment(): PatternSegment | null {
    const { source, at } = this.#scanner
    const named = /\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:=\s*(\*\*?)\s*)?\}/y
    named.lastIndex = at
    const found = named.exec(source)
    if (found) {
      this.#scanner.at = named.lastIndex
      return { kind: found[2] === '**' ? 'rest' : 'one', name: found[1]! }
    }
    const literal = /[^/{}\s]+/y
    literal.lastIndex = at
    const text = literal.exec(source)?.[0]
    if (text === undefined) {
      this.problem('E031', 'Behind / stands a name, {name} or {name=**}.', { start: at - 1, end: at + 1 })
      return null
    }
    this.#scanner.at = literal.lastIndex
    return { kind: 'literal', text: this.#decoded(text, { start: at, end: this.#scanner.at }) }
  }

  #decoded(text: string, span: Span): string {
    try {
      return decodeURIComponent(text)
    } catch {
      this.problem('E032', `${text} is not encoded as in addresses.`, span)
      return text
    }
  }

  /** What follows the token in hand (if, return, =) up to the semicolon. */
  expression(): Expression {
    const start = this.token.end
    this.take()
    const tokens = this.#tokensUntil(null)
    const end = tokens.at(-1)?.end ?? start
    if (tokens.length === 0) this.problem('E033', 'A condition is missing here.', { start, end: start + 1 })
    return { tokens, start: tokens[0]?.start ?? start, end }
  }

  /** With `closing` the tokens inside a bracket, which stays in hand. */
  #tokensUntil(closing: string | null): Token[] {
    const tokens: Token[] = []
    const open: Token[] = []
    for (;;) {
      const token = this.token
      if (token.kind === 'end') break
      if (open.length === 0 && token.kind === 'sign') {
        if (closing === null ? [';', '}', ']', ')'].includes(token.text) : token.text === closing) break
      }
      if (token.text === ';' && token.kind === 'sign') break
      // Without its semicolon a condition would swallow what follows it.
      if (this.isBlockWord() && tokens.at(-1)?.text !== '.') break
      tokens.push(token)
      if (token.kind === 'sign' && closingOf[token.text]) {
        open.push(token)
        this.#step(tokens)
        continue
      }
      if (token.kind === 'sign' && [')', ']', '}'].includes(token.text)) {
        const opened = open.pop()
        if (opened && closingOf[opened.text] !== token.text) {
          this.problem('E034', `${opened.text} is closed by ${closingOf[opened.text]}, not by ${token.text}.`, token)
        }
      }
      this.take()
    }
    for (const one of open) this.problem('E035', `This ${one.text} is never closed.`, one)
    return tokens
  }

  /** Past an opening bracket; behind `get(` and `exists(` a path may stand, which is no CEL. */
  #step(tokens: Token[]): void {
    const [name, bracket] = tokens.slice(-2)
    const scanner = this.#scanner
    if (bracket?.text !== '(' || name?.kind !== 'name' || !lookups.has(name.text)) {
      this.take()
      return
    }
    const kept = scanner.at
    scanner.at = bracket.end
    scanner.skip()
    if (scanner.source[scanner.at] !== '/') {
      scanner.at = kept
      this.take()
      return
    }
    const start = scanner.at
    const segments = this.#path()
    tokens.push({
      kind: 'path',
      text: scanner.source.slice(start, this.last),
      start,
      end: this.last,
      segments,
    })
  }

  #path(): PathSegment[] {
    const scanner = this.#scanner
    const segments: PathSegment[] = []
    while (scanner.source[scanner.at] === '/') {
      scanner.at++
      if (scanner.source.startsWith('$(', scanner.at)) {
        scanner.at += 2
        const start = scanner.at
        this.token = scanner.next()
        const tokens = this.#tokensUntil(')')
        if (!this.isSign(')')) this.problem('E036', 'This $( is never closed.', { start: start - 2, end: start })
        scanner.at = this.token.kind === 'end' ? scanner.source.length : this.token.end
        segments.push({ expression: { tokens, start, end: tokens.at(-1)?.end ?? start } })
        continue
      }
      const literal = /\([^()/\s]*\)|[^/(){}$,;\s]+/y
      literal.lastIndex = scanner.at
      const text = literal.exec(scanner.source)?.[0]
      if (text === undefined) {
        const span = { start: scanner.at - 1, end: scanner.at }
        this.problem('E037', 'Behind / stands a name or $( … ).', span)
        break
      }
      segments.push({ literal: this.#decoded(text, { start: scanner.at, end: literal.lastIndex }) })
      scanner.at = literal.lastIndex
    }
    this.last = scanner.at
    this.token = scanner.next()
    return segments
  }
}
