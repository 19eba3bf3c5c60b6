import { createHash, type KeyObject, sign } from 'node:crypto'
import { bytesOf, fromDer, oid, sequence, setOf, utf8, type Value, within } from './asn1.ts'

const attributes = { country: '2.5.4.6', organization: '2.5.4.10', unit: '2.5.4.11', common: '2.5.4.3' } as const

/** What X.509 allows each of them; longer ones are cut. */
const lengthMost = 64

/** Whom a certificate is of, in the order in which it is written. */
export type Name = Readonly<Partial<Record<keyof typeof attributes, string>>>

export function nameOf(name: Name): Value {
  const parts = Object.entries(name).map(([kind, text]) =>
    setOf(sequence(oid(attributes[kind as keyof typeof attributes]), utf8(shortened(text)))),
  )
  return sequence(...parts)
}

/** A text that fits into a name: at most so many characters, none of them half. */
export function shortened(text: string, most = lengthMost): string {
  return [...text.toWellFormed()].slice(0, most).join('')
}

export const ecdsaSha384 = '1.2.840.10045.4.3.3'
export const ecdsaWithSha384 = (): Value => sequence(oid(ecdsaSha384))
export const signSha384 = (bytes: Buffer, key: KeyObject): Buffer => sign('sha384', bytes, key)

/** Which key a certificate is of: RFC 7093, the first 160 bits of the SHA-256 of the key's bits. */
export function keyIdOf(publicKey: KeyObject): Buffer {
  const spki = fromDer(publicKey.export({ type: 'spki', format: 'der' }))
  const bits = bytesOf(within(spki ?? undefined)[1]).subarray(1)
  return createHash('sha256').update(bits).digest().subarray(0, 20)
}
