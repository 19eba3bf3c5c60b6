import { createHash } from 'node:crypto'
import type { ZipArchive } from '../zip.ts'
import type { ContentDigestKind } from './algorithms.ts'
import { verityDigest } from './verity.ts'

const CHUNK_BYTES = 1 << 20
const CHUNK_PREFIX = 0xa5
const TOP_PREFIX = 0x5a
const DIRECTORY_OFFSET_FIELD = 16

/** A part of the file that signatures cover; the end record comes from memory because one field of it is rewritten. */
export type Section = { lengthBytes: number; read(target: Buffer, offset: number): Promise<void> }

/** Entries, central directory, and the end record as it would be without a signing block. */
export async function signedSections(archive: ZipArchive, blockOffset: number): Promise<Section[]> {
  const { file, end } = archive
  const fromFile = (start: number, stop: number): Section => ({
    lengthBytes: stop - start,
    read: (target, offset) => file.readInto(target, start + offset),
  })
  const record = await file.read(end.endOffset, file.sizeBytes - end.endOffset)
  record.writeUInt32LE(blockOffset, DIRECTORY_OFFSET_FIELD)
  const fromMemory: Section = {
    lengthBytes: record.length,
    read: async (target, offset) => void record.copy(target, 0, offset, offset + target.length),
  }
  return [fromFile(0, blockOffset), fromFile(end.directoryOffset, end.endOffset), fromMemory]
}

/**
 * Computes the wanted digests of the whole package in one pass, one chunk of 1 MiB in memory and one being read.
 * `appended` is hashed after the digests of the chunks, as the signatures of HarmonyOS have it.
 */
export async function contentDigests(
  sections: Section[],
  kinds: Set<ContentDigestKind>,
  appended: readonly Buffer[] = [],
): Promise<Map<ContentDigestKind, Buffer>> {
  const chunked = (['sha256', 'sha384', 'sha512'] as const).filter(kind => kinds.has(kind))
  const verity = kinds.has('verity-sha256') ? verityDigest() : null
  const parts = new Map(chunked.map(kind => [kind, [] as Buffer[]]))
  const prefix = Buffer.alloc(5)
  for await (const chunk of readAhead(sections)) {
    prefix[0] = CHUNK_PREFIX
    prefix.writeUInt32LE(chunk.length, 1)
    for (const [kind, list] of parts) list.push(createHash(kind).update(prefix).update(chunk).digest())
    verity?.update(chunk)
  }
  const digests = new Map<ContentDigestKind, Buffer>()
  for (const [kind, list] of parts) {
    prefix[0] = TOP_PREFIX
    prefix.writeUInt32LE(list.length, 1)
    digests.set(
      kind,
      createHash(kind)
        .update(prefix)
        .update(Buffer.concat([...list, ...appended]))
        .digest(),
    )
  }
  if (verity) digests.set('verity-sha256', verity.digest())
  return digests
}

/** Yields the chunks in order; the next one is read while the caller works on this one. */
async function* readAhead(sections: Section[]): AsyncGenerator<Buffer> {
  const places = sections.flatMap(section => {
    const count = Math.ceil(section.lengthBytes / CHUNK_BYTES)
    return Array.from({ length: count }, (_, i) => ({ section, offset: i * CHUNK_BYTES }))
  })
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)]
  const load = async (index: number): Promise<Buffer> => {
    const place = places[index]
    const buffer = buffers[index % 2]
    if (!place || !buffer) return Buffer.alloc(0)
    const target = buffer.subarray(0, Math.min(CHUNK_BYTES, place.section.lengthBytes - place.offset))
    await place.section.read(target, place.offset)
    return target
  }
  let next = load(0)
  for (let index = 0; index < places.length; index++) {
    const chunk = await next
    next = load(index + 1)
    // A failed read must wait for its turn, not end the process as an unhandled rejection.
    next.catch(() => undefined)
    yield chunk
  }
}
