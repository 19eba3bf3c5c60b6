import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { storage, storageOlder } from './contract.ts'
import { storageFiles, storageFilesOlder } from './files/contract.ts'
import { storageSecurity } from './security/contract.ts'
import { newStorage, type Stored, setLevel } from './storage.testkit.ts'

const dayMs = 24 * 3_600_000
let stage: Stage
let owner: Person
let stored: Stored
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  stored = await newStorage(stage, owner)
})
afterAll(() => stage.close())

/** Puts a file as the console does. */
async function put(where: Stored, name: string, bytes: Buffer | string, contentType = 'text/plain') {
  const { uploadUrl } = await owner.ok(storageFiles, 'startUpload', {
    body: { bucketId: where.bucketId, path: name, size: Buffer.byteLength(bytes), contentType, existing: 'replace' },
  })
  const reply = await stage.app.inject({
    method: 'PATCH',
    url: uploadUrl,
    payload: bytes,
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  })
  if (reply.statusCode !== 204) throw new Error(`${reply.statusCode} ${reply.body}`)
}

const detail = (where: Stored, name: string) =>
  owner.call(storageFiles, 'queryDetail', { body: { bucketId: where.bucketId, path: name } })
const list = (where: Stored, body: object = {}) =>
  owner.ok(storageFiles, 'listFiles', { body: { bucketId: where.bucketId, ...body } })
/** Bytes that the engine keeps beside rows. */
const blobs = () => {
  const root = path.join(stage.dataDir, 'storage', 'cn')
  const folders = existsSync(root) ? readdirSync(root).filter(name => name.length === 2) : []
  return folders.flatMap(folder => readdirSync(path.join(root, folder)))
}

describe('opening cloud storage', () => {
  it('makes a first bucket and rules to begin with, once', async () => {
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Café Müller 7' } })
    const before = await owner.ok(storage, 'existService', { body: { projectId } })
    expect(before).toMatchObject({ exist: false, enabled: false, region: 'CN' })
    const [first, second] = await Promise.all([1, 2].map(() => owner.ok(storage, 'initData', { body: { projectId } })))
    expect(first?.bucketId).toMatch(/^caf-m-ller-7-[a-z0-9]{5}$/)
    expect(second?.bucketId).toBe(first?.bucketId)
    expect(first?.rules).toContain('agc.cloud.storage')
    const rules = await owner.ok(storageSecurity, 'getSecurityRuleResource', { body: { projectId } })
    expect([rules.version, rules.source]).toEqual([1, first?.rules])
    expect(await owner.ok(storage, 'getBucketId', { body: { projectId } })).toMatchObject({ bucketId: first?.bucketId })
  })

  it('is the same in the older generation of calls', async () => {
    const body = { projectId: stored.projectId }
    const newer = await owner.ok(storage, 'queryBucketIds', { body })
    expect((await owner.ok(storageOlder, 'queryBucketIds', { body })).buckets).toEqual(newer.buckets)
    await put(stored, 'older/file', 'x')
    const at = { bucketId: stored.bucketId, prefix: 'older/' }
    expect(await owner.ok(storageFilesOlder, 'listFiles', { body: at })).toEqual(
      await owner.ok(storageFiles, 'listFiles', { body: at }),
    )
  })
})

