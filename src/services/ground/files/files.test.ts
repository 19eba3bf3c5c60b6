import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Context, systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { files } from './contract.ts'
import { partUploads } from './parts/contract.ts'
import {
  downloadUrlOf,
  holdObjects,
  localObject,
  objectOf,
  readObject,
  releaseObjects,
  storageUsed,
  storeObject,
} from './public.ts'
import { contentsOf, credentials, form, pngHead, send, sha256Of } from './sender.testkit.ts'
import { filesCms, objectUploads, uploads } from './uploads/contract.ts'

const day = 24 * 3_600_000
const app = { appId: '71', projectId: '72' }
let stage: Stage
let address: string
let sender: Person
let stranger: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  address = await stage.listen()
  sender = await stage.person()
  stranger = await stage.person()
})
afterAll(() => stage.close())

const upload = (path: string, body: Buffer | Buffer[], headers: Record<string, string | number> = {}, who = sender) =>
  send(address, path, { method: 'POST', body, headers: { ...credentials(who), ...headers } })
const raw = `${files.prefix}/upload/object`
const asTeam = <T>(work: (ctx: Context) => Promise<T>, who = sender) =>
  systemContext(stage.booted.server, 'CN', { name: 'test', teamId: who.teamId }).transact(work)

async function uploaded(bytes: Buffer, fileName = 'a.bin', who = sender): Promise<string> {
  const reply = await upload(`${raw}?fileName=${encodeURIComponent(fileName)}`, bytes, {}, who)
  if (reply.status !== 200) throw new Error(reply.bytes.toString())
  return reply.json.urlsInfo[0].objectId
}

const rowOf = async (objectId: string) =>
  (await stage.sql('CN', 'SELECT * FROM file_objects WHERE object_id = $1', [objectId]))[0]

