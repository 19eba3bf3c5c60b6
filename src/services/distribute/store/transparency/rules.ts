/**
 * The log of releases as RFC 6962 (2.1) builds its tree: what a leaf is, how proofs are put together, and how they are
 * checked. Runs on the server and in the browser; whoever calls brings SHA-256.
 */
export type Hash = (bytes: Uint8Array) => Uint8Array

/** What the log says of one package. */
export interface Release {
  packageName: string
  /** Decimal. */
  versionCode: string
  /** Of the package's bytes, lower-case hex. */
  sha256: string
  /** SHA-256 of the signing certificate, lower-case hex. */
  signer: string
  /** When it went on the shelf, epoch milliseconds. */
  at: number
}

/** The bytes of a leaf: JSON with its names in this order and no blanks. */
export function leafOf({ packageName, versionCode, sha256, signer, at }: Release): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ packageName, versionCode, sha256, signer, at }))
}

export function hashLeaf(hash: Hash, leaf: Uint8Array): Uint8Array {
  return hash(joined(Uint8Array.of(0), leaf))
}

export function hashNode(hash: Hash, left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(joined(Uint8Array.of(1), left, right))
}

/** A node all of whose leaves are there: those from `position * 2 ** level` on, `2 ** level` of them. */
export interface Node {
  level: number
  position: number
}

/** Leaves from `start` on, up to and without `end`. */
export type Range = readonly [start: number, end: number]

/** The whole nodes that a range is made of, from left to right. The start is a multiple of the range's largest node. */
export function nodesOf([start, end]: Range): Node[] {
  const nodes: Node[] = []
  for (let at = start; at < end; ) {
    let size = 1
    let level = 0
    while (at % (size * 2) === 0 && at + size * 2 <= end) {
      size *= 2
      level += 1
    }
    nodes.push({ level, position: at / size })
    at += size
  }
  return nodes
}

/** The hash of a range from the hashes of its whole nodes. */
export function foldNodes(hash: Hash, hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return hash(new Uint8Array())
  return hashes.reduceRight((right, left) => hashNode(hash, left, right))
}

/** The ranges whose hashes prove that a leaf is in the tree of this size. */
export function inclusionRanges(position: number, size: number): Range[] {
  const walk = (start: number, end: number): Range[] => {
    if (end - start === 1) return []
    const middle = start + largestPowerBelow(end - start)
    return position < middle ? [...walk(start, middle), [middle, end]] : [...walk(middle, end), [start, middle]]
  }
  return walk(0, size)
}

/** The ranges whose hashes prove that the tree of `first` leaves is the beginning of the one of `second`. */
export function consistencyRanges(first: number, second: number): Range[] {
  const walk = (start: number, end: number, upTo: number, isWhole: boolean): Range[] => {
    if (upTo === end) return isWhole ? [] : [[start, end]]
    const middle = start + largestPowerBelow(end - start)
    return upTo <= middle
      ? [...walk(start, middle, upTo, isWhole), [middle, end]]
      : [...walk(middle, end, upTo, false), [start, middle]]
  }
  return first === 0 || first === second ? [] : walk(0, second, first, true)
}

/** The root that a leaf's proof leads to; null for a proof of the wrong length. */
export function rootOfInclusion(
  hash: Hash,
  leafHash: Uint8Array,
  { position, size }: { position: number; size: number },
  proof: readonly Uint8Array[],
): Uint8Array | null {
  const ranges = position < size ? inclusionRanges(position, size) : null
  if (ranges?.length !== proof.length) return null
  return proof.reduce(
    (node, other, at) =>
      (ranges[at] as Range)[0] > position ? hashNode(hash, node, other) : hashNode(hash, other, node),
    leafHash,
  )
}

/** Whether the proof shows that nothing of the older tree was changed in the newer one. */
export function isConsistent(
  hash: Hash,
  older: { size: number; root: Uint8Array },
  newer: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (older.size > newer.size) return false
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root)
  if (older.size === 0) return proof.length === 0
  const ranges = consistencyRanges(older.size, newer.size)
  if (ranges.length !== proof.length) return false
  // Where the older tree is one whole node, its root is the first part and is left out of the proof.
  const isWhole = (ranges[0] as Range)[0] === older.size
  let start = isWhole ? 0 : (ranges[0] as Range)[0]
  let old = isWhole ? older.root : (proof[0] as Uint8Array)
  let whole = old
  for (let at = isWhole ? 0 : 1; at < proof.length; at++) {
    const part = proof[at] as Uint8Array
    const [from] = ranges[at] as Range
    if (from < start) {
      old = hashNode(hash, part, old)
      whole = hashNode(hash, part, whole)
      start = from
    } else {
      whole = hashNode(hash, whole, part)
    }
  }
  return isSame(old, older.root) && isSame(whole, newer.root)
}

/** The text that is signed: a checkpoint as public logs write it, its time as a line more. */
export function checkpointText(head: { origin: string; size: number; root: Uint8Array; at: number }): string {
  return `${head.origin}\n${head.size}\n${toBase64(head.root)}\ntime ${head.at}\n`
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