describe('buckets', () => {
  it.each(['ab', 'Upper', 'two--hyphens', '-begins', 'ends-', 'with_underscore', 'x'.repeat(58)])(
    'are not called %s',
    async name => {
      const reply = await owner.call(storage, 'createBucket', { body: { projectId: stored.projectId, name } })
      expect(reply.status).toBe(400)
    },
  )

  it('are at most three of a free project', async () => {
    const free = await newStorage(stage, owner, 'FREE')
    const make = (name: string) => owner.call(storage, 'createBucket', { body: { projectId: free.projectId, name } })
    expect([(await make('second')).status, (await make('third')).status]).toEqual([200, 200])
    const fourth = await make('fourth')
    expect([fourth.status, fourth.body.ret.code]).toEqual([422, 204030002])
  })

  it('go when they are empty, and with their files where that is said', async () => {
    const { bucketId } = await owner.ok(storage, 'createStorageBucket', {
      body: { projectId: stored.projectId, name: 'going' },
    })
    const going = { ...stored, bucketId }
    await put(going, 'a/b', randomBytes(20_000))
    const refused = await owner.call(storage, 'deleteBucket', { body: { bucketId } })
    expect([refused.status, refused.body.ret.code]).toEqual([409, 220409003])
    const { jobId } = await owner.ok(storage, 'deleteBucket', { body: { bucketId, force: true } })
    await stage.settle()
    expect((await owner.call(storage, 'queryCors', { body: { bucketId } })).status).toBe(404)
    const job = await owner.ok(storage, 'queryJob', { body: { jobId: jobId ?? '', kind: 'storage.emptyBucket' } })
    expect(job.state).toBe('done')
    expect(await stage.sql('home', 'SELECT 1 FROM storage_bucket_names WHERE bucket_id = $1', [bucketId])).toEqual([])
  })

  it('refuse a change that was made of an older state', async () => {
    const body = { bucketId: stored.bucketId, maxObjectBytes: 1000, revision: 99 }
    expect((await owner.call(storage, 'updateBucket', { body })).status).toBe(409)
  })

  it('take only files of the size and types that they say', async () => {
    const narrow = await newStorage(stage, owner)
    await owner.ok(storage, 'updateBucket', {
      body: { bucketId: narrow.bucketId, maxObjectBytes: 10, allowedTypes: ['image/*'], revision: 1 },
    })
    const begin = (size: number, contentType: string) =>
      owner.call(storageFiles, 'startUpload', { body: { bucketId: narrow.bucketId, path: 'x', size, contentType } })
    expect((await begin(11, 'image/png')).status).toBe(402)
    expect((await begin(1, 'text/html')).body.ret.code).toBe(220415001)
    expect((await begin(10, 'image/png')).status).toBe(200)
  })
})

describe('files', () => {
  it('are shown by folders, and found by a part of their path', async () => {
    await owner.ok(storageFiles, 'createFolder', { body: { bucketId: stored.bucketId, path: 'docs/empty' } })
    for (const name of ['docs/one.txt', 'docs/two.txt', 'docs/deep/three.txt']) await put(stored, name, name)
    const shown = await list(stored, { prefix: 'docs/' })
    expect(shown.folders.map(one => one.name)).toEqual(['deep', 'empty'])
    expect(shown.files.map(one => one.name)).toEqual(['one.txt', 'two.txt'])
    const found = await list(stored, { search: 'THREE' })
    expect(found.files.map(one => one.path)).toEqual(['docs/deep/three.txt'])
    expect((await list(stored, { search: '100%_' })).files).toEqual([])
  })

  it('say it when their bytes are not what they are called', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')
    await put(stored, 'odd/page.html', png, 'text/html')
    await put(stored, 'odd/right.png', png, 'image/png')
    expect((await detail(stored, 'odd/page.html')).body.object.sniffedType).toBe('image/png')
    expect((await detail(stored, 'odd/right.png')).body.object.sniffedType).toBeNull()
  })

  it('are deleted one by one, and by folders as a job', async () => {
    for (const name of ['bin/a', 'bin/b', 'bin/c/d', 'bin/c/e/f']) await put(stored, name, name)
    const done = await owner.ok(storageFiles, 'deleteFiles', {
      body: { bucketId: stored.bucketId, paths: ['bin/a', 'bin/never', '../x'], prefixes: ['bin/c/'] },
    })
    expect(done.deletedObjects).toEqual(['bin/a'])
    expect(done.errorObjects.map(one => [one.path, one.code])).toEqual([
      ['../x', 220400010],
      ['bin/never', 220404002],
    ])
    await stage.settle()
    expect((await list(stored, { prefix: 'bin/', delimiter: '' })).files.map(one => one.path)).toEqual(['bin/b'])
  })

  it('have at most ten download tokens, and all of them go at once', async () => {
    await put(stored, 'tokens', 'x')
    const at = { bucketId: stored.bucketId, path: 'tokens' }
    for (let made = 0; made < 10; made++) await owner.ok(storageFiles, 'createToken', { body: at })
    expect((await owner.call(storageFiles, 'createToken', { body: at })).body.ret.code).toBe(204030003)
    const { tokens } = await owner.ok(storageFiles, 'clearAndRefreshToken', { body: at })
    expect(tokens.length).toBe(1)
  })

  it('keep what is said of them within limits', async () => {
    await put(stored, 'said', 'x')
    const at = { bucketId: stored.bucketId, path: 'said' }
    const change = (metadata: Record<string, string>) =>
      owner.call(storageFiles, 'updateMetadata', { body: { ...at, metadata } })
    expect((await change({ shade: 'зелёный' })).body.metadata).toEqual({ shade: 'зелёный' })
    expect((await change({ 'no such key': 'x' })).status).toBe(400)
    expect((await change({ large: 'x'.repeat(8192) })).status).toBe(400)
    expect((await detail(stored, 'said')).body.object).toMatchObject({
      metageneration: 2,
      metadata: { shade: 'зелёный' },
    })
  })
})

