import { createSign, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import forge from 'node-forge'
import type { KeyKind } from './contract.ts'

const { asn1 } = forge
/** Not in the types, though forge documents it. */
const { getTBSCertificate } = forge.pki as unknown as {
  getTBSCertificate(certificate: forge.pki.Certificate): forge.asn1.Asn1
}
const makeKeyPair = promisify(generateKeyPair)
const yearMs = 365 * 86_400_000
const oids = { RSA: '1.2.840.113549.1.1.11', EC: '1.2.840.10045.4.3.2' } as const

/** A key with its own certificate, both PEM. */
export interface MadeKey {
  privateKey: string
  certificate: string
}

/** A new key of an app. The certificate holds thirty years: devices refuse an update whose certificate ran out. */
export async function makeSigningKey(kind: KeyKind | 'RSA3072', commonName: string, now: number): Promise<MadeKey> {
  const { privateKey, publicKey } =
    kind === 'EC_P256'
      ? await makeKeyPair('ec', { namedCurve: 'prime256v1' })
      : await makeKeyPair('rsa', { modulusLength: kind === 'RSA4096' ? 4096 : 3072 })
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: selfSigned(privateKey, publicKey, commonName, now),
  }
}

/** forge knows no elliptic curves, so it makes the parts, and Node's crypto signs them. */
function selfSigned(privateKey: KeyObject, publicKey: KeyObject, commonName: string, now: number): string {
  const frame = forge.pki.createCertificate()
  frame.serialNumber = `01${randomBytes(8).toString('hex')}`
  frame.validity.notBefore = new Date(now - 86_400_000)
  frame.validity.notAfter = new Date(now + 30 * yearMs)
  const names = [
    { name: 'commonName', value: commonName },
    { name: 'organizationName', value: 'Loggia' },
  ]
  frame.setSubject(names)
  frame.setIssuer(names)
  // Any algorithm and key serve: the real ones take their places below.
  frame.siginfo.algorithmOid = oids.RSA
  frame.publicKey = forge.pki.setRsaPublicKey(new forge.jsbn.BigInteger('3'), new forge.jsbn.BigInteger('3'))
  const body = getTBSCertificate(frame)
  const algorithm = () => algorithmOf(privateKey.asymmetricKeyType === 'rsa' ? 'RSA' : 'EC')
  const fields = body.value as forge.asn1.Asn1[]
  fields[2] = algorithm()
  fields[6] = asn1.fromDer(publicKey.export({ type: 'spki', format: 'der' }).toString('binary'))
  const signed = Buffer.from(asn1.toDer(body).getBytes(), 'binary')
  const signature = createSign('sha256').update(signed).sign(privateKey)
  const bits = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BITSTRING, false, `\0${signature.toString('binary')}`)
  const whole = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [body, algorithm(), bits])
  return forge.pem.encode({ type: 'CERTIFICATE', body: asn1.toDer(whole).getBytes() } as forge.pem.ObjectPEM)
}

function algorithmOf(kind: keyof typeof oids): forge.asn1.Asn1 {
  const oid = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(oids[kind]).getBytes())
  // RFC 3279: RSA has a NULL for its parameters, ECDSA has none.
  const parameters = kind === 'RSA' ? [asn1.create(asn1.Class.UNIVERSAL, asn1.Type.NULL, false, '')] : []
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [oid, ...parameters])
}
