/** As of a few dozen calls; it grows with what they say. */
const firstBytes = 16 * 1024
/** Of one character of a JSON text, which is UTF-16 in memory. */
const mostBytesOfCharacter = 3

/** A JSON array that is put together row by row, outside of the heap: there it would outlive the quick collections. */
export class JsonRows {
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #at = this.#bytes.write('[')
  count = 0

  add(row: unknown): void {
    const text = JSON.stringify(row)
    const needed = this.#at + text.length * mostBytesOfCharacter + 2
    if (needed > this.#bytes.length) this.#grow(needed)
    if (this.count++ > 0) this.#at += this.#bytes.write(',', this.#at)
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** All of it. Nothing is added afterwards. */
  end(): Buffer {
    this.#bytes.write(']', this.#at)
    return this.#bytes.subarray(0, this.#at + 1)
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}
