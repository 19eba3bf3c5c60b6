import { createHash, verify, X509Certificate } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import forge from 'node-forge'
import yauzl from 'yauzl'

const openZip = promisify((bytes: Buffer, done: (error: Error | null, zip?: yauzl.ZipFile) => void) =>
  yauzl.fromBuffer(bytes, { lazyEntries: false, autoClose: false }, done as never),
) as (bytes: Buffer) => Promise<yauzl.ZipFile>

/** The files of a zip, in its order. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await openZip(bytes)
  const entries: yauzl.Entry[] = []
  zip.on('entry', entry => entries.push(entry))
  await new Promise((resolve, reject) => zip.on('end', resolve).on('error', reject))
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
      zip.openReadStream(entry, (error, found) => (error ? reject(error) : resolve(found as NodeJS.ReadableStream))),
    )
    files.set(entry.fileName, await buffer(stream as never))
  }
  return files
}

/** Checks a JAR as its readers do, from the file up to the certificate; throws when a step does not hold. */
export async function checkJar(jar: Buffer, fileName: string): Promise<{ body: Buffer; fingerprint: string }> {
  const files = await readZip(jar)
  const names = [...files.keys()]
  if (names[0] !== 'META-INF/MANIFEST.MF') throw new Error('the manifest does not come first')
  if (names.filter(name => /\.(RSA|DSA|EC)$/.test(name)).length !== 1) throw new Error('not one signature block')
  const at = (name: string) => files.get(name) ?? fail(`${name} is missing`)
  const manifest = at('META-INF/MANIFEST.MF').toString()
  const signatureFile = at('META-INF/1.SF')
  const body = at(fileName)
  const sections = manifest.split(/(?<=\r\n\r\n)/)
  const section = sections.find(one => one.startsWith(`Name: ${fileName}\r\n`)) ?? fail('the manifest has no section')
  expectLine(section, `SHA-256-Digest: ${digest(body)}`)
  expectLine(signatureFile.toString(), `SHA-256-Digest-Manifest: ${digest(manifest)}`)
  expectLine(signatureFile.toString(), `SHA-256-Digest: ${digest(section)}`)
  const block = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(at('META-INF/1.RSA').toString('binary')))
  const { certificates, rawCapture } = block as forge.pkcs7.PkcsSignedData & { rawCapture: { signature: string } }
  if (certificates.length !== 1) throw new Error('not one certificate')
  const der = forge.asn1.toDer(forge.pki.certificateToAsn1(certificates[0] as forge.pki.Certificate)).getBytes()
  const certificate = new X509Certificate(Buffer.from(der, 'binary'))
  const isSigned = verify('sha256', signatureFile, certificate.publicKey, Buffer.from(rawCapture.signature, 'binary'))
  if (!isSigned) throw new Error('the signature does not verify')
  return { body, fingerprint: certificate.fingerprint256.replaceAll(':', '') }
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64')

function expectLine(text: string, line: string): void {
  if (!text.split('\r\n').includes(line)) throw new Error(`the line is not there: ${line}`)
}

function fail(reason: string): never {
  throw new Error(reason)
}
