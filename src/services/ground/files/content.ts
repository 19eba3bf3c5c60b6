import type { Readable } from 'node:stream'
import type { BytesEngine, StoredBytes } from '../../../server/engines/bytes/port.ts'
import { type Content, isZip, sniff } from './sniff.ts'

const headBytes = 65_536
/** Where the pictures in front of a JPEG's own header end at the latest. */
const longHeadBytes = 1_048_576

/** Looks at the first and last bytes of a stored file. */
export async function findOut(engine: BytesEngine, stored: StoredBytes): Promise<Content> {
  const { sha256, sizeBytes } = stored
  const read = (start: number, end: number) => engine.read(sha256, { start, end }).then(toBuffer)
  const head = await read(0, Math.min(sizeBytes, headBytes) - 1)
  const tail =
    isZip(head) && sizeBytes > headBytes ? await read(Math.max(headBytes, sizeBytes - headBytes), sizeBytes - 1) : null
  const content = await sniff(head, tail)
  if (content.mime !== 'image/jpeg' || content.width !== null || sizeBytes <= headBytes) return content
  return sniff(await read(0, Math.min(sizeBytes, longHeadBytes) - 1), null)
}

async function toBuffer(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
