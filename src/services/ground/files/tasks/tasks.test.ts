import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { files } from '../contract.ts'
import { credentials, send, sha256Of } from '../sender.testkit.ts'
import { fileTasks } from './contract.ts'
import { filmOf } from './film.testkit.ts'
import { itemsFor, judgeKind } from './items.ts'
import { worstOf } from './rules.ts'

let stage: Stage
let sender: Person
let address: string
let elsewhere: http.Server
let at: string
let answer: http.RequestListener = (_request, response) => response.end()

beforeAll(async () => {
  elsewhere = http.createServer((request, response) => answer(request, response))
  await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done))
  const { port } = elsewhere.address() as AddressInfo
  at = `http://127.0.0.1:${port}`
  stage = await openStage({ outboundAllow: [`127.0.0.1:${port}`] })
  sender = await stage.person()
  address = await stage.listen()
})
afterAll(async () => {
  await stage.close()
  elsewhere.closeAllConnections()
  elsewhere.close()
})

async function uploaded(bytes: Buffer, fileName: string, bizTag?: string): Promise<string> {
  const query = new URLSearchParams({ fileName, ...(bizTag ? { bizTag } : {}) })
  const path = `${files.prefix}/upload/object?${query}`
  const reply = await send(address, path, { method: 'POST', body: bytes, headers: credentials(sender) })
  if (reply.status !== 200) throw new Error(reply.bytes.toString())
  return reply.json.urlsInfo[0].objectId
}

const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#357' } })
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer()

