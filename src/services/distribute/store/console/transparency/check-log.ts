import ed25519 from 'node-forge/lib/ed25519.js'
import sha256 from 'node-forge/lib/sha256.js'
import {
  checkpointText,
  fromBase64,
  fromHex,
  type Hash,
  hashLeaf,
  isConsistent,
  leafOf,
  rootOfInclusion,
  toHex,
} from '../../transparency/rules.ts'
import { type LogHead, type LogProof, logApi } from '../store-calls.ts'

// On plain http, where a first look at Loggia happens, browsers have no crypto.subtle.
const hash: Hash = bytes => {
  const digest = sha256.create().update(textOf(bytes)).digest().getBytes()
  return Uint8Array.from(digest, letter => letter.charCodeAt(0))
}

const pieceBytes = 1 << 20

/** The digest of a file, read piece by piece; `onProgress` hears percents. */
export async function digestOf(file: Blob, onProgress: (percent: number) => void): Promise<string> {
  const digest = sha256.create()
  for (let at = 0; at < file.size; at += pieceBytes) {
    digest.update(textOf(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer())))
    onProgress(Math.round((Math.min(at + pieceBytes, file.size) / file.size) * 100))
  }
  return digest.digest().toHex()
}

function textOf(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}

/** Whether the head is signed by the log's key, over exactly what it says. */
export function isSigned(head: LogHead): boolean {
  const [text = '', signed = ''] = head.checkpoint.split('\n\n')
  const [dash, name, note = ''] = signed.trim().split(' ')
  const expected = checkpointText({ origin: head.origin, size: head.size, root: fromHex(head.root), at: head.at })
  if (dash !== '—' || name !== head.origin || `${text}\n` !== expected) return false
  const signature = fromBase64(note).subarray(4)
  return ed25519.verify({ message: expected, encoding: 'utf8', signature, publicKey: fromBase64(head.publicKey) })
}

/** Whether the proof of a line leads to the root. */
export function isProven({ entry, proof }: LogProof, head: { size: number; root: string }): boolean {
  const place = { position: entry.position, size: head.size }
  const root = rootOfInclusion(hash, hashLeaf(hash, leafOf(entry)), place, proof.map(fromHex))
  return root !== null && toHex(root) === head.root
}

interface Remembered {
  publicKey: string
  size: number
  root: string
  at: number
}
const memoryName = 'loggia.store-log'

export type Growth = { state: 'first' } | { state: 'grown' | 'changed'; since: Remembered }

/** Compares the log with what this browser saw of it last, and remembers it when it only grew. */
export async function growthOf(head: LogHead): Promise<Growth> {
  const since = remembered()
  const growth: Growth = since
    ? { state: (await hasGrown(since, head)) ? 'grown' : 'changed', since }
    : { state: 'first' }
  const { publicKey, size, root, at } = head
  if (growth.state !== 'changed') localStorage.setItem(memoryName, JSON.stringify({ publicKey, size, root, at }))
  return growth
}

async function hasGrown(since: Remembered, head: LogHead): Promise<boolean> {
  if (since.publicKey !== head.publicKey || since.size > head.size) return false
  const { proof } = await logApi.proveConsistency({ query: { first: since.size, second: head.size } })
  const [older, newer] = [since, head].map(one => ({ size: one.size, root: fromHex(one.root) }))
  return older !== undefined && newer !== undefined && isConsistent(hash, older, newer, proof.map(fromHex))
}

function remembered(): Remembered | null {
  try {
    return JSON.parse(localStorage.getItem(memoryName) ?? 'null')
  } catch {
    return null
  }
}