describe('an upload', () => {
  it('streams a raw body in and answers what came, with an address to read it from', async () => {
    const bytes = randomBytes(3_000_001)
    const reply = await upload(`${raw}?fileName=one.apk&sha256=${sha256Of(bytes)}`, bytes)
    expect(reply.status).toBe(200)
    const [file] = reply.json.urlsInfo
    expect(file).toMatchObject({ fileName: 'one.apk', sha256: sha256Of(bytes), size: bytes.length })
    expect(file.objectId).toMatch(/^cn\/\d{10}\/[0-9a-f-]{36}\.apk$/)
    expect(reply.json.othersInfo.bizTag).toBe('app_pkg')
    expect(sha256Of((await send(address, file.url)).bytes)).toBe(sha256Of(bytes))
    expect(await rowOf(file.objectId)).toMatchObject({ state: 'TEMP', team_id: sender.teamId, ref_count: 0 })
  })

  it('takes a form as browsers send it, the fields before the file', async () => {
    const bytes = randomBytes(200_000)
    const sent = form(
      [
        ['bizTag', 'tmp'],
        ['sha256', sha256Of(bytes)],
      ],
      { name: 'лист 1.txt', bytes },
    )
    const reply = await upload(raw, sent.body, sent.headers)
    expect(reply.json.urlsInfo?.[0]).toMatchObject({ fileName: 'лист 1.txt', sha256: sha256Of(bytes) })
    expect(reply.json.othersInfo.bizTag).toBe('tmp')
  })

  it('of the console answers both spellings of the address', async () => {
    const bytes = Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(70_000), Buffer.from('AndroidManifest.xml')])
    const reply = await upload('/api/uploadApk?fileName=x.zip', bytes)
    const [file] = reply.json.urlsInfo
    expect(file.mime).toBe('application/vnd.android.package-archive')
    expect(reply.json.result).toEqual({
      UploadFileRsp: {
        ifSuccess: 1,
        fileInfoList: [{ fileDestUlr: file.url, fileDestUrl: file.url, size: bytes.length, objectId: file.objectId }],
      },
    })
    expect(Object.keys(uploads.calls)).toEqual(['uploadApk', 'uploadImg', 'uploadVideo', 'uploadZip'])
  })

  it('reads the size of an image and goes by its bytes, not by its name', async () => {
    const image = await upload('/api/uploadImg?fileName=page.html', pngHead(640, 480))
    expect(image.json.urlsInfo[0]).toMatchObject({ mime: 'image/png', width: 640, height: 480 })
    const page = await upload('/api/uploadImg?fileName=x.png', Buffer.from('<svg onload=alert(1)>'))
    expect([page.status, page.json.ret.code]).toEqual([422, 201020011])
    const huge = await upload('/api/uploadImg', pngHead(50_000, 50_000))
    expect([huge.status, huge.json.ret.code]).toEqual([422, 201020012])
    const animated = await upload('/api/uploadImg', pngHead(10, 10, true))
    expect([animated.status, animated.json.ret.code]).toEqual([422, 201020013])
  })

  it('is refused at once when it announces more than its tag takes', async () => {
    const before = await upload(`${raw}?bizTag=app_pkg&size=${5e9}`, Buffer.from('x'))
    expect([before.status, before.json.fields[0].pointer]).toEqual([400, '/size'])
    const address5 = await sender.call(objectUploads, 'makeAddress', { body: { fileName: 'big.apk', size: 5e9 } })
    expect(address5.body.fields).toEqual([
      {
        in: 'body',
        pointer: '/size',
        rule: 'maximum',
        message: 'is 5000000000; a file for app_pkg has at most 4294967296 bytes (4.00 GB)',
      },
    ])
    const parts = await sender.call(partUploads, 'beginUpload', { body: { fileName: 'big.apk', size: 5e9 } })
    expect([parts.status, parts.body.fields?.[0]?.pointer]).toEqual([400, '/size'])
    const declared = await upload('/api/uploadImg', [], { 'content-length': 0 })
    expect([declared.status, declared.json.ret.code]).toEqual([400, 201020001])
  })

  it('that announces nothing ends as soon as it is too long, with an answer', async () => {
    const bytes = randomBytes(6 * 1024 ** 2)
    const reply = await upload('/api/uploadImg', bytes, { 'transfer-encoding': 'chunked' })
    expect([reply.status, reply.json.limitBytes]).toEqual([413, 5 * 1024 ** 2])
    expect(await contentsOf(stage, 'CN', bytes)).toBe(false)
  })

  it('without a byte, or with other bytes than promised, is refused', async () => {
    const empty = await upload(raw, [], { 'transfer-encoding': 'chunked' })
    expect([empty.status, empty.json.ret.code]).toEqual([400, 201020001])
    const bytes = randomBytes(1000)
    const wrong = await upload(`${raw}?sha256=${'0'.repeat(64)}`, bytes)
    expect([wrong.status, wrong.json.ret.code, wrong.json.found]).toEqual([422, 201020002, sha256Of(bytes)])
    expect(await contentsOf(stage, 'CN', bytes)).toBe(false)
  })

  it('that is cut leaves nothing behind', async () => {
    const before = await stage.sql('CN', 'SELECT count(*) FROM file_objects')
    const bytes = randomBytes(3_000_000)
    for (const sent of [{ headers: {}, body: bytes }, form([], { name: 'x', bytes })]) {
      const headers = { ...credentials(sender), ...sent.headers, 'content-length': sent.body.length }
      await send(address, raw, { method: 'POST', body: sent.body, headers, cutAfter: 1_000_000 })
    }
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await stage.sql('CN', 'SELECT count(*) FROM file_objects')).toEqual(before)
    expect(await contentsOf(stage, 'CN', bytes)).toBe(false)
  })

  it('needs a session, its header and the right, before a byte is read', async () => {
    const viewer = await stage.person({ team: sender.teamId, roles: ['analyst'] })
    const body = Buffer.from('x')
    const none = await send(address, raw, { method: 'POST', body })
    const forged = await upload(raw, body, { 'x-hd-csrf': 'forged' })
    const denied = await upload(raw, body, {}, viewer)
    expect([none.status, forged.status, denied.status]).toEqual([401, 403, 403])
  })

  it('says beforehand what may be sent', async () => {
    const param = await sender.ok(filesCms, 'getUploadParam', { body: { fileName: 'icon.png' } })
    expect(param).toMatchObject({ bizTag: 'app_img', limitBytes: 5 * 1024 ** 2, chunkBytes: 65_536 })
    const site = await sender.ok(files, 'getRouteSite', { query: { zone: 'EU' } })
    expect(site).toMatchObject({ zone: 'DE', siteId: 7, url: 'http://localhost:8080/de/cfs/file_service/v1' })
    const nowhere = await sender.call(files, 'getRouteSite', { query: { zone: 'XX' } })
    expect([nowhere.status, nowhere.body.ret.msg]).toEqual([400, 'the zone Id is invalid'])
  })
})

