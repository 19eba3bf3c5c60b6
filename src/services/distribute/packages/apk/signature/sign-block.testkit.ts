import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import forge from 'node-forge'

/** A key with a self-signed certificate. */
export type TestSigner = { privateKey: KeyObject; certificate: Buffer; publicKey: Buffer }

/** One v3 or v3.1 signer: the API levels it is for, its lineage oldest first, and raw attributes. */
export type V3Signer = {
  signer: TestSigner
  minSdk: number
  maxSdk: number
  lineage?: TestSigner[]
  attributes?: Buffer[]
}

export const BLOCK_V2 = 0x7109871a
export const BLOCK_V3 = 0xf05368c0
export const BLOCK_V31 = 0x1b93ad61
const RSA_SHA256 = 0x0103
const ROTATION = 0x3ba06f8c

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
const prefixed = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length), body])
}
const list = (items: Buffer[]) => prefixed(...items.map(item => prefixed(item)))

/** An attribute of signed data. */
export const attribute = (id: number, value: Buffer) => Buffer.concat([u32(id), value])
export const rotationMinSdk = (sdk: number) => attribute(0x559f8b02, u32(sdk))
export const strippingProtection = (scheme: number) => attribute(0xbeeff00d, u32(scheme))

/** Makes a key and a certificate that names `commonName`. */
export function makeSigner(commonName: string): TestSigner {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs1' }).toString()
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ format: 'pem', type: 'spki' }).toString())
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date('2020-01-01')
  certificate.validity.notAfter = new Date('2050-01-01')
  certificate.setSubject([{ name: 'commonName', value: commonName }])
  certificate.setIssuer([{ name: 'commonName', value: commonName }])
  certificate.sign(forge.pki.privateKeyFromPem(pem), forge.md.sha256.create())
  const encoded = forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes()
  return {
    privateKey: createPrivateKey(pem),
    certificate: Buffer.from(encoded, 'latin1'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }),
  }
}

/** The content of a v2 block: pairs of id and value come from `insertBlock`. */
export function v2Block(zip: Buffer, signer: TestSigner, attributes: Buffer[] = []): Buffer {
  return list([signerRecord(signer, signedData(zip, signer, attributes), Buffer.alloc(0))])
}

/** The content of a v3 or v3.1 block. */
export function v3Block(zip: Buffer, signers: V3Signer[]): Buffer {
  return list(
    signers.map(({ signer, minSdk, maxSdk, lineage, attributes = [] }) => {
      const range = Buffer.concat([u32(minSdk), u32(maxSdk)])
      const proof = lineage ? [attribute(ROTATION, encodeLineage(lineage))] : []
      return signerRecord(signer, signedData(zip, signer, [...proof, ...attributes], range), range)
    }),
  )
}

function signedData(zip: Buffer, signer: TestSigner, attributes: Buffer[], range = Buffer.alloc(0)): Buffer {
  const digest = Buffer.concat([u32(RSA_SHA256), prefixed(contentDigest(zip))])
  return Buffer.concat([list([digest]), list([signer.certificate]), range, list(attributes)])
}

function signerRecord(signer: TestSigner, data: Buffer, range: Buffer): Buffer {
  const signature = Buffer.concat([u32(RSA_SHA256), prefixed(sign('sha256', data, signer.privateKey))])
  return Buffer.concat([prefixed(data), range, list([signature]), prefixed(signer.publicKey)])
}

/** A proof of rotation: each certificate is signed by the key before it. */
export function encodeLineage(chain: TestSigner[]): Buffer {
  const nodes = chain.map((signer, i) => {
    const data = Buffer.concat([prefixed(signer.certificate), u32(i === 0 ? 0 : RSA_SHA256)])
    const previous = chain[i - 1]
    const signature = previous ? sign('sha256', data, previous.privateKey) : Buffer.alloc(0)
    const nextAlgorithm = i + 1 < chain.length ? RSA_SHA256 : 0
    return Buffer.concat([prefixed(data), u32(0), u32(nextAlgorithm), prefixed(signature)])
  })
  return Buffer.concat([u32(1), ...nodes.map(node => prefixed(node))])
}

function directoryOffset(zip: Buffer): number {
  return zip.readUInt32LE(zip.length - 22 + 16)
}

function contentDigest(zip: Buffer): Buffer {
  const split = directoryOffset(zip)
  const end = zip.length - 22
  const chunks = [zip.subarray(0, split), zip.subarray(split, end), zip.subarray(end)].flatMap(section =>
    Array.from({ length: Math.ceil(section.length / (1 << 20)) }, (_, i) => section.subarray(i << 20, (i + 1) << 20)),
  )
  const hash = (prefix: number, count: number, bytes: Buffer) =>
    createHash('sha256')
      .update(Buffer.from([prefix]))
      .update(u32(count))
      .update(bytes)
      .digest()
  return hash(0x5a, chunks.length, Buffer.concat(chunks.map(chunk => hash(0xa5, chunk.length, chunk))))
}

/** Puts a signing block with these pairs before the central directory of an archive without a comment. */
export function insertBlock(zip: Buffer, pairs: [number, Buffer][]): Buffer {
  const encoded = Buffer.concat(
    pairs.map(([id, value]) => {
      const length = Buffer.alloc(8)
      length.writeBigUInt64LE(BigInt(value.length + 4))
      return Buffer.concat([length, u32(id), value])
    }),
  )
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(encoded.length + 24))
  const block = Buffer.concat([size, encoded, size, Buffer.from('APK Sig Block 42')])
  const split = directoryOffset(zip)
  const tail = Buffer.from(zip.subarray(split))
  tail.writeUInt32LE(split + block.length, tail.length - 22 + 16)
  return Buffer.concat([zip.subarray(0, split), block, tail])
}
