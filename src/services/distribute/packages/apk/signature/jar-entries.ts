import { createHash } from 'node:crypto'
import type { ZipArchive } from '../zip.ts'
import type { ZipEntry } from '../zip-directory.ts'
import type { Certificate } from './certificate.ts'
import { expectedDigests, type JarDigest } from './jar-digests.ts'
import type { JarSection } from './jar-manifest.ts'
import { SignatureFailure } from './problem.ts'

/** A signature file whose PKCS#7 block verifies, with the entries it speaks for. */
export type JarSigner = { name: string; certificate: Certificate; entryNames: Set<string> }

/**
 * Compares every entry with its digest in the manifest. Answers the signers, who must be the same for all entries;
 * throws SignatureFailure otherwise.
 */
export async function verifyJarEntries(
  archive: ZipArchive,
  sections: Map<string, JarSection>,
  signers: JarSigner[],
  minSdk: number,
): Promise<JarSigner[]> {
  let first: JarSigner[] | undefined
  for (const entry of archive.entries.toSorted((a, b) => a.headerOffset - b.headerOffset)) {
    const { name } = entry
    // Unlike the JAR specification, Android leaves everything in META-INF and all folders out.
    if (name.startsWith('META-INF/') || name.endsWith('/')) continue
    const section = sections.get(name)
    if (!section) throw new SignatureFailure('entry-not-signed', `${name} is not in META-INF/MANIFEST.MF`)
    const entrySigners = signers.filter(({ entryNames }) => entryNames.has(name))
    if (entrySigners.length === 0) throw new SignatureFailure('entry-not-signed', `${name} is not signed`)
    first ??= entrySigners
    if (first.length !== entrySigners.length || first.some(signer => !entrySigners.includes(signer))) {
      throw new SignatureFailure('signer-mismatch', `${name} is signed by others than the entries before it`)
    }
    const digests = expectedDigests(section, '-digest', minSdk)
    if (digests.length === 0) throw new SignatureFailure('entry-not-signed', `${name} has no digest that devices know`)
    await checkEntry(archive, entry, digests)
  }
  if (!first) throw new SignatureFailure('entry-not-signed', 'no entry is signed')
  return first
}

async function checkEntry(archive: ZipArchive, entry: ZipEntry, digests: JarDigest[]): Promise<void> {
  const hashes = digests.map(({ hash, value }) => ({ hash: createHash(hash), value }))
  for await (const chunk of archive.streamEntry(entry)) for (const { hash } of hashes) hash.update(chunk)
  if (hashes.some(({ hash, value }) => !hash.digest().equals(value))) {
    throw new SignatureFailure('digest-mismatch', `${entry.name} was changed after it was signed`)
  }
}
