import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startS3 } from '../../../server/engines/bytes/s3.testkit.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { files } from './contract.ts'
import { credentials, send, sha256Of } from './sender.testkit.ts'

// A sweep lists every folder of the store: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })
const MiB = 1024 ** 2
const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-two-'))
let store: Awaited<ReturnType<typeof startS3>>
let inS3 = ''

beforeAll(async () => {
  store = await startS3(folder)
  inS3 = `s3://bytes?endpoint=${encodeURIComponent(store.endpoint)}&region=us-east-1`
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')

describe.each([
  ['files', () => 'files'],
  ['S3', () => inS3],
])('two servers over one database and bytes in %s', (_name, bytesIn) => {
  let stage: Stage
  let sender: Person
  let first: string
  let second: string
  beforeAll(async () => {
    stage = await openStage({ config: { bytes: bytesIn() } })
    sender = await stage.person()
    first = await stage.listen()
    second = await (await stage.another()).app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => stage.close())

  async function call(address: string, method: string, path: string, body?: unknown) {
    const headers = { ...credentials(sender), ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = body ? { body: Buffer.from(JSON.stringify(body)) } : {}
    const reply = await send(address, files.prefix + path, { method, headers, ...sent })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.bytes}`)
    return reply.json
  }

  interface PartAddress {
    partNumber: number
    url: string
    headers: Record<string, string>
  }
  const put = (address: string, part: PartAddress, bytes: Buffer, cutAfter?: number) =>
    send(address, part.url, {
      method: 'PUT',
      headers: { ...part.headers, 'content-length': bytes.length },
      body: bytes,
      ...(cutAfter === undefined ? {} : { cutAfter }),
    })

  it('finish on one what was begun, and cut, on the other; the bytes are the same', async () => {
    const bytes = randomBytes(12 * MiB + 777)
    const partSize = 5 * MiB
    const partOf = (n: number) => bytes.subarray((n - 1) * partSize, n * partSize)
    const body = { fileName: 'big.apk', size: bytes.length, sha256: sha256Of(bytes), partSize }
    const begun = await call(first, 'POST', '/multipart/init', body)
    const key = `?objectId=${encodeURIComponent(begun.objectId)}&nspUploadId=${begun.nspUploadId}`
    expect((await put(first, begun.parts[0], partOf(1))).status).toBe(200)
    await put(first, begun.parts[1], partOf(2), MiB)

    const left = await call(second, 'GET', `/multipart/parts${key}`)
    expect(left.received.map((one: PartAddress) => one.partNumber)).toEqual([1])
    for (const part of left.missing as PartAddress[]) {
      expect((await put(second, part, partOf(part.partNumber))).status).toBe(200)
    }
    const named = Object.fromEntries([1, 2, 3].map(n => [n, { etag: md5Of(partOf(n)) }]))
    const replies = await Promise.all(
      [first, second].map(address => call(address, 'POST', `/multipart/compose${key}`, named)),
    )
    expect(replies.map(reply => reply.urlsInfo[0].sha256)).toEqual([body.sha256, body.sha256])
    const counted = await stage.sql(
      'CN',
      `SELECT count(*)::int AS n FROM outbox WHERE entity_id = $1 AND type = 'file.uploaded'`,
      [begun.objectId],
    )
    expect(counted).toEqual([{ n: 1 }])

    const { url } = await call(second, 'POST', '/download/object/url', { objectId: begun.objectId })
    const whole = await send(first, url)
    expect(sha256Of(whole.bytes)).toBe(body.sha256)
    const range = await send(second, url, { headers: { range: `bytes=${partSize - 5}-${partSize + 4}` } })
    expect(range.bytes.equals(bytes.subarray(partSize - 5, partSize + 5))).toBe(true)

    await call(first, 'POST', '/delete/objects', { objectIds: [begun.objectId] })
    expect((await send(second, url)).status).toBe(404)
    stage.clock.turn(3_600_000)
    await stage.booted.worker.sweep()
    expect(await stage.booted.server.bytes('CN').stat(body.sha256)).toBeNull()
    sender = await stage.person({ team: sender.teamId, roles: ['leader'] })
  })

  it('take a whole file in one stream too', async () => {
    const bytes = randomBytes(3 * MiB)
    const path = `${files.prefix}/upload/object?fileName=a.bin`
    const reply = await send(second, path, { method: 'POST', body: bytes, headers: credentials(sender) })
    expect([reply.status, reply.json.urlsInfo[0].sha256]).toEqual([200, sha256Of(bytes)])
    expect((await send(first, reply.json.urlsInfo[0].url)).bytes.equals(bytes)).toBe(true)
  })

  it('find bytes that a killed process left without a row, and leave young ones alone', async () => {
    const engine = stage.booted.server.bytes('CN')
    const lost = await engine.put(Readable.from([randomBytes(100)]), { limitBytes: 100 })
    const kept = await send(first, `${files.prefix}/upload/object?fileName=kept.bin`, {
      method: 'POST',
      body: Buffer.from('kept'),
      headers: credentials(sender),
    })
    await stage.sql('CN', `UPDATE file_objects SET expire_at = NULL, state = 'NORMAL' WHERE object_id = $1`, [
      kept.json.urlsInfo[0].objectId,
    ])
    await stage.booted.worker.sweep()
    expect(await engine.stat(lost.sha256)).not.toBeNull()
    stage.clock.turn(25 * 3_600_000)
    for (let round = 0; round < 2; round++) await stage.booted.worker.sweep()
    expect(await engine.stat(lost.sha256)).toBeNull()
    expect(await engine.stat(kept.json.urlsInfo[0].sha256)).not.toBeNull()
  })
})
