import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, eq, inArray } from 'drizzle-orm'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { type IndexFile, storeIndexParts } from '../tables.home.ts'

const partBytes = 512 << 10

/** Keeps bytes in the home database, where every process finds them; never more than a part in memory. */
export async function keepFile(
  ctx: Context,
  pieces: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
  mime: string,
): Promise<IndexFile> {
  const fileId = ctx.newId()
  const digest = createHash('sha256')
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let sizeBytes = 0
  let part = 0
  const write = async (content: Buffer) => {
    digest.update(content)
    sizeBytes += content.length
    await ctx.home.insert(storeIndexParts).values({ fileId, part: part++, content })
  }
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes < partBytes) continue
    await write(Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
  }
  if (waitingBytes > 0) await write(Buffer.concat(waiting))
  return { fileId, sha256: digest.digest('hex'), sizeBytes, mime }
}

/** The parts of a kept file, one query each. */
export async function* partsOf(ctx: Context, fileId: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await ctx.home
      .select({ content: storeIndexParts.content })
      .from(storeIndexParts)
      .where(and(eq(storeIndexParts.fileId, fileId), eq(storeIndexParts.part, part)))
    if (!row) return
    yield row.content
  }
}

export async function dropFiles(ctx: Context, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return
  await ctx.home.delete(storeIndexParts).where(inArray(storeIndexParts.fileId, [...fileIds]))
}

/** A kept file as it is sent: each part in a transaction of its own, for a slow client must not hold one. */
export function readFile(server: Server, { fileId }: IndexFile): Readable {
  const zone = server.config.zones[0] ?? 'CN'
  return Readable.from(
    (async function* () {
      for (let part = 0; ; part++) {
        const ctx = systemContext(server, zone, { name: 'store index' })
        const [row] = await ctx.transact(inner =>
          inner.home
            .select({ content: storeIndexParts.content })
            .from(storeIndexParts)
            .where(and(eq(storeIndexParts.fileId, fileId), eq(storeIndexParts.part, part))),
        )
        if (!row) return
        yield row.content
      }
    })(),
    { objectMode: false },
  )
}

/** The lines of a text that comes in parts. */
export async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  if (rest !== '') yield rest
}
