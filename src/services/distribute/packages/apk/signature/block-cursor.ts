import { SignatureFailure } from './problem.ts'

/** Reads the little-endian, length-prefixed fields of a signing block from front to back. */
export class BlockCursor {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  take(lengthBytes: number): Buffer {
    if (this.#at + lengthBytes > this.#bytes.length) throw new SignatureFailure('malformed', 'a field ends early')
    this.#at += lengthBytes
    return this.#bytes.subarray(this.#at - lengthBytes, this.#at)
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at)
  }

  u32(): number {
    return this.take(4).readUInt32LE(0)
  }

  /** A u32 length and that many bytes. */
  prefixed(): Buffer {
    return this.take(this.u32())
  }

  /** A length-prefixed sequence of length-prefixed items. */
  prefixedList(): Buffer[] {
    return prefixedItems(this.prefixed())
  }
}

/** The length-prefixed items that fill `bytes`. */
export function prefixedItems(bytes: Buffer): Buffer[] {
  const cursor = new BlockCursor(bytes)
  const items: Buffer[] = []
  while (!cursor.isAtEnd) items.push(cursor.prefixed())
  return items
}