describe('a download', () => {
  const bytes = randomBytes(100_000)
  let objectId: string
  let url: string
  beforeAll(async () => {
    objectId = await uploaded(bytes, 'données; "x".bin')
    url = (await sender.ok(files, 'makeDownloadAddress', { body: { objectId } })).url
  })

  it('cannot run as a page of this site and keeps its name', async () => {
    const { status, headers } = await send(address, url)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      etag: `"${sha256Of(bytes)}"`,
      'content-length': '100000',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="donn_es_ _x_.bin"; filename*=UTF-8''donn%C3%A9es_%20_x_.bin`,
    })
  })

  it.each([
    ['bytes=0-99', 206, [0, 100]],
    ['bytes=99990-', 206, [99_990, 100_000]],
    ['bytes=-10', 206, [99_990, 100_000]],
    ['bytes=0-999999', 206, [0, 100_000]],
    ['bytes=0-0,5-6', 200, [0, 100_000]],
    ['bytes=x', 200, [0, 100_000]],
    ['bytes=100000-', 416, [0, 0]],
    ['bytes=-0', 416, [0, 0]],
  ] as const)('of the range %s answers %i', async (range, status, [from, to]) => {
    const reply = await send(address, url, { headers: { range } })
    expect(reply.status).toBe(status)
    expect(reply.bytes.equals(bytes.subarray(from, to))).toBe(true)
    if (status === 206) expect(reply.headers['content-range']).toBe(`bytes ${from}-${to - 1}/100000`)
    if (status === 416) expect(reply.headers['content-range']).toBe('bytes */100000')
  })

  it('is not sent again to who has it, and a range only of what he has', async () => {
    const etag = `"${sha256Of(bytes)}"`
    const same = await send(address, url, { headers: { 'if-none-match': `"x", W/${etag}` } })
    expect([same.status, same.bytes.length]).toEqual([304, 0])
    const other = await send(address, url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
    expect([other.status, other.bytes.length]).toEqual([200, 100_000])
    const head = await send(address, url, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '100000', 0])
  })

  it('is refused for a changed address, for an ended one, and for another object', async () => {
    const other = await uploaded(randomBytes(10))
    const changed = [
      url.replace('sig=', 'sig=x'),
      url.replace(/exp=\d+/, `exp=${stage.clock.now() + day}`),
      url.replace(objectId, other),
      `${url}&name=x.html`,
    ]
    for (const one of changed) {
      const reply = await send(address, one)
      expect([reply.status, reply.json.ret.code]).toEqual([403, 201020004])
    }
    expect((await send(address, `${url}&sig=`)).status).toBe(400)
  })

  it('ends after its hour', async () => {
    const late = await stage.person()
    const own = await uploaded(randomBytes(10), 'a', late)
    const made = await late.ok(files, 'makeDownloadAddress', { body: { objectId: own, fileName: 'b.txt' } })
    expect((await send(address, made.url)).headers['content-disposition']).toContain('b.txt')
    stage.clock.turn(3_600_001)
    const reply = await send(address, made.url)
    expect([reply.status, reply.json.ret.code]).toEqual([403, 201020005])
    sender = await renewed(sender)
    stranger = await renewed(stranger)
  })

  it('of another team is not there, alone or among others', async () => {
    const one = await stranger.call(files, 'makeDownloadAddress', { body: { objectId } })
    const many = await stranger.call(files, 'makeDownloadAddresses', { body: { objectIds: [objectId] } })
    expect([one.status, many.status]).toEqual([404, 404])
    const own = await sender.ok(files, 'makeDownloadAddresses', { body: { objectIds: [objectId, objectId] } })
    expect(own.urlsInfo).toHaveLength(2)
  })
})

describe('a stored object', () => {
  it('is deleted with its bytes, once no other object has the same', async () => {
    const bytes = randomBytes(5000)
    const [one, two] = [await uploaded(bytes), await uploaded(bytes)]
    const url = (await sender.ok(files, 'makeDownloadAddress', { body: { objectId: one } })).url
    const gone = await sender.ok(files, 'deleteObjects', { body: { objectIds: [one] } })
    expect(gone).toMatchObject({ deletedObjects: [one], errorObjects: [] })
    expect((await send(address, url)).status).toBe(404)
    await sweepLater(3_600_000)
    expect(await contentsOf(stage, 'CN', bytes)).toBe(true)
    await sender.ok(files, 'deleteObjects', { body: { objectIds: [two] } })
    await sweepLater(3_600_000)
    expect(await contentsOf(stage, 'CN', bytes)).toBe(false)
  })

  it('is not deleted while something refers to it', async () => {
    const objectId = await uploaded(randomBytes(100))
    const free = await uploaded(randomBytes(100))
    await asTeam(ctx => holdObjects(ctx, [objectId, objectId], app))
    expect(await rowOf(objectId)).toMatchObject({ state: 'NORMAL', ref_count: 2, expire_at: null })
    const held = await sender.call(files, 'deleteObjects', { body: { objectIds: [objectId] } })
    expect([held.status, held.body.ret.code]).toEqual([409, 201020007])
    expect(held.body.ret.msg).toContain('OBJECT_IN_USE')
    const partly = await sender.ok(files, 'deleteObjects', { body: { objectIds: [objectId, free] } })
    expect(partly.deletedObjects).toEqual([free])
    expect(partly.errorObjects).toMatchObject([{ objectId, code: 201020007 }])
    await asTeam(ctx => releaseObjects(ctx, [objectId]))
    expect(await rowOf(objectId)).toMatchObject({ state: 'NORMAL', ref_count: 1 })
    await asTeam(ctx => releaseObjects(ctx, [objectId]))
    expect(await rowOf(objectId)).toMatchObject({ state: 'TEMP', ref_count: 0 })
    expect((await sender.ok(files, 'deleteObjects', { body: { objectIds: [objectId] } })).deletedObjects).toEqual([
      objectId,
    ])
  })

  it('of another team is not there to delete, hold or read', async () => {
    const objectId = await uploaded(randomBytes(100))
    const reply = await stranger.call(files, 'deleteObjects', { body: { objectIds: [objectId] } })
    expect([reply.status, reply.body.ret.code]).toEqual([404, 204160006])
    for (const door of [
      (ctx: Context) => holdObjects(ctx, [objectId], app),
      (ctx: Context) => objectOf(ctx, objectId),
      (ctx: Context) => localObject(ctx, objectId),
    ]) {
      await expect(asTeam<unknown>(door, stranger)).rejects.toMatchObject({ status: 404 })
    }
    expect(await rowOf(objectId)).toMatchObject({ state: 'TEMP', ref_count: 0 })
  })

  it('expires after a day unless something refers to it', async () => {
    const bytes = randomBytes(100)
    const [expiring, kept] = [await uploaded(bytes), await uploaded(randomBytes(100))]
    await asTeam(ctx => holdObjects(ctx, [kept], app))
    await sweepLater(day + 1)
    await expect(asTeam(ctx => holdObjects(ctx, [expiring], app))).rejects.toMatchObject({ status: 404 })
    expect((await rowOf(expiring))?.['state']).toBe('DELETED')
    expect((await rowOf(kept))?.['state']).toBe('NORMAL')
    const events = await stage.sql('CN', 'SELECT type, team_id FROM outbox WHERE entity_id = $1 ORDER BY event_id', [
      expiring,
    ])
    expect(events).toEqual(['file.uploaded', 'file.expired'].map(type => ({ type, team_id: sender.teamId })))
    await sweepLater(3_600_000)
    expect(await contentsOf(stage, 'CN', bytes)).toBe(false)
    await sweepLater(31 * day)
    expect(await rowOf(expiring)).toBeUndefined()
  })

  it('of one zone is neither in the database nor in the folder of another', async () => {
    const bytes = randomBytes(4321)
    const reply = await upload(`/de${raw}`, bytes)
    const [{ objectId, url }] = reply.json.urlsInfo
    expect(objectId).toMatch(/^de\//)
    expect(url).toContain('/de/cfs/')
    expect(await rowOf(objectId)).toBeUndefined()
    expect([await contentsOf(stage, 'CN', bytes), await contentsOf(stage, 'DE', bytes)]).toEqual([false, true])
    expect((await send(address, url)).bytes.equals(bytes)).toBe(true)
    expect((await send(address, url.replace('/de/cfs', '/cfs'))).status).toBe(404)
    expect((await sender.call(files, 'makeDownloadAddress', { body: { objectId } })).status).toBe(404)
    expect((await sender.call(files, 'makeDownloadAddress', { body: { objectId }, zone: 'DE' })).status).toBe(200)
  })

  it('can be made, read and lent by other services', async () => {
    const bytes = pngHead(216, 216)
    const wanted = {
      stream: Readable.from([bytes]),
      fileName: 'icon.png',
      bizTag: 'app_img',
      limitBytes: 1000,
      heldFor: app,
    } as const
    const before = await asTeam(ctx => storageUsed(ctx, 'CN'))
    const made = await asTeam(ctx => storeObject(ctx, wanted))
    expect(made).toMatchObject({ state: 'NORMAL', mime: 'image/png', width: 216, sha256: sha256Of(bytes) })
    const read = await asTeam(ctx => readObject(ctx, made.objectId, { start: 1, end: 3 }))
    expect(Buffer.concat(await read.stream.toArray()).toString()).toBe('PNG')
    const local = await asTeam(ctx => localObject(ctx, made.objectId))
    expect((await readFile(local.path)).equals(bytes)).toBe(true)
    await local.release()
    const url = await asTeam(async ctx => downloadUrlOf(ctx, made.objectId, { ttlSeconds: 60, fileName: 'my.png' }))
    expect((await send(address, url)).headers['content-disposition']).toContain('filename="my.png"')
    expect((await asTeam(ctx => storageUsed(ctx, 'CN'))).bytes - before.bytes).toBe(bytes.length)
    const tooLong = { ...wanted, stream: Readable.from([bytes]), limitBytes: 10 }
    await expect(asTeam(ctx => storeObject(ctx, tooLong))).rejects.toMatchObject({ status: 413 })
  })
})

/** A session anew for the same team: turning the clock ends the old one. */
async function renewed(person: Person): Promise<Person> {
  return stage.person({ team: person.teamId, roles: ['leader'] })
}

async function sweepLater(ms: number): Promise<void> {
  stage.clock.turn(ms)
  await stage.booted.worker.sweep()
  sender = await renewed(sender)
  stranger = await renewed(stranger)
}
