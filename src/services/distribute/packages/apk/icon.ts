import { parseBinaryXml, type XmlElement } from './binary-xml.ts'
import { androidAttribute, isReference } from './manifest-values.ts'
import type { ResourceTable } from './resource-table.ts'
import type { ZipArchive } from './zip.ts'
import type { ZipEntry } from './zip-directory.ts'

type Candidate = { entry: ZipEntry; density: number }

const XML_LIMIT_BYTES = 1 << 20
const DEPTH_LIMIT = 4
/** Densities that stand for "any", not for a size. */
const DENSITY_ANY_FIRST = 0xfffe
const SNIFF_BYTES = 16
const SNIFF_LIMIT = 16

/**
 * The path of the largest bitmap (PNG or WEBP) an icon resource stands for; of an adaptive icon the largest bitmap of
 * its foreground. Null when there is none; an icon never fails a package, so nothing is thrown.
 */
export async function resolveIcon(
  archive: ZipArchive,
  resources: ResourceTable | null,
  reference: number | string | null,
): Promise<string | null> {
  try {
    return await largestBitmap(archive, resources, reference, DEPTH_LIMIT)
  } catch {
    return null
  }
}

async function largestBitmap(
  archive: ZipArchive,
  resources: ResourceTable | null,
  reference: number | string | null,
  depth: number,
): Promise<string | null> {
  const candidates = candidatesOf(archive, resources, reference)
  for (const { entry } of candidates.slice(0, SNIFF_LIMIT)) if (await isBitmap(archive, entry)) return entry.name
  if (depth === 0) return null
  for (const { entry } of candidates.slice(0, SNIFF_LIMIT)) {
    const drawable = foregroundOf(parseBinaryXml(await archive.readEntry(entry, XML_LIMIT_BYTES)))
    const path = drawable && (await largestBitmap(archive, resources, drawable, depth - 1))
    if (path) return path
  }
  return null
}

function candidatesOf(archive: ZipArchive, resources: ResourceTable | null, reference: number | string | null) {
  const files =
    typeof reference === 'number'
      ? (resources?.variants(reference) ?? []).map(({ text, config }) => ({ path: text, density: config.density }))
      : [{ path: reference, density: 0 }]
  const candidates = files.flatMap(({ path, density }): Candidate[] => {
    const entry = path === null ? undefined : archive.byName.get(path)
    return entry ? [{ entry, density: density >= DENSITY_ANY_FIRST ? 0 : density }] : []
  })
  return candidates.sort((a, b) => b.density - a.density || b.entry.expandedBytes - a.entry.expandedBytes)
}

async function isBitmap(archive: ZipArchive, entry: ZipEntry): Promise<boolean> {
  const head = await archive.readEntryHead(entry, SNIFF_BYTES)
  const isPng = head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'
  return isPng || (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
}

/** The drawable an XML icon draws in front: an adaptive icon's foreground, or the first drawable of any other. */
function foregroundOf(root: XmlElement): number | null {
  const front = root.name === 'adaptive-icon' ? root.children.find(child => child.name === 'foreground') : root
  return front ? firstDrawable(front) : null
}

function firstDrawable(element: XmlElement): number | null {
  const attribute = androidAttribute(element, 'drawable') ?? androidAttribute(element, 'src')
  if (attribute && isReference(attribute)) return attribute.data
  for (const child of element.children) {
    const found = firstDrawable(child)
    if (found !== null) return found
  }
  return null
}
