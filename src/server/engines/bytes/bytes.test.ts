import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { FileBytes } from './files.ts'
import { openBytes } from './open.ts'
import { type BytesEngine, NoSuchBytes, TooManyBytes, WrongBytes } from './port.ts'
import { startS3 } from './s3.testkit.ts'

const MiB = 1024 ** 2
const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-bytes-'))
const bucket = 'bytes'
let store: Awaited<ReturnType<typeof startS3>>
let endpoint = ''

beforeAll(async () => {
  store = await startS3(path.join(folder, 's3'))
  endpoint = store.endpoint
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const chunked = (bytes: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    })(),
  )
const all = async (stream: Readable) => Buffer.concat(await stream.toArray())

function configWith(bytes: string) {
  return { ...readConfig({}), dataDir: folder, bytes }
}

const engines: [string, () => BytesEngine][] = [
  ['files', () => openBytes(configWith('files'), 'CN')],
  ['s3', () => openBytes(configWith(`s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`), 'CN')],
]

describe.each(engines)('bytes in %s', (name, open) => {
  const limitBytes = 64 * MiB
  let engine: BytesEngine
  beforeAll(() => {
    engine = open()
  })

  it('come back as they went in, whole and in ranges', async () => {
    const bytes = randomBytes(9 * MiB + 17)
    const stored = await engine.put(chunked(bytes), { limitBytes })
    expect(stored).toEqual({ sha256: sha256Of(bytes), sizeBytes: bytes.length })
    expect(await engine.stat(stored.sha256)).toEqual({ sizeBytes: bytes.length })
    expect(sha256Of(await all(await engine.read(stored.sha256)))).toBe(stored.sha256)
    const range = await all(await engine.read(stored.sha256, { start: 65_530, end: 65_545 }))
    expect(range).toEqual(bytes.subarray(65_530, 65_546))
    const last = await all(await engine.read(stored.sha256, { start: bytes.length - 1, end: bytes.length - 1 }))
    expect(last).toEqual(bytes.subarray(-1))
  })

  it('are stored once, however often and at once they are put', async () => {
    const bytes = randomBytes(200_000)
    const puts = await Promise.all([1, 2, 3].map(() => engine.put(chunked(bytes), { limitBytes })))
    expect(new Set(puts.map(put => put.sha256)).size).toBe(1)
    await engine.remove(sha256Of(bytes))
    expect(await engine.stat(sha256Of(bytes))).toBeNull()
  })

  it('may be none at all', async () => {
    const stored = await engine.put(Readable.from([]), { limitBytes })
    expect(stored).toEqual({ sha256: sha256Of(Buffer.alloc(0)), sizeBytes: 0 })
  })

  it('are refused past the limit, and nothing of them stays', async () => {
    const bytes = randomBytes(2_000_000)
    const source = chunked(bytes)
    await expect(engine.put(source, { limitBytes: 1_000_000 })).rejects.toThrow(TooManyBytes)
    expect(source.destroyed).toBe(false)
    expect(await engine.stat(sha256Of(bytes))).toBeNull()
    await expect(engine.put(chunked(bytes), { limitBytes: bytes.length })).resolves.toBeDefined()
  })

  it('are refused with another sha256 than promised', async () => {
    const bytes = randomBytes(70_000)
    const sha256 = 'a'.repeat(64)
    await expect(engine.put(chunked(bytes), { limitBytes, sha256 })).rejects.toThrow(WrongBytes)
    expect(await engine.stat(sha256Of(bytes))).toBeNull()
    expect(await engine.stat(sha256)).toBeNull()
  })

  it('leave nothing when their source breaks', async () => {
    const first = randomBytes(100_000)
    const broken = Readable.from(
      (function* () {
        yield first
        throw new Error('the line is cut')
      })(),
    )
    await expect(engine.put(broken, { limitBytes })).rejects.toThrow('the line is cut')
    expect(await engine.stat(sha256Of(first))).toBeNull()
  })

  it('stop with their signal', async () => {
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(engine.put(chunked(randomBytes(10)), { limitBytes, signal })).rejects.toThrow('too late')
  })

  it('that are not there are said to be so', async () => {
    const sha256 = sha256Of(randomBytes(9))
    await expect(engine.read(sha256)).rejects.toThrow(NoSuchBytes)
    await expect(engine.localFile(sha256)).rejects.toThrow(NoSuchBytes)
    expect(await engine.stat(sha256)).toBeNull()
    await engine.remove(sha256)
    for (const wrong of ['../../etc/passwd', '', 'A'.repeat(64)]) {
      await expect(engine.read(wrong)).rejects.toThrow(NoSuchBytes)
    }
  })

  it('are listed in order by the beginning of their address', async () => {
    const all = Array.from({ length: 900 }, (_, n) => Buffer.from(`listed ${n}`))
    const prefix = sha256Of(all[0] as Buffer).slice(0, 2)
    const alike = all.filter(bytes => sha256Of(bytes).startsWith(prefix))
    for (const bytes of alike) await engine.put(chunked(bytes), { limitBytes })
    const expected = alike.map(sha256Of).sort()
    const listed = await engine.list(prefix)
    const names = listed.map(one => one.sha256)
    expect(names).toEqual([...names].sort())
    expect(names).toEqual(expect.arrayContaining(expected))
    expect(Math.abs((listed[0]?.storedAt ?? 0) - Date.now())).toBeLessThan(60_000)
    const after = await engine.list(prefix, names[0])
    expect(after.map(one => one.sha256)).toEqual(names.slice(1))
    await expect(engine.list('../..')).rejects.toThrow('two hexadecimal digits')
  })

  it('are a local file for as long as somebody uses it', async () => {
    const bytes = randomBytes(300_000)
    const { sha256 } = await engine.put(chunked(bytes), { limitBytes })
    const [one, two] = await Promise.all([engine.localFile(sha256), engine.localFile(sha256)])
    await one.release()
    await one.release()
    expect(sha256Of(await readFile(two.path))).toBe(sha256)
    await two.release()
    expect(await engine.stat(sha256)).not.toBeNull()
  })

  it('sent in parts are joined in the order asked for', async () => {
    const uploadId = randomUUID()
    const parts = [randomBytes(5 * MiB), randomBytes(5 * MiB), randomBytes(12_345)]
    for (const at of [2, 0, 1]) {
      const part = parts[at] as Buffer
      const stored = await engine.putPart(uploadId, at + 1, chunked(part), { limitBytes })
      expect(stored).toEqual({
        sha256: sha256Of(part),
        sizeBytes: part.length,
        md5: createHash('md5').update(part).digest('hex'),
      })
    }
    const whole = Buffer.concat(parts)
    const joined = await engine.joinParts(uploadId, [1, 2, 3], { limitBytes, sha256: sha256Of(whole) })
    expect(joined).toEqual({ sha256: sha256Of(whole), sizeBytes: whole.length })
    await engine.dropParts(uploadId)
    await engine.dropParts(uploadId)
    await expect(engine.joinParts(uploadId, [1, 2, 3], { limitBytes })).rejects.toThrow(NoSuchBytes)
  })

  it('sent again as the same part replace what was there', async () => {
    const uploadId = randomUUID()
    const last = randomBytes(1000)
    await engine.putPart(uploadId, 1, chunked(randomBytes(2000)), { limitBytes })
    await engine.putPart(uploadId, 1, chunked(last), { limitBytes })
    expect(await engine.joinParts(uploadId, [1], { limitBytes })).toMatchObject({ sha256: sha256Of(last) })
    await expect(engine.putPart('../x', 1, chunked(last), { limitBytes })).rejects.toThrow('upload id')
    await expect(engine.putPart(uploadId, 0, chunked(last), { limitBytes })).rejects.toThrow('whole number')
  })

  it(`of one zone are not in another (${name})`, async () => {
    const bytes = randomBytes(1234)
    const { sha256 } = await engine.put(chunked(bytes), { limitBytes })
    const config = configWith(name === 'files' ? 'files' : `s3://${bucket}?endpoint=${endpoint}`)
    expect(await openBytes(config, 'DE').stat(sha256)).toBeNull()
  })
})

describe('files', () => {
  it('that a dead process left half written are cleared at the start, and only those', async () => {
    const root = path.join(folder, 'crashed')
    const engine = new FileBytes(root)
    await engine.put(chunked(randomBytes(10)), { limitBytes: 10 })
    const [stray, living] = ['stray', 'living'].map(one => path.join(root, 'incoming', one)) as [string, string]
    for (const file of [stray, living]) writeFileSync(file, 'half')
    const yesterday = Date.now() / 1000 - 86_400
    utimesSync(stray, yesterday, yesterday)
    await new FileBytes(root).put(chunked(randomBytes(10)), { limitBytes: 10 })
    expect([existsSync(stray), existsSync(living)]).toEqual([false, true])
    expect(readdirSync(path.join(root, 'incoming'))).toEqual(['living'])
  })

  it('are refused a place that is neither a folder nor S3', () => {
    expect(() => openBytes(configWith('ftp://somewhere'), 'CN')).toThrow('LOGGIA_BYTES')
  })
})
