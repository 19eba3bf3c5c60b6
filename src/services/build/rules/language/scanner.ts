import type { Comment, Problem, Token, TokenKind } from './syntax.ts'

const signs = ['&&', '||', '==', '!=', '<=', '>=']
const isNameStart = (char: string) => /[A-Za-z_]/.test(char)
const isNamePart = (char: string) => /[A-Za-z0-9_]/.test(char)

/** Reads tokens one at a time; the parser takes over where patterns and paths stand, which are no tokens. */
export class Scanner {
  readonly source: string
  readonly problems: Problem[] = []
  readonly comments: Comment[] = []
  at = 0

  constructor(source: string) {
    this.source = source
  }

  /** To the next token, past spaces and comments. */
  skip(): void {
    for (;;) {
      const rest = /\s*/y
      rest.lastIndex = this.at
      rest.exec(this.source)
      this.at = rest.lastIndex
      const two = this.source.slice(this.at, this.at + 2)
      if (two !== '//' && two !== '/*') return
      this.#comment(two)
    }
  }

  next(): Token {
    this.skip()
    const start = this.at
    const char = this.source[start]
    if (char === undefined) return this.#token('end', start)
    if (this.#stringBegins(start)) return this.#string(start)
    if (isNameStart(char)) {
      while (this.at < this.source.length && isNamePart(this.source[this.at]!)) this.at++
      return this.#token('name', start)
    }
    if (/[0-9]/.test(char)) {
      const number = /0[xX][0-9a-fA-F]+[uU]?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[uU]?/y
      number.lastIndex = start
      number.exec(this.source)
      this.at = number.lastIndex
      return this.#token('number', start)
    }
    const sign = signs.find(one => this.source.startsWith(one, start))
    this.at = start + (sign?.length ?? (this.source.codePointAt(start)! > 0xffff ? 2 : 1))
    return this.#token('sign', start)
  }

  #token(kind: TokenKind, start: number): Token {
    return { kind, text: this.source.slice(start, this.at), start, end: this.at }
  }

  #comment(opening: string): void {
    const start = this.at
    const closing = opening === '//' ? '\n' : '*/'
    const found = this.source.indexOf(closing, start + 2)
    if (found < 0 && opening === '/*') {
      this.problems.push({ code: 'E001', message: 'This comment has no end: write */.', start, end: start + 2 })
    }
    const isLine = opening === '//'
    this.at = found < 0 ? this.source.length : found + (isLine ? 0 : 2)
    const line = this.source.slice(this.source.lastIndexOf('\n', start - 1) + 1, start)
    // A path is looked at twice, once as tokens.
    if (start <= (this.comments.at(-1)?.start ?? -1)) return
    const isTrailing = line.trim() !== ''
    this.comments.push({ text: this.source.slice(start, this.at).trimEnd(), start, end: this.at, isTrailing })
  }

  #stringBegins(at: number): boolean {
    return /^(?:[rRbB]|[rR][bB]|[bB][rR])?["']/.test(this.source.slice(at, at + 3))
  }

  #string(start: number): Token {
    const prefix = /^[rRbB]*/.exec(this.source.slice(start, start + 2))![0]
    const isRaw = /r/i.test(prefix)
    let at = start + prefix.length
    const quote = this.source[at]!
    const isTriple = this.source.startsWith(quote.repeat(3), at)
    const closing = isTriple ? quote.repeat(3) : quote
    at += closing.length
    for (; at < this.source.length; at++) {
      if (this.source.startsWith(closing, at)) {
        this.at = at + closing.length
        return this.#token('string', start)
      }
      const char = this.source[at]
      if (char === '\n' && !isTriple) break
      if (char === '\\' && !isRaw) at++
    }
    this.at = Math.min(at, this.source.length)
    this.problems.push({ code: 'E002', message: `This text has no end: write ${closing}.`, start, end: this.at })
    return this.#token('string', start)
  }
}

/** Turns offsets into lines and columns from 1. */
export class Places {
  readonly #starts: number[] = [0]

  constructor(source: string) {
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  of(offset: number): { line: number; col: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, col: offset - this.#starts[low]! + 1 }
  }
}
