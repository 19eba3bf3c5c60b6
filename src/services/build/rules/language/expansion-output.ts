import type { Span } from './syntax.ts'

interface Piece {
  /** Where it stands in the text for CEL. */
  at: number
  span: Span
}

const longest = 200_000

/** The text for CEL, and which place of the source each piece of it came from. */
export class Output {
  text = ''
  readonly #pieces: Piece[] = []
  /** Larger pieces that came from one place: a call with what it stands for. */
  readonly #covers: { from: number; to: number; span: Span }[] = []

  get length(): number {
    return this.text.length
  }

  get isFull(): boolean {
    return this.text.length > longest
  }

  put(text: string, span: Span): void {
    this.#pieces.push({ at: this.text.length, span })
    this.text += `${text} `
  }

  cover(from: number, span: Span): void {
    this.#covers.push({ from, to: this.text.length, span })
  }

  /** The call in the source that a part of the text stands for as a whole. */
  coverOf(from: number, to: number): Span | null {
    const isWhole = (one: { from: number; to: number }) =>
      one.from <= from && from <= one.from + 2 && to >= one.to - 3 && to <= one.to
    return this.#covers.find(isWhole)?.span ?? null
  }

  /** The place in the source of a part of the text. */
  spanOf(from: number, to: number): Span {
    const whole = this.coverOf(from, to)
    if (whole) return whole
    const first = this.#pieceAt(from)
    const last = this.#pieceAt(Math.max(from, to - 1))
    return { start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) }
  }

  #pieceAt(offset: number): Span {
    let low = 0
    let high = this.#pieces.length - 1
    if (high < 0) return { start: 0, end: 1 }
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#pieces[middle]!.at <= offset) low = middle
      else high = middle - 1
    }
    return this.#pieces[low]!.span
  }
}
