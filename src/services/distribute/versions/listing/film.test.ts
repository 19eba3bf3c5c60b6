import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { files } from '../../../ground/files/contract.ts'
import { filmOf } from '../../../ground/files/tasks/film.testkit.ts'
import { reviewDesk } from '../../review/desk/contract.ts'
import { store } from '../../store/contract.ts'
import { versions } from '../contract.ts'
import { versionShelf } from '../shelf/contract.ts'
import { current, fillDraft, newApp, openScene, png, type Scene, upload } from '../versions.testkit.ts'
import { versionListings } from './contract.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

const good = filmOf(1280, 720, 30)
const send = (bytes: Buffer, fileName = 'film.mp4', bizTag = 'app_video') =>
  upload(scene.stage, scene.owner, bytes, fileName, bizTag)
const cover = (width = 1280, height = 720) => send(png(width, height), 'cover.png', 'app_img')

async function draft() {
  const { appId } = await newApp(scene.owner)
  const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
  return { appId, versionId }
}
async function save(versionId: string, fields: object) {
  const { revision } = await current(scene.owner, versionId)
  return scene.owner.call(versionListings, 'updateListing', { body: { versionId, lang: 'enUS', revision, ...fields } })
}
async function listingOf(versionId: string) {
  const { list } = await scene.owner.ok(versionListings, 'listListings', { query: { versionId, lang: 'enUS' } })
  return list[0]
}
async function set(versionId: string, fields: object) {
  expect((await save(versionId, fields)).status).toBe(200)
  await scene.stage.settle()
  return listingOf(versionId)
}
async function fileOf(objectId: string) {
  const text = 'SELECT state, ref_count AS "refCount" FROM file_objects WHERE object_id = $1'
  const [row] = await scene.stage.sql<{ state: string; refCount: number }>('CN', text, [objectId])
  return row
}
const held = (refCount = 1) => ({ state: 'NORMAL', refCount })
const free = { state: 'TEMP', refCount: 0 }

