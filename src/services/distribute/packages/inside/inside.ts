import { parseBinaryXml, type XmlElement } from '../apk/binary-xml.ts'
import { resolveIcon } from '../apk/icon.ts'
import { parseManifest } from '../apk/manifest.ts'
import { nativeLibraries } from '../apk/native-libraries.ts'
import { ResourceFormatError } from '../apk/resource-chunk.ts'
import { parseResourceTable, type ResourceTable } from '../apk/resource-table.ts'
import { openArchive, type ZipArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'
import { type Application, applicationOf, type GuardedComponent, guardedComponents } from './guards.ts'
import { type Hardening, hardeningOf } from './hardening.ts'
import { manifestText } from './manifest-text.ts'
import { findSecrets, type Secret } from './secrets.ts'

/** What an Android package holds beyond what its row keeps. Parts that cannot be read are null or empty. */
export interface Inside {
  /** At most 400,000 characters. */
  manifestXml: string | null
  application: Application | null
  components: GuardedComponent[]
  icon: { path: string; width: number; height: number } | null
  /** Keys and passwords left in the files, masked. */
  secrets: Secret[]
  libraries: Hardening[]
  /** Files whose bytes are there more than once, the most wasteful first. */
  duplicates: { names: string[]; wastedBytes: number }[]
  fileCount: number
  compressedBytes: number
}

const manifestLimitBytes = 16 << 20
const resourcesLimitBytes = 256 << 20
const duplicateLimit = 20
const smallestDuplicateBytes = 4096

/** Reads the APK at `path`; null when it is no archive. Broken parts are left out. */
export async function readInside(path: string, signal?: AbortSignal): Promise<Inside | null> {
  const archive = await orNull(() => openArchive(path))
  if (!archive) return null
  try {
    const resources = await orNull(() => resourcesOf(archive))
    const root = await orNull(() => rootOf(archive))
    const manifest = root && (await orNull(async () => parseManifest(await manifestBytes(archive), resources)))
    const iconPath = manifest && (await resolveIcon(archive, resources, manifest.iconReference))
    return {
      manifestXml: root && manifestText(root),
      application: root && (await applicationOf(archive, root, resources)),
      components: root ? guardedComponents(root, resources) : [],
      icon: iconPath === null ? null : await iconSize(archive, iconPath),
      secrets: await findSecrets(archive, signal),
      libraries: await hardeningOf(archive, nativeLibraries(archive)),
      duplicates: duplicatesOf(archive),
      fileCount: archive.entries.length,
      compressedBytes: archive.entries.reduce((sum, entry) => sum + entry.compressedBytes, 0),
    }
  } finally {
    await archive.close()
  }
}

async function manifestBytes(archive: ZipArchive): Promise<Buffer> {
  const entry = archive.byName.get('AndroidManifest.xml')
  if (!entry) throw new ResourceFormatError('there is no manifest')
  return archive.readEntry(entry, manifestLimitBytes)
}

async function rootOf(archive: ZipArchive): Promise<XmlElement> {
  return parseBinaryXml(await manifestBytes(archive))
}

async function resourcesOf(archive: ZipArchive): Promise<ResourceTable | null> {
  const entry = archive.byName.get('resources.arsc')
  return entry ? parseResourceTable(await archive.readEntry(entry, resourcesLimitBytes)) : null
}

/** Width and height of a PNG by its header; 0 where it is another kind of picture. */
async function iconSize(archive: ZipArchive, path: string) {
  const entry = archive.byName.get(path)
  const head = entry ? await archive.readEntryHead(entry, 32) : Buffer.alloc(0)
  const isPng = head.length >= 24 && head.toString('latin1', 1, 4) === 'PNG'
  return { path, width: isPng ? head.readUInt32BE(16) : 0, height: isPng ? head.readUInt32BE(20) : 0 }
}

/** By checksum and length, as the directory tells them. */
function duplicatesOf(archive: ZipArchive): Inside['duplicates'] {
  const groups = Map.groupBy(
    archive.entries.filter(entry => entry.expandedBytes >= smallestDuplicateBytes),
    entry => `${entry.crc32} ${entry.expandedBytes}`,
  )
  return [...groups.values()]
    .filter(group => group.length > 1)
    .map(group => ({
      names: group.slice(0, 5).map(entry => entry.name.toWellFormed().slice(0, 300)),
      wastedBytes: group.slice(1).reduce((sum, entry) => sum + entry.compressedBytes, 0),
    }))
    .sort((a, b) => b.wastedBytes - a.wastedBytes)
    .slice(0, duplicateLimit)
}

/** Null when what is read is malformed; anything else that fails is thrown. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ResourceFormatError || error instanceof ZipRefusal || error instanceof RangeError) return null
    throw error
  }
}
