import { createHash, randomBytes } from 'node:crypto'
import net from 'node:net'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { storageFiles } from '../files/contract.ts'
import { newStorage, type Stored } from '../storage.testkit.ts'

const MiB = 1024 ** 2
let stage: Stage
let owner: Person
let stored: Stored
let address: string

beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  stored = await newStorage(stage, owner)
  address = await stage.listen()
})
afterAll(() => stage.close())

const start = (path: string, size: number, more: object = {}) =>
  owner.ok(storageFiles, 'startUpload', {
    body: { bucketId: stored.bucketId, path, size, contentType: 'application/x-test', ...more },
  })

async function fileAt(path: string): Promise<Buffer> {
  const { downloadUrl } = await owner.ok(storageFiles, 'queryDetail', { body: { bucketId: stored.bucketId, path } })
  const url = new URL(downloadUrl)
  return (await stage.app.inject({ url: url.pathname + url.search })).rawPayload
}

/** A line that breaks as often as it is told, somewhere in the middle of what it carries. */
async function brokenLine(target: string, cuts: number, afterBytes: number) {
  const { hostname, port } = new URL(target)
  let left = cuts
  const server = net.createServer(client => {
    const upstream = net.connect(Number(port), hostname)
    let seen = 0
    client.on('data', chunk => {
      seen += chunk.length
      upstream.write(chunk)
      if (seen < afterBytes || left === 0) return
      left--
      client.destroy()
      upstream.destroy()
    })
    upstream.on('data', chunk => client.write(chunk))
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as net.AddressInfo
  return { address: `http://127.0.0.1:${own}`, left: () => left, close: () => server.close() }
}

const send = (
  method: 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS',
  url: string,
  headers: object = {},
  payload?: Buffer | string,
) =>
  stage.app.inject({
    method,
    url,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
const patch = (url: string, offset: number, payload: Buffer | string, headers: object = {}) =>
  send(
    'PATCH',
    url,
    { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
    payload,
  )

describe('tus-js-client', () => {
  it('brings a file through a line that breaks ten times', async () => {
    const bytes = randomBytes(24 * MiB)
    const line = await brokenLine(address, 10, MiB)
    const { uploadUrl } = await start('through/broken.bin', bytes.length)
    let retries = 0
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(bytes as never, {
        uploadUrl: line.address + uploadUrl,
        chunkSize: 4 * MiB,
        retryDelays: Array.from({ length: 40 }, () => 5),
        onShouldRetry: () => {
          retries++
          return true
        },
        onSuccess: () => resolve(),
        onError: reject,
      })
      upload.start()
    })
    line.close()
    expect(line.left()).toBe(0)
    expect(retries).toBeGreaterThanOrEqual(10)
    expect((await fileAt('through/broken.bin')).equals(bytes)).toBe(true)
  }, 60_000)
})

describe('an upload by TUS', () => {
  it('says what it can', async () => {
    const { headers } = await send('OPTIONS', '/tus')
    expect(headers['tus-version']).toBe('1.0.0')
    expect(String(headers['tus-extension']).split(',')).toEqual(['creation', 'termination', 'expiration', 'checksum'])
    expect(headers['tus-checksum-algorithm']).toBe('sha1,sha256,md5')
  })

  it('goes on at its offset and nowhere else', async () => {
    const { uploadUrl } = await start('offsets', 6)
    expect((await patch(uploadUrl, 0, 'abc')).headers['upload-offset']).toBe('3')
    expect((await patch(uploadUrl, 0, 'abc')).statusCode).toBe(409)
    expect((await patch(uploadUrl, 4, 'ef')).statusCode).toBe(409)
    const head = await send('HEAD', uploadUrl)
    expect([head.headers['upload-offset'], head.headers['upload-length']]).toEqual(['3', '6'])
    expect(head.headers['cache-control']).toBe('no-store')
    expect((await patch(uploadUrl, 3, 'defg')).statusCode).toBe(413)
    expect((await patch(uploadUrl, 3, 'def')).statusCode).toBe(204)
    expect((await fileAt('offsets')).toString()).toBe('abcdef')
  })

  it('keeps nothing of bytes whose checksum is another', async () => {
    const { uploadUrl } = await start('proven', 3)
    const of = (text: string) => `sha1 ${createHash('sha1').update(text).digest('base64')}`
    expect((await patch(uploadUrl, 0, 'abc', { 'upload-checksum': of('abd') })).statusCode).toBe(460)
    expect((await send('HEAD', uploadUrl)).headers['upload-offset']).toBe('0')
    expect((await patch(uploadUrl, 0, 'abc', { 'upload-checksum': 'crc9 AAAA' })).statusCode).toBe(400)
    expect((await patch(uploadUrl, 0, 'abc', { 'upload-checksum': of('abc') })).statusCode).toBe(204)
    expect((await fileAt('proven')).toString()).toBe('abc')
  })

  it('can be given up, and ends by itself', async () => {
    const { uploadUrl } = await start('given-up', 3)
    await patch(uploadUrl, 0, 'a')
    expect((await send('DELETE', uploadUrl)).statusCode).toBe(204)
    expect((await send('HEAD', uploadUrl)).statusCode).toBe(410)
    const late = await start('late', 3)
    stage.clock.turn(8 * 24 * 3_600_000)
    expect((await send('HEAD', late.uploadUrl)).statusCode).toBe(410)
    stage.clock.turn(-8 * 24 * 3_600_000)
    expect((await send('HEAD', `/tus/cn-${'0'.repeat(40)}`)).statusCode).toBe(404)
    expect((await send('HEAD', '/tus/xx-nothing')).statusCode).toBe(404)
  })

  it('takes a file of no bytes, and one that replaces another only where that is meant', async () => {
    const { uploadUrl } = await start('empty', 0)
    expect((await patch(uploadUrl, 0, '')).statusCode).toBe(204)
    expect((await fileAt('empty')).length).toBe(0)
    expect(await start('empty', 1)).toMatchObject({ exists: true, uploadUrl: '' })
    const again = await start('empty', 1, { existing: 'replace' })
    await patch(again.uploadUrl, 0, 'x')
    expect((await fileAt('empty')).toString()).toBe('x')
  })

  it('begins for an app only as the rules say', async () => {
    const metadata = `bucket ${Buffer.from(stored.bucketId).toString('base64')},path ${Buffer.from('x').toString('base64')}`
    const reply = await stage.app.inject({
      method: 'POST',
      url: '/tus',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '3', 'upload-metadata': metadata },
    })
    expect(reply.statusCode).toBe(401)
  })
})
