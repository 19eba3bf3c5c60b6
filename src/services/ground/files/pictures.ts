import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { refuse } from '../../../kernel/errors.ts'
import { zones } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { NoSuchBytes } from '../../../server/engines/bytes/port.ts'
import type { Download } from '../../../server/implement.ts'
import { files } from './contract.ts'
import { type FileRow, noSuchObject } from './queries.ts'
import { fileLimits, type PictureSize, pictureMimes } from './rules.ts'
import { loadSharp } from './tasks/picture.ts'

/** Pictures kept ready below the data folder, the least lately used go first. */
const keptPictures = 5_000
const tidyEvery = 200
/** A large picture takes a core for half a second; more at once would starve the calls. */
const atWork = pLimit(2)
const underWay = new Map<string, Promise<void>>()
let madeSinceTidy = 0

export function checkPicture(row: FileRow): void {
  if (!pictureMimes.includes(row.mime ?? '')) refuse(files.errors.noPicture, { objectId: row.objectId })
}

/** The picture in one of the sizes: upright, without the camera's notes, made once and kept. */
export async function answerPicture(
  ctx: Context,
  row: FileRow,
  size: PictureSize,
  request: Pick<FastifyRequest, 'headers' | 'method'>,
): Promise<Download> {
  checkPicture(row)
  const etag = `"${row.sha256}-${size}"`
  const headers = {
    etag,
    'cache-control': 'private, max-age=3600',
    'content-type': size === 'full' ? (row.mime ?? '') : 'image/webp',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  }
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: null }
  const file = await readyFile(ctx, row, size)
  const sized = { ...headers, 'content-length': (await stat(file)).size }
  return { headers: sized, body: request.method === 'HEAD' ? null : createReadStream(file) }
}

async function readyFile(ctx: Context, row: FileRow, size: PictureSize): Promise<string> {
  const folder = path.join(ctx.server.config.dataDir, 'cache', 'pictures', zones[ctx.zone].slug)
  const file = path.join(folder, `${row.sha256}-${size}`)
  const now = ctx.now() / 1000
  if (await utimes(file, now, now).then(always, never)) return file
  let making = underWay.get(file)
  if (!making) {
    making = atWork(() => make(ctx, row, size, file)).finally(() => underWay.delete(file))
    underWay.set(file, making)
  }
  await making
  return file
}

async function make(ctx: Context, row: FileRow, size: PictureSize, file: string): Promise<void> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true })
  const local = await ctx.server
    .bytes(ctx.zone)
    .localFile(row.sha256 ?? '')
    .catch(error => (error instanceof NoSuchBytes ? noSuchObject(row.objectId) : Promise.reject(error)))
  const beside = path.join(folder, randomUUID())
  try {
    const sharp = await loadSharp()
    const upright = sharp(local.path, { limitInputPixels: fileLimits.maxPixels }).autoOrient()
    const made = size === 'full' ? upright : upright.resize({ width: Number(size), withoutEnlargement: true }).webp()
    await made.toFile(beside).catch(() => refuse(files.errors.noPicture, { objectId: row.objectId }))
    await rename(beside, file)
  } finally {
    await rm(beside, { force: true })
    await local.release()
  }
  if (++madeSinceTidy >= tidyEvery) {
    madeSinceTidy = 0
    await tidy(folder)
  }
}

async function tidy(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length <= keptPictures) return
  const used = await Promise.all(names.map(async name => ({ name, at: (await stat(path.join(folder, name))).mtimeMs })))
  const oldest = used.sort((a, b) => a.at - b.at).slice(0, names.length - keptPictures)
  for (const { name } of oldest) await rm(path.join(folder, name), { force: true })
}

const always = () => true
const never = () => false