describe('a file fetched by its address', () => {
  it('is stored as an upload is, and the answer has it at once when it is small', async () => {
    const bytes = await picture()
    answer = (_request, response) => response.setHeader('content-length', bytes.length).end(bytes)
    const body = { url: `${at}/shots/one%20two.jpg?key=secret`, waitSeconds: 20 }
    const made = await sender.ok(fileTasks, 'fetchByUrl', { body })
    expect(made).toMatchObject({ state: 'DONE', percent: 100, error: null, othersInfo: { bizTag: 'app_img' } })
    expect(made.urlsInfo[0]).toMatchObject({
      fileName: 'one two.jpg',
      sha256: sha256Of(bytes),
      width: 60,
      mime: 'image/jpeg',
    })
    expect((await send(address, made.urlsInfo[0]?.url ?? '')).bytes.equals(bytes)).toBe(true)
    const audits = await stage.sql('CN', `SELECT after FROM audit WHERE entity_id = $1 AND action = 'file.fetch'`, [
      made.objectId,
    ])
    expect(JSON.stringify(audits)).not.toContain('secret')
  })

  it('can be asked for later, by its own team only', async () => {
    let finish: () => void = () => undefined
    answer = (_request, response) => {
      response.setHeader('content-length', 2000).write(Buffer.alloc(1000))
      finish = () => response.end(Buffer.alloc(1000))
    }
    const made = await sender.ok(fileTasks, 'fetchByUrl', { body: { url: `${at}/a.bin`, waitSeconds: 1 } })
    expect(made).toMatchObject({ state: 'RUNNING', urlsInfo: [] })
    const query = { taskId: made.taskId }
    expect((await (await stage.person()).call(fileTasks, 'getFetched', { query })).status).toBe(404)
    finish()
    const done = await sender.ok(fileTasks, 'getFetched', { query: { ...query, waitSeconds: 20 } })
    expect(done).toMatchObject({ state: 'DONE', urlsInfo: [{ size: 2000 }] })
  })

  it.each([
    ['http://169.254.169.254/latest'],
    ['http://[::1]:5432/'],
    ['http://localhost.:1/x\u0000'],
    ['file:///etc/passwd'],
    ['http://a:b@example.com/'],
  ])('is refused at once for %s, with the field named and nothing written', async url => {
    const before = await stage.sql('CN', 'SELECT count(*) FROM file_objects')
    const reply = await sender.call(fileTasks, 'fetchByUrl', { body: { url, waitSeconds: 20 } })
    if (reply.status === 200) expect(reply.body.error?.code).toBe(204144655)
    else expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/url'])
    if (reply.status !== 200) expect(await stage.sql('CN', 'SELECT count(*) FROM file_objects')).toEqual(before)
  })

  it.each([
    ['that is not there', 201020015, (response: http.ServerResponse) => response.writeHead(404).end()],
    [
      'of a private host behind a redirect',
      204144655,
      (response: http.ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['of another kind', 201020011, (response: http.ServerResponse) => response.end('<svg onload="x"/>')],
    [
      'that says it is too large',
      200000009,
      (response: http.ServerResponse) => response.writeHead(200, { 'content-length': 6_000_000 }).write('x'),
    ],
    [
      'that is cut',
      204144655,
      (response: http.ServerResponse) => {
        response.writeHead(200, { 'content-length': 100 }).write('x')
        setTimeout(() => response.destroy(), 30)
      },
    ],
    ['that is empty', 201020001, (response: http.ServerResponse) => response.end()],
  ])('%s fails with a reason and leaves no object', async (_what, code, act) => {
    answer = (_request, response) => void act(response)
    const made = await sender.ok(fileTasks, 'fetchByUrl', { body: { url: `${at}/x.png`, waitSeconds: 20 } })
    expect([made.state, made.error?.code, made.urlsInfo]).toEqual(['FAILED', code, []])
    expect((await sender.call(files, 'makeDownloadAddress', { body: { objectId: made.objectId } })).status).toBe(404)
  })

  it('with another digest than promised is refused', async () => {
    answer = (_request, response) => response.end('data')
    const body = { url: `${at}/x.bin`, sha256: '0'.repeat(64), waitSeconds: 20 }
    expect((await sender.ok(fileTasks, 'fetchByUrl', { body })).error?.code).toBe(201020002)
  })
})

describe('a check', () => {
  const check = async (objectIds: string[]) =>
    (await sender.ok(fileTasks, 'startCheck', { body: { objectIds, waitSeconds: 20 } })).results

  it('finds whole files of the kind they say in order', async () => {
    const bytes = await picture()
    const [image, film, text] = [
      await uploaded(bytes, 'a.jpg'),
      await uploaded(filmOf(320, 180, 7), 'a.mp4'),
      await uploaded(Buffer.from('plain words'), 'a.txt'),
    ] as const
    const results = await check([image, film, text])
    expect(results.map(one => [one.objectId, one.result])).toEqual([image, film, text].map(id => [id, 'PASS']))
    expect(results[0]?.items.map(one => one.itemId)).toEqual(itemsFor('app_img'))
    expect(results[0]?.items.find(one => one.itemId === 'image')?.message).toContain('60 x 40 pixels; its EXIF')
    expect(results[1]?.items.find(one => one.itemId === 'video')?.message).toContain('320 x 180, 7.0 s')
    const details = await sender.ok(fileTasks, 'getCheckDetails', { query: { objectId: image } })
    expect(details).toMatchObject({ checkState: 'PASS', items: results[0]?.items })
    const events = await stage.sql(
      'CN',
      `SELECT data->>'verdict' AS verdict FROM outbox WHERE entity_id = $1 AND type = 'file.checked'`,
      [image],
    )
    expect(events).toEqual([{ verdict: 'PASS' }])
  })

  it('finds the test virus, also over the seam of two readings', async () => {
    const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
    const seam = Buffer.concat([Buffer.alloc(1_048_576 - 30, 'a'), Buffer.from(eicar), Buffer.alloc(10)])
    const results = await check([await uploaded(Buffer.from(eicar), 'a.com'), await uploaded(seam, 'b.dat')])
    expect(results.map(one => one.result)).toEqual(['REJECT', 'REJECT'])
  })

  it('finds a program under another name, a picture that breaks off, and bytes that changed on the disk', async () => {
    const program = Buffer.concat([Buffer.from('MZ'), randomBytes(200)])
    const whole = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer()
    const rotten = randomBytes(500)
    const ids = [
      await uploaded(program, 'readme.txt'),
      await uploaded(whole.subarray(0, whole.length / 2), 'half.png'),
      await uploaded(rotten, 'rotten.dat'),
    ]
    const local = await stage.booted.server.bytes('CN').localFile(sha256Of(rotten))
    rmSync(local.path)
    writeFileSync(local.path, randomBytes(500))
    expect((await check(ids)).map(one => one.result)).toEqual(['RISK', 'REJECT', 'REJECT'])
  })

  it('takes no file of another team, and says what it looks at', async () => {
    const objectId = await uploaded(Buffer.from('ours'), 'a.txt')
    const stranger = await stage.person()
    const reply = await stranger.call(fileTasks, 'startCheck', { body: { objectIds: [objectId] } })
    expect(reply.status).toBe(404)
    expect((await stranger.call(fileTasks, 'getCheckDetails', { query: { objectId } })).status).toBe(404)
    const items = await stranger.ok(fileTasks, 'listCheckItems')
    expect(items.list.map(one => one.itemId)).toEqual(['digest', 'kind', 'image', 'video', 'malware'])
    expect(await sender.ok(fileTasks, 'getCheckDetails', { query: { objectId } })).toMatchObject({ checkState: null })
  })
})

describe('a film', () => {
  it('tells its size, length and codec', async () => {
    const objectId = await uploaded(filmOf(1280, 720, 12), 'trailer.mp4')
    const body = { objectId, waitSeconds: 20 }
    const begun = await sender.ok(fileTasks, 'parseVideo', { body })
    expect(begun).toMatchObject({
      state: 'DONE',
      width: 1280,
      height: 720,
      durationMs: 12_000,
      codec: 'AVC',
      container: 'MPEG-4',
    })
    const { taskId } = begun
    expect(await sender.ok(fileTasks, 'getVideo', { query: { taskId } })).toMatchObject({ objectId, width: 1280 })
    expect((await (await stage.person()).call(fileTasks, 'getVideo', { query: { taskId } })).status).toBe(404)
  })

  // The two bytes of a FLIC are no film: one file of noise in some hundreds has those of one raw format or another.
  it.each([
    ['noise', randomBytes(5000)],
    [
      'noise with the magic number of a FLIC',
      Buffer.concat([randomBytes(4), Buffer.from([0x12, 0xaf]), randomBytes(5000)]),
    ],
  ])('that is none is said to be so: $0', async (_of, bytes) => {
    const objectId = await uploaded(bytes, 'noise.bin')
    const begun = await sender.ok(fileTasks, 'parseVideo', { body: { objectId, waitSeconds: 20 } })
    expect([begun.state, begun.error?.code]).toEqual(['FAILED', 201020016])
  })
})

describe('a kind found in the bytes', () => {
  it.each([
    ['image/png', 'png', 'app_img', 'PASS'],
    ['image/gif', 'png', 'app_img', 'REJECT'],
    [null, 'png', 'app_img', 'REJECT'],
    ['image/png', 'jpg', 'app_img', 'RISK'],
    [null, 'txt', 'tmp', 'PASS'],
    ['application/x-msdownload', 'pdf', 'tmp', 'RISK'],
    ['application/zip', 'apk', 'app_pkg', 'PASS'],
  ] as const)('%s as .%s for %s: %s', (found, extension, tag, verdict) => {
    expect(judgeKind(found, extension, tag).verdict).toBe(verdict)
  })

  it('counts as its worst item', () => {
    expect([worstOf([]), worstOf(['PASS', 'RISK']), worstOf(['ERROR', 'REJECT']), worstOf(['ERROR', 'RISK'])]).toEqual([
      'PASS',
      'RISK',
      'REJECT',
      'ERROR',
    ])
  })
})
