/** SHA-256 (FIPS 180-4), for where a hash is asked for within a line of thought: WebCrypto answers later, Node's is not in browsers. */
const primes = firstPrimes(64)
const rounds = Int32Array.from(primes, prime => fractionBits(Math.cbrt(prime)))
const start = Int32Array.from(primes.slice(0, 8), prime => fractionBits(Math.sqrt(prime)))
/** Signed words stay small integers for the engine. */
const schedule = new Int32Array(64)
const short = new Uint8Array(256)
const shortView = new DataView(short.buffer)
const utf8 = new TextEncoder()

function firstPrimes(many: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < many; candidate++) {
    if (found.every(prime => candidate % prime !== 0)) found.push(candidate)
  }
  return found
}

function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0
}

const turned = (value: number, bits: number) => (value >>> bits) | (value << (32 - bits))

/** The eight words of the digest of a text's UTF-8 bytes. */
export function sha256Words(text: string): Uint32Array {
  const state = start.slice()
  // Three bytes a character at most: what surely fits four blocks needs no buffer of its own.
  const isShort = text.length * 3 <= short.length - 9
  const bytes = isShort ? short.fill(0) : padded(text)
  const length = isShort ? utf8.encodeInto(text, short).written : utf8.encode(text).length
  const view = isShort ? shortView : new DataView(bytes.buffer)
  const size = ((length + 72) >>> 6) << 6
  bytes[length] = 0x80
  view.setUint32(size - 8, Math.floor(length / 2 ** 29))
  view.setUint32(size - 4, (length << 3) >>> 0)
  for (let at = 0; at < size; at += 64) mixBlock(state, view, at)
  return new Uint32Array(state.buffer)
}

function padded(text: string): Uint8Array<ArrayBuffer> {
  const bytes = utf8.encode(text)
  const whole = new Uint8Array(((bytes.length + 72) >>> 6) << 6)
  whole.set(bytes)
  return whole
}

function mixBlock(state: Int32Array, block: DataView, from: number): void {
  for (let at = 0; at < 16; at++) schedule[at] = block.getInt32(from + at * 4)
  for (let at = 16; at < 64; at++) {
    const two = schedule[at - 2]!
    const fifteen = schedule[at - 15]!
    const near = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10)
    const far = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3)
    schedule[at] = (near + schedule[at - 7]! + far + schedule[at - 16]!) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g)
    const most = (a & b) ^ (a & c) ^ (b & c)
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + rounds[at]! + schedule[at]!) | 0
    const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + other) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}