describe('a bucket that keeps versions', () => {
  let versioned: Stored
  beforeAll(async () => {
    versioned = await newStorage(stage, owner)
    const body = { bucketId: versioned.bucketId, versioning: 'ON' as const, revision: 1 }
    await owner.ok(storage, 'updateBucket', { body })
  })

  it('brings back what was replaced and what was deleted', async () => {
    await put(versioned, 'v', 'one')
    await put(versioned, 'v', 'two')
    const { versions, object } = (await detail(versioned, 'v')).body
    expect(versions.map(one => one.size)).toEqual([3])
    expect(BigInt(object.generation) > BigInt(versions[0]?.generation ?? 0)).toBe(true)
    await owner.ok(storageFiles, 'deleteFiles', { body: { bucketId: versioned.bucketId, paths: ['v'] } })
    expect((await detail(versioned, 'v')).status).toBe(404)
    const gone = await owner.ok(storageFiles, 'listVersions', { body: { bucketId: versioned.bucketId } })
    expect(gone.files.map(one => one.path)).toEqual(['v'])
    const first = { bucketId: versioned.bucketId, path: 'v', generation: versions[0]?.generation ?? '' }
    const back = await owner.ok(storageFiles, 'restoreVersion', { body: first })
    expect(BigInt(back.generation) > BigInt(gone.files[0]?.generation ?? 0)).toBe(true)
    const url = new URL((await detail(versioned, 'v')).body.downloadUrl)
    expect((await stage.app.inject({ url: url.pathname + url.search })).body).toBe('one')
  })

  it('lets older versions go when their time comes', async () => {
    await owner.ok(storage, 'updateBucket', {
      body: { bucketId: versioned.bucketId, lifecycle: [{ prefix: '', olderVersionDays: 30 }], revision: 2 },
    })
    stage.clock.turn(31 * dayMs)
    await stage.booted.worker.sweep()
    stage.clock.turn(-31 * dayMs)
    expect((await detail(versioned, 'v')).body.versions).toEqual([])
  })
})

describe('the life of files', () => {
  it('ends after the days that the bucket says', async () => {
    const aging = await newStorage(stage, owner)
    await put(aging, 'logs/old', 'x')
    await put(aging, 'kept/old', 'x')
    await owner.ok(storage, 'updateBucket', {
      body: { bucketId: aging.bucketId, lifecycle: [{ prefix: 'logs/', expireDays: 7 }], revision: 1 },
    })
    await stage.booted.worker.sweep()
    expect((await detail(aging, 'logs/old')).status).toBe(200)
    stage.clock.turn(8 * dayMs)
    await stage.booted.worker.sweep()
    stage.clock.turn(-8 * dayMs)
    expect([(await detail(aging, 'logs/old')).status, (await detail(aging, 'kept/old')).status]).toEqual([404, 200])
  })

  it('is looked at to the last file of a long list', async () => {
    const long = await newStorage(stage, owner)
    // More than are looked at in one go; the old ones are the last.
    await stage.sql(
      'CN',
      `INSERT INTO storage_objects (bucket_id, path, team_id, generation, size_bytes, content_type, etag, created_at, updated_at)
        SELECT $1, 'f' || lpad(n::text, 5, '0'), $2, n, 0, 'text/plain', '', $3::bigint, CASE WHEN n > 1190 THEN $3::bigint ELSE $4::bigint END
        FROM generate_series(1, 1200) n`,
      [long.bucketId, owner.teamId, stage.clock.now() - 8 * dayMs, stage.clock.now()],
    )
    await owner.ok(storage, 'updateBucket', {
      body: { bucketId: long.bucketId, lifecycle: [{ prefix: '', expireDays: 7 }], revision: 1 },
    })
    await stage.booted.worker.sweep()
    const left = 'SELECT count(*)::integer AS count, max(path) AS last FROM storage_objects WHERE bucket_id = $1'
    expect(await stage.sql('CN', left, [long.bucketId])).toEqual([{ count: 1190, last: 'f01190' }])
  })

  it('leaves no bytes without a row, and takes none that a row names', async () => {
    const cleaned = await newStorage(stage, owner)
    await put(cleaned, 'stays', randomBytes(30_000))
    await put(cleaned, 'goes', randomBytes(30_000))
    await owner.ok(storageFiles, 'deleteFiles', { body: { bucketId: cleaned.bucketId, paths: ['goes'] } })
    const before = blobs().length
    await stage.booted.worker.sweep()
    expect(blobs().length).toBe(before)
    // Behind everything that other tests let go in their own future.
    stage.clock.turn(60 * dayMs)
    await stage.booted.worker.sweep()
    stage.clock.turn(-60 * dayMs)
    const rows = await stage.sql<{ blob: string }>('CN', 'SELECT blob FROM storage_objects WHERE blob IS NOT NULL')
    expect(blobs().sort()).toEqual(rows.map(row => row.blob).sort())
  })
})