describe('the film of a listing', () => {
  it('is looked at once it is chosen, held with its cover, exchanged and taken away', async () => {
    const { versionId } = await draft()
    const filmObjectId = await send(good)
    const filmCoverObjectId = await cover()
    const early = await save(versionId, { filmObjectId, filmCoverObjectId })
    expect(early.body.listing.film).toMatchObject({ objectId: filmObjectId, mime: 'video/mp4', state: 'CHECKING' })
    await scene.stage.settle()
    expect(await listingOf(versionId)).toMatchObject({
      film: {
        ...{ objectId: filmObjectId, sizeBytes: good.length, state: 'PASSED' },
        ...{ width: 1280, height: 720, durationMs: 30_000 },
      },
      filmCover: { objectId: filmCoverObjectId, width: 1280, height: 720 },
    })
    expect([await fileOf(filmObjectId), await fileOf(filmCoverObjectId)]).toEqual([held(), held()])

    const kept = await set(versionId, { briefInfo: 'Another brief' })
    expect(kept?.film).toMatchObject({ objectId: filmObjectId, state: 'PASSED' })
    const other = await send(filmOf(1920, 1080, 20))
    const exchanged = await set(versionId, { filmObjectId: other })
    expect(exchanged).toMatchObject({
      film: { objectId: other, width: 1920, durationMs: 20_000 },
      filmCover: { objectId: filmCoverObjectId },
    })
    expect([await fileOf(filmObjectId), await fileOf(other)]).toEqual([free, held()])

    expect((await set(versionId, { filmCoverObjectId: null }))?.filmCover).toBeNull()
    await set(versionId, { filmCoverObjectId })
    expect(await set(versionId, { filmObjectId: null })).toMatchObject({ film: null, filmCover: null })
    expect([await fileOf(other), await fileOf(filmCoverObjectId)]).toEqual([free, free])
  })

  it('of one language is not that of another', async () => {
    const { versionId } = await draft()
    const [one, two] = [await send(good), await send(filmOf(1280, 720, 40))]
    await set(versionId, { filmObjectId: one })
    await set(versionId, { lang: 'deDE', appName: 'Notizen', filmObjectId: two })
    const { list } = await scene.owner.ok(versionListings, 'listListings', { query: { versionId } })
    expect(list.map(row => [row.lang, row.film?.objectId]).sort()).toEqual([
      ['deDE', two],
      ['enUS', one],
    ])
    await scene.owner.ok(versionListings, 'deleteListing', { query: { versionId, lang: 'deDE' } })
    expect([await fileOf(one), await fileOf(two)]).toEqual([held(), free])
  })

  it('is refused at its field when it is no film, not there, or another team’s', async () => {
    const { versionId } = await draft()
    const wrong = [
      await send(png(1280, 720), 'film.png', 'app_img'),
      await send(Buffer.from('no film at all'), 'film.mp4', 'tmp'),
      await send(good, 'film.mp4', 'tmp'),
    ]
    for (const filmObjectId of wrong) {
      const { status, body } = await save(versionId, { filmObjectId })
      expect([status, body.fields?.[0]?.pointer]).toEqual([400, '/filmObjectId'])
    }
    const lonely = await save(versionId, { filmCoverObjectId: await cover() })
    expect([lonely.status, lonely.body.fields?.[0]?.pointer]).toEqual([400, '/filmCoverObjectId'])
    const filmObjectId = await send(good)
    const small = await save(versionId, { filmObjectId, filmCoverObjectId: await cover(300, 300) })
    expect([small.body.ret.code, small.body['actual']]).toEqual([204144754, '300x300'])
    const film = await save(versionId, { filmObjectId, filmCoverObjectId: filmObjectId })
    expect(film.body.ret.code).toBe(204144754)

    const stranger = await scene.stage.person()
    const theirs = await upload(scene.stage, stranger, filmOf(1280, 720, 50), 'film.mp4', 'app_video')
    expect((await save(versionId, { filmObjectId: theirs })).status).toBe(404)
    expect((await save(versionId, { filmObjectId: 'cn/2026112200/none.mp4' })).status).toBe(404)
    expect((await listingOf(versionId))?.film).toBeNull()
  })

  it('that fails its check keeps the version from being submitted, and says why', async () => {
    const { appId, versionId } = await draft()
    const listing = await set(versionId, { filmObjectId: await send(filmOf(1280, 720, 5)) })
    expect(listing?.film).toMatchObject({
      state: 'FAILED',
      hits: [{ rule: 'video.short', level: 'BLOCK', seen: '5 s' }, {}],
    })
    const { status, body } = await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('lasts 5 s; it needs at least 15 s')
    const { readiness } = await scene.owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(readiness).toMatchObject([{ rule: 'video.short', severity: 'BLOCK', field: '/listings/enUS/film' }])

    await save(versionId, { filmObjectId: await send(filmOf(1280, 720, 60)) })
    const early = await scene.owner.ok(versions, 'getVersion', { query: { appId, include: 'readiness' } })
    expect(early.readiness?.map(one => one.rule)).toEqual(['video.checking'])
    await scene.stage.settle()
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
  })

  it('goes with the next version, whose own it is', async () => {
    const { appId } = await newApp(scene.owner)
    await fillDraft(scene.stage, scene.owner, appId, 10)
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    const first = version?.versionId ?? ''
    const filmObjectId = await send(good)
    const filmCoverObjectId = await cover()
    await set(first, { filmObjectId, filmCoverObjectId })
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId: first } })
    await scene.stage.settle()
    await scene.approve(first)
    await scene.stage.settle()
    const next = await scene.owner.ok(versions, 'createVersion', { body: { appId } })
    expect(await listingOf(next.versionId)).toMatchObject({
      film: { objectId: filmObjectId, state: 'PASSED' },
      filmCover: { objectId: filmCoverObjectId },
    })
    expect([await fileOf(filmObjectId), await fileOf(filmCoverObjectId)]).toEqual([held(2), held(2)])
    await set(next.versionId, { filmObjectId: null })
    expect((await listingOf(first))?.film?.objectId).toBe(filmObjectId)
    expect(await fileOf(filmObjectId)).toEqual(held(1))
    const gone = await scene.owner.call(files, 'deleteObjects', { body: { objectIds: [filmObjectId] } })
    expect(await fileOf(filmObjectId), gone.text).toEqual(held(1))
  })

  it('can be seen on the desk with its cover, in parts too', async () => {
    const { versionId } = await draft()
    const filmObjectId = await send(good)
    const filmCoverObjectId = await cover()
    await set(versionId, { filmObjectId, filmCoverObjectId })
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    await scene.stage.settle()
    const reviewer = await scene.stage.person({ staff: ['reviewer'] })
    const { appId } = await current(scene.owner, versionId)
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
    const taskId = list[0]?.taskId ?? ''
    const { evidence } = await reviewer.ok(reviewDesk, 'getTask', { query: { taskId } })
    expect(evidence.listings[0]).toMatchObject({
      film: { objectId: filmObjectId, state: 'PASSED' },
      filmCover: { objectId: filmCoverObjectId },
    })
    const shown = await reviewer.ok(reviewDesk, 'listTaskObjects', { query: { taskId } })
    const found = shown.list.find(one => one.objectId === filmObjectId)
    expect(found?.mime).toBe('video/mp4')
    expect(shown.list.some(one => one.objectId === filmCoverObjectId)).toBe(true)
    const { pathname, search } = new URL(found?.url ?? '')
    const part = await scene.stage.app.inject({ url: pathname + search, headers: { range: 'bytes=4-7' } })
    expect([part.statusCode, part.headers['content-type'], part.payload]).toEqual([206, 'video/mp4', 'ftyp'])
  })
})

