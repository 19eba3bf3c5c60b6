import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { type IndexFile, storeIndexes, storeIndexPast } from '../tables.home.ts'
import { signHead } from '../transparency/log.ts'
import { addressOf, type RepositoryZone } from './address.ts'
import { dropFiles, keepFile, linesOf, partsOf } from './index-files.ts'
import { frameV1, piecesV1, type RepositoryFacts } from './index-v1.ts'
import { diffPieces, entryOf, type FileEntry, headLineV2, packageLineV2, tailLineV2 } from './index-v2.ts'
import { indexedAppsOf } from './indexed-apps.ts'
import { signedJar, signedJarOfFile } from './jar.ts'
import { signingKeyOf } from './signing-key.ts'

type IndexRow = typeof storeIndexes.$inferSelect

/** Clients that hold one of this many earlier indexes are told only what changed. */
const pastIndexes = 10

/**
 * Makes what a repository serves, in one transaction of the home database: clients see all of it or none. Does nothing
 * when what it would list is what it lists already. One process at a time; the others wait.
 */
export async function buildIndex(ctx: Context, repository: RepositoryZone): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-index-'))
  try {
    await ctx.transact(inner => build(inner, repository, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function build(ctx: Context, repository: RepositoryZone, folder: string): Promise<void> {
  await ctx
    .transaction('home')
    .query('SELECT pg_advisory_xact_lock(hashtextextended($1, 205))', [`index ${repository}`])
  await ctx.home.insert(storeIndexes).values({ repository, asked: 1 }).onConflictDoNothing()
  const [row] = await ctx.home.select().from(storeIndexes).where(eq(storeIndexes.repository, repository))
  if (!row || row.made >= row.asked) return
  const head = await signHead(ctx)
  const publicUrl = ctx.server.config.publicUrl
  const facts: RepositoryFacts = {
    address: addressOf(publicUrl, repository),
    name: 'Loggia',
    timestamp: Math.max(ctx.now(), row.timestamp + 1),
  }
  const drawn = await draw(ctx, repository, facts, folder)
  const content = createHash('sha256').update(`${drawn.content} ${facts.address}`).digest('hex')
  const isNew = content !== row.contentSha256
  const made = isNew ? await makeFiles(ctx, row, facts, drawn) : { files: { ...row.files } }
  const note = await keepFile(ctx, [head.checkpoint], 'text/plain; charset=utf-8')
  await dropFiles(ctx, row.retired)
  const files = { ...made.files, 'transparency/checkpoint': note }
  const kept = new Set(Object.values(files).map(file => file.fileId))
  const retired = Object.values(row.files).flatMap(file => (kept.has(file.fileId) ? [] : [file.fileId]))
  const past = isNew ? await trimPast(ctx, repository, retired) : []
  await ctx.home
    .update(storeIndexes)
    .set({
      made: row.asked,
      address: facts.address,
      files,
      retired: retired.filter(fileId => !past.includes(fileId)),
      ...(isNew
        ? { timestamp: facts.timestamp, contentSha256: content, apps: drawn.apps, versions: drawn.versions }
        : {}),
    })
    .where(eq(storeIndexes.repository, repository))
}

interface Drawn {
  v1: { path: string; sha256: string }
  v2: string
  apps: number
  versions: number
  /** Of every package's line. */
  content: string
}

/** Writes both formats into files beside each other, an app at a time. */
async function draw(ctx: Context, repository: RepositoryZone, facts: RepositoryFacts, folder: string): Promise<Drawn> {
  const at = (name: string) => path.join(folder, name)
  const [apps, packages, v2] = ['apps', 'packages', 'index-v2.json'].map(name => createWriteStream(at(name)))
  if (!apps || !packages || !v2) throw new Error('no files')
  const content = createHash('sha256')
  const counts = { apps: 0, versions: 0 }
  const put = async (file: typeof v2, text: string) => {
    if (!file.write(text)) await new Promise<void>(resolve => file.once('drain', () => resolve()))
  }
  await put(v2, `${headLineV2(facts)}\n`)
  for await (const app of indexedAppsOf(ctx, repository)) {
    const separator = counts.apps === 0 ? '' : ',\n'
    const pieces = piecesV1(app)
    const line = packageLineV2(app)
    content.update(line)
    await put(apps, separator + pieces.app)
    await put(packages, separator + pieces.packages)
    await put(v2, separator + line)
    counts.apps += 1
    counts.versions += app.versions.length
  }
  await put(v2, `\n${tailLineV2}`)
  await Promise.all([apps, packages, v2].map(file => new Promise<void>(resolve => file.end(() => resolve()))))

  const v1 = { path: at('index-v1.json'), sha256: '' }
  const digest = createHash('sha256')
  const [start, middle, end] = frameV1(facts)
  const pieces = async function* () {
    for (const piece of [start, createReadStream(at('apps')), middle, createReadStream(at('packages')), end]) {
      for await (const bytes of typeof piece === 'string' ? [Buffer.from(piece)] : piece) {
        digest.update(bytes)
        yield bytes
      }
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(v1.path))
  return {
    v1: { ...v1, sha256: digest.digest('hex') },
    v2: at('index-v2.json'),
    content: content.digest('hex'),
    ...counts,
  }
}

async function makeFiles(ctx: Context, row: IndexRow, facts: RepositoryFacts, drawn: Drawn) {
  const { repository } = row
  const key = await signingKeyOf(ctx.server)
  const json = 'application/json'
  const jar = 'application/java-archive'
  const index = await keepFile(ctx, createReadStream(drawn.v2), json)
  const diffs: Record<string, IndexFile> = {}
  const entries: Record<string, FileEntry & { numPackages: number }> = {}
  const past = await ctx.home
    .select()
    .from(storeIndexPast)
    .where(eq(storeIndexPast.repository, repository))
    .orderBy(asc(storeIndexPast.timestamp))
  for (const { timestamp, fileId } of past) {
    let numPackages = 0
    const before = linesOf(partsOf(ctx, fileId))
    const after = linesOf(createReadStream(drawn.v2))
    const texts = async function* () {
      for await (const { text, packages } of diffPieces(before, after)) {
        numPackages += packages
        yield text
      }
    }
    const file = await keepFile(ctx, texts(), json)
    diffs[`diff/${timestamp}.json`] = file
    entries[timestamp] = { ...fileEntry(`/diff/${timestamp}.json`, file), numPackages }
  }
  await ctx.home.insert(storeIndexPast).values({ repository, timestamp: facts.timestamp, fileId: index.fileId })
  const named = { ...fileEntry('/index-v2.json', index), numPackages: drawn.apps }
  const entry = Buffer.from(entryOf(facts.timestamp, named, entries))
  const files: Record<string, IndexFile> = {
    'entry.jar': await keepFile(ctx, [await signedJar('entry.json', entry, key)], jar),
    'entry.json': await keepFile(ctx, [entry], json),
    'index-v2.json': index,
    'index-v1.jar': await keepFile(ctx, signedJarOfFile('index-v1.json', drawn.v1, key), jar),
    ...diffs,
  }
  return { files }
}

/** Forgets the oldest earlier indexes. Answers the files that stay for their diffs. */
async function trimPast(ctx: Context, repository: string, retired: string[]): Promise<string[]> {
  const past = await ctx.home
    .select()
    .from(storeIndexPast)
    .where(eq(storeIndexPast.repository, repository))
    .orderBy(desc(storeIndexPast.timestamp))
  const old = past.slice(pastIndexes)
  if (old.length > 0) {
    await ctx.home.delete(storeIndexPast).where(
      and(
        eq(storeIndexPast.repository, repository),
        inArray(
          storeIndexPast.timestamp,
          old.map(one => one.timestamp),
        ),
      ),
    )
    retired.push(...old.map(one => one.fileId))
  }
  return past.slice(0, pastIndexes).map(one => one.fileId)
}

const fileEntry = (name: string, { sha256, sizeBytes }: IndexFile): FileEntry => ({ name, sha256, size: sizeBytes })