describe('use', () => {
  it('is counted by day and compared with what the project may use', async () => {
    const used = await newStorage(stage, owner, 'FREE')
    await put(used, 'a', 'x'.repeat(1000))
    const url = new URL((await detail(used, 'a')).body.downloadUrl)
    for (let reads = 0; reads < 3; reads++) await stage.app.inject({ url: url.pathname + url.search })
    await stage.booted.worker.sweep()
    const day = new Date(stage.clock.now()).toISOString().slice(0, 10)
    const usage = await owner.ok(storage, 'listUsage', { body: { projectId: used.projectId, from: day, to: day } })
    expect(usage.points).toEqual([
      { date: day, storedBytes: 1000, objects: 1, classA: 0, classB: 3, egressBytes: 3000 },
    ])
    const { level, quotas } = await owner.ok(storage, 'getUserLevel', { body: { projectId: used.projectId } })
    expect(level).toBe('FREE')
    expect(Object.fromEntries(quotas.map(one => [one.metric, one.used]))).toEqual({
      storedBytes: 1000,
      egressBytesPerDay: 3000,
      operationsPerDay: 3,
      buckets: 1,
    })
  })

  it('beyond what is free is refused until the next day', async () => {
    const used = await newStorage(stage, owner, 'FREE')
    await put(used, 'a', 'x')
    const url = new URL((await detail(used, 'a')).body.downloadUrl)
    const day = new Date(stage.clock.now()).toISOString().slice(0, 10)
    await stage.sql(
      'CN',
      'INSERT INTO storage_days (bucket_id, day, team_id, project_id, class_b) VALUES ($1, $2, $3, $4, 50000)',
      [used.bucketId, day, owner.teamId, used.projectId],
    )
    expect((await stage.app.inject({ url: url.pathname + url.search })).statusCode).toBe(402)
    await setLevel(stage, used, 'PAID')
    expect((await stage.app.inject({ url: url.pathname + url.search })).statusCode).toBe(200)
  })
})

describe('four writers of one file', () => {
  it('leave one whole file, and generations that only rise', async () => {
    const one = await newStorage(stage, owner)
    const contents = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(40_000))
    const seen: bigint[] = []
    let isOver = false
    const reader = (async () => {
      while (!isOver) {
        const found = await detail(one, 'contested')
        if (found.status !== 200) continue
        seen.push(BigInt(found.body.object.generation))
        const url = new URL(found.body.downloadUrl)
        const { body, statusCode } = await stage.app.inject({ url: url.pathname + url.search })
        if (statusCode === 200) expect(contents).toContain(body)
      }
    })()
    await Promise.all(
      contents.map(async content => {
        for (let times = 0; times < 5; times++) await put(one, 'contested', content)
      }),
    )
    isOver = true
    await reader
    expect(seen.every((generation, at) => at === 0 || generation >= (seen[at - 1] ?? 0n))).toBe(true)
    const counted = await stage.sql<{ bytes: string; objects: string }>(
      'CN',
      'SELECT sum(bytes) AS bytes, sum(objects) AS objects FROM storage_counters WHERE bucket_id = $1',
      [one.bucketId],
    )
    expect(counted).toEqual([{ bytes: '40000', objects: '1' }])
  })
})
