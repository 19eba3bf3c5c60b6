import { createHash, sign } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import forge from 'node-forge'
import { ZipFile } from 'yazl'
import type { SigningKey } from './signing-key.ts'

/**
 * One file in a JAR signed by one signer with SHA-256, as F-Droid clients want it. The same file and key give the same
 * bytes: no time of signing, no times in the archive.
 */
export function signedJar(name: string, body: Buffer, key: SigningKey): Promise<Buffer> {
  const add = (zip: ZipFile) => zip.addBuffer(body, name, { ...fixed, compress: true })
  return buffer(jarStream(name, { digest: digest(body), add }, key))
}

/** The same over a file, in a stream; `sha256` is hex. */
export function signedJarOfFile(name: string, file: { path: string; sha256: string }, key: SigningKey): Readable {
  const add = (zip: ZipFile) => zip.addFile(file.path, name, { ...fixed, compress: true })
  return jarStream(name, { digest: Buffer.from(file.sha256, 'hex').toString('base64'), add }, key)
}

const fixed = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true }

function jarStream(name: string, body: { digest: string; add: (zip: ZipFile) => void }, key: SigningKey): Readable {
  const section = `Name: ${name}\r\nSHA-256-Digest: ${body.digest}\r\n\r\n`
  const head = 'Manifest-Version: 1.0\r\nCreated-By: Loggia\r\n\r\n'
  const manifest = head + section
  const signatureFile = [
    'Signature-Version: 1.0',
    `SHA-256-Digest-Manifest: ${digest(manifest)}`,
    `SHA-256-Digest-Manifest-Main-Attributes: ${digest(head)}`,
    'Created-By: Loggia',
    '',
    `Name: ${name}`,
    `SHA-256-Digest: ${digest(section)}`,
    '',
    '',
  ].join('\r\n')
  const zip = new ZipFile()
  const add = (path: string, text: Buffer) => zip.addBuffer(text, path, { ...fixed, compress: false })
  add('META-INF/MANIFEST.MF', Buffer.from(manifest))
  add('META-INF/1.SF', Buffer.from(signatureFile))
  add('META-INF/1.RSA', signatureBlock(Buffer.from(signatureFile), key))
  body.add(zip)
  zip.end()
  return zip.outputStream as Readable
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64')

/** PKCS#7 over the signature file, the certificate inside and no attributes. */
function signatureBlock(signatureFile: Buffer, key: SigningKey): Buffer {
  const certificate = forge.pki.certificateFromAsn1(forge.asn1.fromDer(key.certificate.toString('binary')))
  const signed = forge.pkcs7.createSignedData()
  signed.content = forge.util.createBuffer(signatureFile.toString('binary'))
  signed.addCertificate(certificate)
  // The library's own RSA is slow enough to hold up the process; it only needs something that signs.
  const signer = { sign: () => sign('sha256', signatureFile, key.privateKey).toString('binary') }
  const oid = forge.pki.oids as Record<string, string>
  signed.addSigner({
    key: signer as unknown as forge.pki.rsa.PrivateKey,
    certificate,
    digestAlgorithm: oid['sha256'] as string,
    authenticatedAttributes: [],
  })
  signed.sign({ detached: true })
  return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), 'binary')
}