describe('the film on the store’s page', () => {
  it('is there with its cover once the version is on shelf, byte for byte, in parts too, and gone with it', async () => {
    const { appId, versionId } = await draft()
    const packageName = 'com.example.filmed'
    await scene.stage.sql('CN', 'UPDATE apps SET package_name = $1 WHERE app_id = $2', [packageName, appId])
    const bytes = filmOf(1280, 720, 33)
    const filmObjectId = await send(bytes)
    await set(versionId, { filmObjectId, filmCoverObjectId: await cover() })
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    await scene.stage.settle()
    const text = 'SELECT public_object_id AS "publicId" FROM store_pictures WHERE object_id = $1'
    const [made] = await scene.stage.sql<{ publicId: string }>('CN', text, [filmObjectId])
    expect(made?.publicId).not.toBe(filmObjectId)
    const nameOf = (id: string) => `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.mp4`
    const address = `/store/media/${nameOf(made?.publicId ?? '')}`
    expect((await scene.stage.app.inject(address)).statusCode).toBe(404)

    await scene.approve(versionId)
    await scene.stage.settle()
    const page = () => scene.stage.anybody.call(store, 'getApp', { params: { packageName } })
    const { film } = (await page()).body
    expect(film).toEqual({
      url: expect.stringMatching(new RegExp(`${address}$`)),
      coverUrl: expect.stringMatching(/\/store\/media\/[0-9a-f]{32}\.png$/),
    })
    const whole = await scene.stage.app.inject(address)
    expect([whole.statusCode, whole.headers['content-type'], whole.headers['accept-ranges']]).toEqual([
      ...[200, 'video/mp4', 'bytes'],
    ])
    expect(whole.rawPayload.equals(bytes)).toBe(true)
    const part = await scene.stage.app.inject({ url: address, headers: { range: 'bytes=10-19' } })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 10-19/${bytes.length}`])
    expect(part.rawPayload.equals(bytes.subarray(10, 20))).toBe(true)
    const beyond = await scene.stage.app.inject({ url: address, headers: { range: `bytes=${bytes.length}-` } })
    expect(beyond.statusCode).toBe(416)
    expect((await scene.stage.app.inject(`/store/media/${nameOf(filmObjectId)}`)).statusCode).toBe(404)

    const body = { versionId, reason: 'It will be replaced by another app.' }
    await scene.owner.ok(versionShelf, 'shelfOffVersion', { body })
    await scene.stage.settle()
    expect((await page()).status).toBe(404)
    expect((await scene.stage.app.inject(address)).statusCode).toBe(404)
  })

  it('is none where the listing has none', async () => {
    const { appId, versionId } = await draft()
    const packageName = 'com.example.still'
    await scene.stage.sql('CN', 'UPDATE apps SET package_name = $1 WHERE app_id = $2', [packageName, appId])
    await scene.owner.ok(versions, 'submitVersion', { body: { versionId } })
    await scene.stage.settle()
    await scene.approve(versionId)
    await scene.stage.settle()
    expect((await scene.stage.anybody.ok(store, 'getApp', { params: { packageName } })).film).toBeNull()
  })
})
