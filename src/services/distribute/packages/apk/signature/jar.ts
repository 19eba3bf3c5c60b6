import type { ZipArchive } from '../zip.ts'
import { ZipRefusal } from '../zip-anomaly.ts'
import type { Certificate } from './certificate.ts'
import { expectedDigests, haveDigests } from './jar-digests.ts'
import { type JarSigner, verifyJarEntries } from './jar-entries.ts'
import { type JarManifest, type JarSection, parseJarManifest } from './jar-manifest.ts'
import { verifyPkcs7 } from './pkcs7.ts'
import { problemOf, SignatureFailure, type SignatureProblem } from './problem.ts'

/** What JAR signing came to: the certificates that signed every entry. */
export type JarResult = { certificates: Certificate[]; errors: SignatureProblem[]; warnings: SignatureProblem[] }

/** For which devices, and which newer schemes (2, 3) were found in the file. */
export type JarContext = { minSdk: number; foundSchemes: Set<number> }

const META = 'META-INF/'
const MANIFEST = 'META-INF/MANIFEST.MF'
const META_LIMIT_BYTES = 64 << 20
const KNOWN_SCHEMES = [2, 3]

/** Verifies the v1 signature of an archive the way the oldest and newest targeted devices would. */
export async function verifyJar(archive: ZipArchive, context: JarContext): Promise<JarResult> {
  const result: JarResult = { certificates: [], errors: [], warnings: [] }
  try {
    const manifestBytes = await readMeta(archive, MANIFEST)
    if (!manifestBytes) throw new SignatureFailure('no-signature', 'META-INF/MANIFEST.MF is missing')
    const manifest = parseJarManifest(manifestBytes)
    const sections = namedSections(manifest, MANIFEST)
    const missing = [...sections.keys()].find(name => !archive.byName.has(name))
    if (missing !== undefined)
      throw new SignatureFailure('entry-missing', `${missing} is signed but not in the package`)
    const signers: JarSigner[] = []
    for (const block of await signatureBlocks(archive)) {
      const certificate = verifyPkcs7(block.signature, block.signatureFile, context.minSdk)
      const entryNames = verifySignatureFile(block.signatureFile, manifestBytes, manifest, sections, context)
      signers.push({ name: block.name, certificate, entryNames })
    }
    if (signers.length === 0) throw new SignatureFailure('no-signature', 'there is no JAR signature')
    const used = await verifyJarEntries(archive, sections, signers, context.minSdk)
    result.certificates = used.map(({ certificate }) => certificate)
    result.warnings.push(...unprotected(archive))
  } catch (error) {
    const failure = error instanceof ZipRefusal ? new SignatureFailure('malformed', error.message) : error
    result.errors.push(problemOf('v1', failure))
  }
  return result
}

async function readMeta(archive: ZipArchive, name: string): Promise<Buffer | null> {
  const entry = archive.byName.get(name)
  return entry ? archive.readEntry(entry, META_LIMIT_BYTES) : null
}

async function signatureBlocks(archive: ZipArchive) {
  const blocks: { name: string; signature: Buffer; signatureFile: Buffer }[] = []
  for (const { name } of archive.entries) {
    if (!name.startsWith(META) || !/\.(RSA|DSA|EC)$/.test(name)) continue
    const signatureFile = await readMeta(archive, name.replace(/\.[^.]*$/, '.SF'))
    const signature = await readMeta(archive, name)
    if (signatureFile && signature) blocks.push({ name, signature, signatureFile })
  }
  return blocks
}

/** The sections by the entry they name; a section without a name, or a name used twice, is refused. */
function namedSections(manifest: JarManifest, file: string): Map<string, JarSection> {
  const sections = new Map<string, JarSection>()
  for (const section of manifest.sections) {
    const name = section.attributes.get('name')
    if (name === undefined) throw new SignatureFailure('malformed', `a section of ${file} has no name`)
    if (sections.has(name)) throw new SignatureFailure('malformed', `${file} has two sections for ${name}`)
    sections.set(name, section)
  }
  return sections
}

/** Answers the entries the signature file speaks for; throws SignatureFailure when it does not fit the manifest. */
function verifySignatureFile(
  bytes: Buffer,
  manifestBytes: Buffer,
  manifest: JarManifest,
  manifestSections: Map<string, JarSection>,
  context: JarContext,
): Set<string> {
  const file = parseJarManifest(bytes)
  const { attributes } = file.main
  if (!attributes.has('signature-version')) throw new SignatureFailure('malformed', 'a .SF file has no version')
  checkNotStripped(attributes.get('x-android-apk-signed'), context.foundSchemes)
  const isBySigntool = attributes.get('created-by')?.includes('signtool') ?? false
  const whole = expectedDigests(file.main, isBySigntool ? '-digest' : '-digest-manifest', context.minSdk)
  const isWholeVerified = whole.length > 0 && haveDigests(manifestBytes, whole)
  const main = isBySigntool ? [] : expectedDigests(file.main, '-digest-manifest-main-attributes', context.minSdk)
  if (!haveDigests(manifest.main.bytes, main)) {
    throw new SignatureFailure('digest-mismatch', 'the main attributes of META-INF/MANIFEST.MF were changed')
  }
  const sections = namedSections(file, 'a .SF file')
  if (!isWholeVerified) {
    for (const [name, section] of sections) {
      const digests = expectedDigests(section, '-digest', context.minSdk)
      const covered = manifestSections.get(name)?.bytes
      const isVerified = covered && digests.length > 0 && haveDigests(sectionBytes(covered, isBySigntool), digests)
      if (!isVerified) throw new SignatureFailure('digest-mismatch', `the manifest section of ${name} was changed`)
    }
  }
  return new Set(sections.keys())
}

/** signtool leaves the empty line that ends a section out of its digest. */
function sectionBytes(bytes: Buffer, isBySigntool: boolean): Buffer {
  return isBySigntool && bytes.toString('latin1', bytes.length - 2) === '\n\n' ? bytes.subarray(0, -1) : bytes
}

function checkNotStripped(claim: string | undefined, foundSchemes: Set<number>): void {
  const claimed = (claim ?? '').split(',').map(part => Number(part.trim()))
  const missing = claimed.find(scheme => KNOWN_SCHEMES.includes(scheme) && !foundSchemes.has(scheme))
  if (missing !== undefined) {
    throw new SignatureFailure('stripped', `the v1 signature says that a v${missing} signature was there; it is gone`)
  }
}

/** Files in META-INF that are not part of the signature are covered by no v1 digest. */
function unprotected(archive: ZipArchive): SignatureProblem[] {
  const names = archive.entries
    .map(({ name }) => name)
    .filter(
      name => name.startsWith(META) && name !== MANIFEST && !/\.(SF|RSA|DSA|EC)$/.test(name) && !name.endsWith('/'),
    )
  const [first] = names
  if (first === undefined) return []
  const detail = `${names.length} files in META-INF are not protected by the v1 signature, first ${first}`
  return [{ scheme: 'v1', reason: 'unknown-content', detail }]
}
