import { readdirSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { files } from './contract.ts'
import { downloadUrlOf } from './public.ts'
import { credentials, send } from './sender.testkit.ts'

const filesHost = 'files.example.net'
let stage: Stage
let sender: Person
let address: string
let objectId: string

beforeAll(async () => {
  stage = await openStage({ config: { filesUrl: `https://${filesHost}` } })
  sender = await stage.person()
  address = await stage.listen()
  const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#a53' } })
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  objectId = await uploaded(photo, 'photo.jpg')
})
afterAll(() => stage.close())

async function uploaded(bytes: Buffer, fileName: string): Promise<string> {
  const sent = { method: 'POST', body: bytes, headers: credentials(sender) }
  const reply = await send(address, `${files.prefix}/upload/object?fileName=${fileName}`, sent)
  if (reply.status !== 200) throw new Error(reply.bytes.toString())
  return reply.json.urlsInfo[0].objectId
}

const fetched = (url: string, headers: Record<string, string> = {}) =>
  send(address, url, { headers: { host: filesHost, ...headers } })

async function addressOf(picture?: 'full' | '64' | '256'): Promise<string> {
  const body = { objectId, ...(picture ? { picture } : {}) }
  return (await sender.ok(files, 'makeDownloadAddress', { body })).url
}

describe('a picture', () => {
  it('goes out upright and without what the camera wrote into it', async () => {
    const full = await fetched(await addressOf('full'))
    expect([full.status, full.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const facts = await sharp(full.bytes).metadata()
    expect([facts.width, facts.height, facts.exif, facts.orientation]).toEqual([400, 600, undefined, undefined])
    const asItCame = await sharp((await fetched(await addressOf())).bytes).metadata()
    expect(asItCame.exif).toBeDefined()
  })

  it('goes out in the width asked for, made once', async () => {
    const urls = await Promise.all([addressOf('64'), addressOf('64'), addressOf('256')])
    const [small, again, middle] = await Promise.all(urls.map(url => fetched(url)))
    expect(small?.bytes.equals(again?.bytes ?? Buffer.alloc(0))).toBe(true)
    expect((await sharp(small?.bytes).metadata()).width).toBe(64)
    expect((await sharp(middle?.bytes).metadata()).width).toBe(256)
    expect(readdirSync(path.join(stage.dataDir, 'cache', 'pictures', 'cn'))).toHaveLength(3)
    const same = await fetched(urls[0] ?? '', { 'if-none-match': small?.headers.etag ?? '' })
    expect(same.status).toBe(304)
  })

  it('cannot be had in another size than the address was made for, nor of what is no picture', async () => {
    const url = await addressOf('64')
    expect((await fetched(url.replace('picture=64', 'picture=1024'))).status).toBe(403)
    expect((await fetched(url.replace('&picture=64', ''))).status).toBe(403)
    const text = await uploaded(Buffer.from('words'), 'a.txt')
    const reply = await sender.call(files, 'makeDownloadAddress', { body: { objectId: text, picture: '64' } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 201020018])
    const many = { objectIds: [objectId, text], picture: '64' as const }
    expect((await sender.call(files, 'makeDownloadAddresses', { body: many })).status).toBe(422)
    const { urlsInfo } = await sender.ok(files, 'makeDownloadAddresses', { body: { ...many, objectIds: [objectId] } })
    const small = await fetched(urlsInfo[0]?.url ?? '')
    expect([small.status, (await sharp(small.bytes).metadata()).width]).toEqual([200, 64])
    const half = await uploaded(
      (
        await sharp({ create: { width: 500, height: 500, channels: 3, background: 'red' } })
          .png()
          .toBuffer()
      ).subarray(0, 60),
      'half.png',
    )
    const broken = (await sender.ok(files, 'makeDownloadAddress', { body: { objectId: half, picture: '64' } })).url
    expect((await fetched(broken)).status).toBe(422)
  })

  it('is lent to other services in a size', async () => {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: sender.teamId })
    const url = downloadUrlOf(ctx, objectId, { picture: 'full', ttlSeconds: 60 })
    expect((await fetched(url)).headers['content-type']).toBe('image/jpeg')
  })
})

describe('the host for downloads', () => {
  it('is where every address leads, and the console’s host sends people there', async () => {
    const url = await addressOf()
    expect(url.startsWith(`https://${filesHost}/cn/cfs/`)).toBe(true)
    const reply = await send(address, url)
    expect([reply.status, reply.headers.location]).toEqual([302, url])
  })

  it('answers nothing but downloads, with a session or without', async () => {
    const headers = { host: filesHost, ...credentials(sender) }
    for (const path of ['/', '/openapi.json', '/health', `${files.prefix}/usage/route/site`]) {
      expect([path, (await send(address, path, { headers })).status]).toEqual([path, 404])
    }
    const body = Buffer.from('x')
    const sent = await send(address, `${files.prefix}/upload/object?fileName=a`, { method: 'POST', headers, body })
    expect(sent.status).toBe(404)
  })
})

describe('an address of papers or keys', () => {
  it('ends within minutes, so that it does not outlive its giver’s right', async () => {
    const pem = await uploaded(Buffer.from('-----BEGIN'), 'key.pem')
    const made = await sender.ok(files, 'makeDownloadAddress', { body: { objectId: pem } })
    expect(made.expireAt - stage.clock.now()).toBeLessThanOrEqual(5 * 60_000)
  })
})
