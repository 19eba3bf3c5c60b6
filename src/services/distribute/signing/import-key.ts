import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { refuse } from '../../../kernel/errors.ts'
import { readCertificate, readPrivateKey } from './certificates.ts'
import { signing } from './contract.ts'
import type { MadeKey } from './make-certificate.ts'

const { asn1, pki } = forge

/** What is inside an import, once opened. */
interface Content {
  format: 'PKCS12' | 'PKCS8'
  /** base64. */
  data: string
  password?: string
  /** Which of several keys in a store. */
  alias?: string
  /** PEM, for PKCS#8. */
  certificate?: string
}

/** The key and certificate of an opened import. Refuses 422 with the reason. */
export function readImport(content: Readonly<Record<string, unknown>>): MadeKey {
  const { format, data, password, alias, certificate } = content as Partial<Content>
  const isText = (value: unknown) => value === undefined || typeof value === 'string'
  if (typeof data !== 'string' || ![password, alias, certificate].every(isText)) {
    return unreadable('data, password, alias and certificate are texts')
  }
  const bytes = Buffer.from(data, 'base64')
  if (format === 'PKCS12') return fromStore(bytes, password ?? '', alias)
  if (format !== 'PKCS8') return unreadable('format is PKCS12 or PKCS8')
  const key = readPrivateKey(bytes, password)
  if (!key) return unreadable('it is no PKCS#8 key, or the password is another')
  if (certificate === undefined) return unreadable('with PKCS8 the certificate comes as PEM')
  return joined(key, readCertificate(certificate, '/encryptedKey'))
}

function unreadable(reason: string): never {
  return refuse(signing.errors.importUnreadable, { reason })
}

function joined(key: KeyObject, certificate: X509Certificate): MadeKey {
  if (!certificate.checkPrivateKey(key)) unreadable('the certificate is of another key')
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: certificate.toString(),
  }
}

function fromStore(bytes: Buffer, password: string, alias: string | undefined): MadeKey {
  const store = openStore(bytes, password)
  if (!store) return unreadable('it is no PKCS#12 file, or the password is another')
  const bagsOf = (type: string) => store.getBags({ bagType: type })[type] ?? []
  const { oids } = pki
  const names = (bag: forge.pkcs12.Bag) =>
    ((bag.attributes as { friendlyName?: string[] } | undefined)?.friendlyName ?? []).map(one => one.toLowerCase())
  const keys = [...bagsOf(oids['pkcs8ShroudedKeyBag'] as string), ...bagsOf(oids['keyBag'] as string)]
  const wanted = alias === undefined ? keys : keys.filter(bag => names(bag).includes(alias.toLowerCase()))
  const [bag] = wanted
  if (bag === undefined) return unreadable(keys.length === 0 ? 'there is no key in it' : 'no key in it has that alias')
  if (wanted.length > 1) return unreadable('there are several keys in it; name the alias of one')
  const key = keyOfBag(bag)
  const certificates = bagsOf(oids['certBag'] as string).flatMap(one => certificateOfBag(one) ?? [])
  const own = certificates.find(one => one.checkPrivateKey(key))
  return own ? joined(key, own) : unreadable('there is no certificate of the key in it')
}

function openStore(bytes: Buffer, password: string): forge.pkcs12.Pkcs12Pfx | null {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1.fromDer(bytes.toString('binary')), password)
  } catch {
    return null
  }
}

/** forge reads RSA itself and leaves every other kind as it was written. */
function keyOfBag(bag: forge.pkcs12.Bag): KeyObject {
  try {
    if (bag.key) return createPrivateKey(pki.privateKeyToPem(bag.key))
    const bytes = Buffer.from(asn1.toDer(bag.asn1).getBytes(), 'binary')
    return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
  } catch {
    return unreadable('the key in it is of an unknown kind')
  }
}

function certificateOfBag(bag: forge.pkcs12.Bag): X509Certificate | null {
  try {
    const read = bag.cert ? pki.certificateToAsn1(bag.cert) : bag.asn1
    return new X509Certificate(Buffer.from(asn1.toDer(read).getBytes(), 'binary'))
  } catch {
    return null
  }
}
