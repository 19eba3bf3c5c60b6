import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import { s3Errors } from './rules.ts'
import { hmac, type Signed, sha256 } from './signature.ts'

const mostLine = 8_192
const emptyHash = sha256('')

/**
 * Takes `aws-chunked` apart: a line with the size (and signature) of each chunk, its bytes, and behind the last one what
 * was promised as trailers. Each signature goes on from the one before, so none can be left out or put elsewhere.
 */
export class Chunks {
  readonly trailers = new Map<string, string>()
  readonly #signed: Signed
  readonly #isSigned: boolean
  readonly #hasTrailer: boolean
  #before: string
  #rest: Buffer = Buffer.alloc(0)
  #source: AsyncIterator<Buffer> | undefined

  constructor(signed: Signed) {
    this.#signed = signed
    this.#before = signed.signature
    this.#isSigned = signed.payload.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD')
    this.#hasTrailer = signed.payload.endsWith('-TRAILER')
    if (!this.#isSigned && signed.payload !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER')
      refuse(s3Errors.notHere, { operation: signed.payload.slice(0, 60) })
  }

  async *read(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.#source = source[Symbol.asyncIterator]()
    for (;;) {
      const [size = '', ...extensions] = (await this.#line()).split(';')
      if (!/^[0-9a-fA-F]{1,10}$/.test(size)) refuse(s3Errors.bodyCut)
      const sizeBytes = Number.parseInt(size, 16)
      const signature = extensions.find(one => one.startsWith('chunk-signature='))?.slice('chunk-signature='.length)
      const hash = this.#isSigned ? createHash('sha256') : null
      for (let left = sizeBytes; left > 0; ) {
        const bytes = await this.#some(left)
        left -= bytes.length
        hash?.update(bytes)
        yield bytes
      }
      if (hash) this.#prove(hash.digest('hex'), signature ?? '')
      if (sizeBytes === 0) break
      if ((await this.#line()) !== '') refuse(s3Errors.bodyCut)
    }
    if (this.#hasTrailer) await this.#readTrailers()
  }

  async #readTrailers(): Promise<void> {
    let signature: string | undefined
    let signedText = ''
    for (let lines = 0; lines < 20; lines++) {
      const line = await this.#line(true)
      if (line === '') break
      const at = line.indexOf(':')
      const [name, value] = [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
      if (name === 'x-amz-trailer-signature') signature = value
      else {
        this.trailers.set(name, value)
        signedText += `${name}:${value}\n`
      }
    }
    if (!this.#isSigned) return
    const { at, scope, signingKey } = this.#signed
    const text = ['AWS4-HMAC-SHA256-TRAILER', at, scope, this.#before, sha256(signedText)].join('\n')
    assertSame(hmac(signingKey, text), signature ?? '')
  }

  #prove(hash: string, signature: string): void {
    const { at, scope, signingKey } = this.#signed
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', at, scope, this.#before, emptyHash, hash].join('\n')
    assertSame(hmac(signingKey, text), signature)
    this.#before = signature
  }

  /** Up to the end of a line, without it. */
  async #line(mayEnd = false): Promise<string> {
    for (;;) {
      const at = this.#rest.indexOf('\r\n')
      if (at !== -1) {
        const line = this.#rest.subarray(0, at).toString('latin1')
        this.#rest = this.#rest.subarray(at + 2)
        return line
      }
      if (this.#rest.length > mostLine) refuse(s3Errors.bodyCut)
      if (await this.#more()) continue
      if (!mayEnd) refuse(s3Errors.bodyCut)
      const line = this.#rest.toString('latin1')
      this.#rest = Buffer.alloc(0)
      return line
    }
  }

  async #some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0 && !(await this.#more())) refuse(s3Errors.bodyCut)
    const bytes = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(bytes.length)
    return bytes
  }

  async #more(): Promise<boolean> {
    const next = await this.#source?.next()
    if (!next || next.done) return false
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value])
    return true
  }
}

function assertSame(expected: Buffer, signature: string): void {
  const sent = Buffer.from(signature, 'hex')
  if (sent.length !== expected.length || !timingSafeEqual(expected, sent)) refuse(s3Errors.chunkWrong)
}
