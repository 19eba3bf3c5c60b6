/** Texts longer than this are copied by V8 faster than unit by unit. */
const shortUnits = 128
/** One for all: whoever writes is done before anybody else begins. */
const scratch = Buffer.allocUnsafe(65_536)

/**
 * Puts many short pieces together into one JSON text. Pieces of Latin characters are written into memory as bytes, which
 * costs less than adding strings: V8 keeps each sum as a pair and walks all pairs at the end.
 */
export class JsonText {
  #before = ''
  #at = 0

  /** How long it is so far, in characters. */
  get length(): number {
    return this.#before.length + this.#at
  }

  /** Adds JSON as it is. */
  json(piece: string): void {
    if (!this.#canCopy(piece)) this.#aside(piece)
  }

  /** Adds a text as a JSON string. */
  string(text: string): void {
    if (!this.#canQuote(text)) this.#aside(JSON.stringify(text))
  }

  toString(): string {
    this.#settle()
    return this.#before
  }

  #canCopy(piece: string): boolean {
    const start = this.#roomFor(piece.length)
    if (start === null) return false
    let seen = 0
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      seen |= unit
      scratch[start + at] = unit
    }
    if (seen > 0xff) return false
    this.#at = start + piece.length
    return true
  }

  #canQuote(text: string): boolean {
    const quote = this.#roomFor(text.length + 2)
    if (quote === null) return false
    const start = quote + 1
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit > 0xff || unit < 0x20 || unit === 0x22 || unit === 0x5c) return false
      scratch[start + at] = unit
    }
    const end = start + text.length
    scratch[quote] = 0x22
    scratch[end] = 0x22
    this.#at = end + 1
    return true
  }

  /** Where a piece of so many units begins; null where it is no short one. */
  #roomFor(units: number): number | null {
    if (units > shortUnits) return null
    if (this.#at + units > scratch.length) this.#settle()
    return this.#at
  }

  /** What is no short piece of Latin characters stands as a string of its own. */
  #aside(piece: string): void {
    this.#settle()
    this.#before += piece
  }

  #settle(): void {
    if (this.#at === 0) return
    this.#before += scratch.toString('latin1', 0, this.#at)
    this.#at = 0
  }
}
