const headBytes = 20
/** The length of each number, and the number. */
const bytesOfNumber = 12
const firstNumbers = 64
/** PostgreSQL's own number of the type `bigint`, and how long one is. */
const bigint = { oid: 20, bytes: 8 }
const twoTo32 = 2 ** 32

/** Whole numbers as PostgreSQL takes those of an array of `bigint`: each with its length, the most significant byte first. */
export class NumberColumn {
  #bytes = Buffer.allocUnsafeSlow(firstNumbers * bytesOfNumber)
  #at = 0
  count = 0

  /** @param value whole, and exact as a number */
  add(value: number): void {
    const at = this.#next()
    this.#bytes.writeInt32BE(Math.floor(value / twoTo32), at)
    this.#bytes.writeUInt32BE(value >>> 0, at + 4)
  }

  /** One that may be too large to be exact as a number. */
  addBig(value: bigint): void {
    const at = this.#next()
    this.#bytes.writeBigInt64BE(value, at)
  }

  /** What was added so far. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Where the next number is to be put. */
  #next(): number {
    if (this.#at + bytesOfNumber > this.#bytes.length) this.#grow()
    const at = this.#bytes.writeInt32BE(bigint.bytes, this.#at)
    this.#at += bytesOfNumber
    this.count++
    return at
  }

  #grow(): void {
    const bytes = Buffer.allocUnsafeSlow(this.#bytes.length * 2)
    this.#bytes.copy(bytes, 0, 0, this.#at)
    this.#bytes = bytes
  }
}

/**
 * Columns one after another as one array in its binary form (`array_recv`): of how many dimensions, whether any is null, of
 * which type, how many and from which index on; then the numbers.
 */
export function arrayOf(columns: readonly NumberColumn[]): Buffer {
  const head = Buffer.alloc(headBytes)
  const [dimensions, hasNulls, firstIndex] = [1, 0, 1]
  const count = columns.reduce((sum, column) => sum + column.count, 0)
  for (const [at, value] of [dimensions, hasNulls, bigint.oid, count, firstIndex].entries())
    head.writeInt32BE(value, at * 4)
  return Buffer.concat([head, ...columns.map(column => column.bytes)])
}
