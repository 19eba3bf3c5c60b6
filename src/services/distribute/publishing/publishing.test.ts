import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filmOf } from '../../ground/files/tasks/film.testkit.ts'
import { hasAndroidTools } from '../packages/apk/build-apk.testkit.ts'
import { solidPng } from '../packages/apk/png.testkit.ts'
import { newApp } from '../packages/packages.testkit.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import { fillDraft, newApp as newVersionedApp } from '../versions/versions.testkit.ts'
import { builtApk, openScene, releasing, type Scene } from './publishing.testkit.ts'
import type { Tool } from './tools.testkit.ts'

/** What the answers of these calls have, each its own. */
interface Told {
  ret: { code: number; msg: string }
  access_token: string
  token_type: string
  expires_in: number
  uploadUrl: string
  authCode: string
  urlInfo: { url: string; method: string; headers: Record<string, string>; objectId: string }
  result: { UploadFileRsp: { fileInfoList: { fileDestUlr: string }[] } }
  pkgVersion: string[]
  pkgStateList: { failReason: string[] }[]
  appInfo: object
  languages: object[]
}
const told = async (reply: Response) => ({ status: reply.status, body: (await reply.json()) as Told })

let scene: Scene
let tool: Tool
let token: string
/** A server of the developer, where packages lie. */
let elsewhere: http.Server
let at: string
let fetches = 0
let pack: Buffer = Buffer.from('PK no package')
beforeAll(async () => {
  elsewhere = http.createServer((request, response) => {
    fetches += 1
    response.statusCode = request.url === '/gone.apk' ? 410 : 200
    response.end(pack)
  })
  await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done))
  const { port } = elsewhere.address() as AddressInfo
  at = `http://127.0.0.1:${port}`
  scene = await openScene([`127.0.0.1:${port}`])
  tool = await scene.tool([...releasing, 'versions.release', 'versions.withdraw', 'files.upload', 'files.read'])
  token = (await askToken(tool)).body.access_token
})
afterAll(async () => {
  await scene.stage.close()
  elsewhere.closeAllConnections()
  elsewhere.close()
})

async function askToken({ origin, clientId, clientSecret }: Tool) {
  const reply = await fetch(`${origin}/api/oauth2/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  return told(reply)
}

async function ask(method: string, place: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(`${scene.origin}/api/publish${place}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      client_id: tool.clientId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return told(reply)
}

const ofApp = (place: string) => `${place}${place.includes('?') ? '&' : '?'}appId=${scene.appId}`

async function send(address: { uploadUrl: string; authCode: string }, bytes: Buffer, name: string) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  form.append('authCode', address.authCode)
  form.append('fileCount', '1')
  const { pathname } = new URL(address.uploadUrl)
  const reply = await fetch(scene.origin + pathname, { method: 'POST', body: form })
  return told(reply)
}

const files = async () => (await scene.stage.sql('CN', 'SELECT object_id FROM file_objects')).length

describe('who asks', () => {
  it('gets a token by JSON from the one token service: access_token and expires_in', async () => {
    const { status, body } = await askToken(tool)
    expect([status, body.token_type, body.expires_in > 60]).toEqual([200, 'Bearer', true])
  })

  it('with a wrong secret is 401 with a ret that says why', async () => {
    const { status, body } = await askToken({ ...tool, clientSecret: 'wrong' })
    expect([status, body.access_token, body.ret.code]).toEqual([401, undefined, 201120010])
  })

  it('with a wrong token is 401 with 205524993', async () => {
    const { status, body } = await ask('GET', ofApp('/v2/app-info'), undefined, { authorization: 'Bearer nothing' })
    expect([status, body.ret.code]).toEqual([401, 205524993])
  })

  it('with a header client_id that is not the client of the token is refused the same way', async () => {
    const { status, body } = await ask('GET', ofApp('/v2/app-info'), undefined, { client_id: '123456' })
    expect([status, body.ret.code]).toEqual([401, 205524993])
  })

  it('finds no app of another team by its package name, and 404 by its id', async () => {
    const stranger = await scene.stage.person()
    const { appId } = await newApp(stranger)
    expect((await ask('GET', '/v2/appid-list?packageName=com.example.other')).body).toMatchObject({ appids: [] })
    expect((await ask('GET', `/v2/app-info?appId=${appId}`)).status).toBe(404)
  })
})

describe('an upload address', () => {
  const address = async (suffix: string) => (await ask('GET', ofApp(`/v2/upload-url?suffix=${suffix}`))).body

  it('keeps nothing of a form whose authCode is not its own', async () => {
    const before = await files()
    const refused = await send({ ...(await address('apk')), authCode: 'guessed' }, Buffer.from('PK'), 'a.apk')
    expect([refused.status, refused.body.ret.code, await files()]).toEqual([403, 202070002, before])
  })

  it('that was changed, or is of another zone, takes nothing', async () => {
    const real = await address('apk')
    const changed = { ...real, uploadUrl: `${real.uploadUrl.slice(0, -3)}AAA` }
    const elsewhere = { ...real, uploadUrl: real.uploadUrl.replace('/cn/', '/de/') }
    for (const one of [changed, elsewhere])
      expect((await send(one, Buffer.from('PK'), 'a.apk')).body.ret.code).toBe(202070001)
  })

  it('takes a picture as an icon, which app-file-info with fileType 0 puts into the listing', async () => {
    const sent = await send(await address('png'), solidPng(216, 216), 'icon.png')
    const [one] = sent.body.result.UploadFileRsp.fileInfoList
    expect(sent.body.result).toMatchObject({ resultCode: '0', UploadFileRsp: { ifSuccess: 1 } })
    const body = { fileType: 0, lang: 'en-US', files: [{ fileName: 'icon.png', fileDestUrl: one?.fileDestUlr }] }
    expect((await ask('PUT', ofApp('/v2/app-file-info'), body)).body.ret).toEqual({ code: 0, msg: 'success' })
  })

  it('takes a film with the picture before it, and refuses WebM and QuickTime by what they are', async () => {
    const put = async (name: string, bytes: Buffer) => {
      const sent = await send(await address(name.split('.')[1] ?? ''), bytes, name)
      return { fileName: name, fileDestUrl: sent.body.result.UploadFileRsp.fileInfoList[0]?.fileDestUlr }
    }
    const [film, cover] = [await put('film.mp4', filmOf(1280, 720, 30)), await put('cover.png', solidPng(1280, 720))]
    const info = (files: unknown[]) =>
      ask('PUT', ofApp('/v2/app-file-info'), { fileType: 1, lang: 'en-US', files }).then(reply => reply.body.ret)
    expect(await info([cover, film])).toEqual({ code: 0, msg: 'success' })
    await scene.stage.settle()
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    const query = { versionId: version?.versionId ?? '', lang: 'enUS' as const }
    const [listing] = (await scene.owner.ok(versionListings, 'listListings', { query })).list
    expect([listing?.film?.state, listing?.filmCover?.objectId.endsWith('.png')]).toEqual(['PASSED', true])
    expect((await info([film, film])).code).toBe(202070008)
    expect((await info([cover])).code).toBe(202070008)
    const webm = await put('film.webm', Buffer.from('1a45dfa3a34286810142f7810142f2810442f381084282847765626d', 'hex'))
    const quickTime = await put(
      'film.mov',
      Buffer.concat([Buffer.from('00000014667479707174202000000000', 'hex'), Buffer.alloc(32)]),
    )
    for (const other of [webm, quickTime]) {
      const refused = await info([other])
      expect(refused.code).not.toBe(0)
      expect(refused.msg).toMatch(/MP4/)
    }
  })

  it('of the second kind takes a PUT with its headers, and its objectId is a fileDestUrl', async () => {
    const bytes = Buffer.from('PK no package')
    const place = `/v2/upload-url/for-obs?fileName=app.apk&contentLength=${bytes.length}`
    const { urlInfo } = (await ask('GET', ofApp(place))).body
    const { pathname, search } = new URL(urlInfo.url)
    const put = await fetch(scene.origin + pathname + search, {
      method: urlInfo.method,
      headers: urlInfo.headers,
      body: bytes,
    })
    expect(put.status).toBe(200)
    const body = { fileType: '5', files: [{ fileName: 'app.apk', fileDestUrl: urlInfo.objectId }] }
    const { pkgVersion } = (await ask('PUT', ofApp('/v2/app-file-info'), body)).body
    await scene.stage.settle()
    const place2 = ofApp(`/v2/package/compile/status?pkgIds=${pkgVersion}`)
    const { pkgStateList } = (await ask('GET', place2)).body
    expect(pkgStateList).toMatchObject([{ pkgId: pkgVersion[0], successStatus: 2 }])
    expect(pkgStateList[0]?.failReason[0]).toMatch(/\w+/)
  })

  it.each([
    [{ fileType: 9, files: [{ fileDestUrl: 'cn/2026112205/0f0e0d0c-0b0a-4908-8706-050403020100.apk' }] }, 202070004],
    [{ fileType: 5, files: [{ fileDestUrl: 'https://other.example/app.apk' }] }, 202070005],
  ])('%o is refused with HTTP 200 and %i', async (body, code) => {
    const reply = await ask('PUT', ofApp('/v2/app-file-info'), body)
    expect([reply.status, reply.body.ret.code]).toEqual([200, code])
  })
})

describe('the version', () => {
  let appId: string
  beforeAll(async () => {
    appId = (await newVersionedApp(scene.owner)).appId
  })
  const of = (place: string) => `${place}${place.includes('?') ? '&' : '?'}appId=${appId}`

  it('submitted for a time waits for it, takes another time, and is taken back', async () => {
    await fillDraft(scene.stage, scene.owner, appId, 7)
    const hour = 3_600_000
    const written = (ms: number) =>
      encodeURIComponent(new Date(scene.stage.clock.now() + ms).toISOString().replace(/\.\d{3}Z$/, '+0000'))
    const place = of(`/v2/app-submit?releaseType=1&releaseTime=${written(hour)}`)
    expect((await ask('POST', place)).body.ret.code).toBe(0)
    await scene.decide('APPROVE', appId)
    expect((await scene.info(appId)).appInfo.releaseState).toBe(3)
    const releaseTime = decodeURIComponent(written(2 * hour))
    const change = await ask('PUT', of('/v2/on-shelf-time'), { changeType: '3', releaseTime, releaseType: 1 })
    expect(change.body.ret.code).toBe(0)
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    expect(version?.onShelfTime).toBe(Date.parse(releaseTime.replace('+0000', 'Z')))
    expect((await ask('PUT', of('/v2/version/on-shelf/cancel'))).body.ret.code).toBe(0)
    expect((await scene.info(appId)).appInfo.releaseState).toBe(11)
  })

  it('that waits for its package is told with the number and words at which tools try again', async () => {
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    const set = (what: string) =>
      scene.stage.sql('CN', `UPDATE packages SET ${what} WHERE pkg_id = $1`, [version?.pkgId])
    const anotherTask = `(SELECT max(task_id) FROM packages WHERE state = 'FAILED')`
    await set(`state = 'PARSING', task_id = ${anotherTask}`)
    const { status, body } = await ask('POST', of('/v2/app-submit'))
    expect([status, body.ret.code]).toEqual([200, 204144660])
    expect(body.ret.msg).toContain('It may take 2-5 minutes')
    await set(`state = 'READY'`)
  })

  it('comes to a share of devices that is enlarged, paused, and ended by the words of the field', async () => {
    expect((await ask('POST', of('/v2/app-submit'))).body.ret.code).toBe(0)
    await scene.decide('APPROVE', appId)
    expect((await scene.info(appId)).appInfo.releaseState).toBe(0)
    await fillDraft(scene.stage, scene.owner, appId, 8)
    const plan = { phasedReleasePercent: '1.50', phasedReleaseDescription: 'A few first' }
    expect((await ask('POST', of('/v2/app-submit?releaseType=3'), plan)).body.ret.code).toBe(0)
    await scene.decide('APPROVE', appId)
    const more = await ask('PUT', of('/v2/phased-release'), { phasedReleasePercent: 20 })
    const less = await ask('PUT', of('/v2/phased-release'), { phasedReleasePercent: 10 })
    expect([more.body.ret.code, less.status, less.body.ret.code]).toEqual([0, 200, 202030021])
    for (const state of ['SUSPEND', 'RELEASE', 'GRAY_TERMINATED'])
      expect((await ask('PUT', of('/v2/phased-release/state'), { state })).body.ret.code).toBe(0)
    const { phased } = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    expect(phased).toBeNull()
  })
})

describe('app-info', () => {
  it('changes the privacy address and countries, and says which fields it does not take', async () => {
    const body = { privacyPolicy: 'https://example.org/p', publishCountry: 'DE,FR' }
    expect((await ask('PUT', ofApp('/v2/app-info'), body)).body.ret.code).toBe(0)
    expect((await ask('GET', ofApp('/v2/app-info'))).body.appInfo).toMatchObject(body)
    const refused = await ask('PUT', ofApp('/v2/app-info'), { isFree: 1 })
    expect(refused.body.ret).toMatchObject({ code: 202070006, msg: expect.stringContaining('isFree') })
  })

  it('has each language; one is written, and taken out again', async () => {
    const texts = { lang: 'de-DE', appName: 'Bote', briefInfo: 'Kurz', appDesc: 'Lang' }
    expect((await ask('PUT', ofApp('/v2/app-language-info'), texts)).body.ret.code).toBe(0)
    const place = ofApp('/v2/app-info?lang=de-DE')
    expect((await ask('GET', place)).body.languages).toMatchObject([texts])
    expect((await ask('DELETE', ofApp('/v2/app-language-info?lang=de-DE'))).body.ret.code).toBe(0)
    expect((await ask('GET', place)).body.languages).toEqual([])
  })
})

describe('a package at an address of the developer', () => {
  const submit = (wish: object) =>
    ask('POST', ofApp('/v2/app-submit-with-file'), {
      downloadFileName: 'app.apk',
      requestId: 'r1',
      releaseType: 1,
      ...wish,
    })
  const packagesOfApp = () =>
    scene.stage.sql('CN', 'SELECT pkg_id FROM packages WHERE app_id = $1', [scene.appId]).then(rows => rows.length)

  it('that cannot be had, or is none that may be asked, is refused by its field and leaves nothing', async () => {
    const before = await packagesOfApp()
    const inside = await submit({ downloadUrl: 'http://169.254.169.254/app.apk', requestId: 'inside' })
    expect([inside.status, inside.body.ret.code === 0]).toEqual([200, false])
    expect(inside.body.ret.msg).toContain('/downloadUrl')
    const gone = await submit({ downloadUrl: `${at}/gone.apk`, requestId: 'gone' })
    expect(gone.body.ret).toMatchObject({ code: 202070009, msg: expect.stringContaining('410') })
    expect(await packagesOfApp()).toBe(before)
  })

  it.skipIf(!hasAndroidTools())('is fetched once, read, and goes to the store by itself with its time', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-with-file-'))
    pack = readFileSync(await builtApk(folder, 300))
    rmSync(folder, { recursive: true, force: true })
    fetches = 0
    const releaseTime = new Date(scene.stage.clock.now() + 7_200_000).toISOString().replace(/\.\d{3}Z$/, '+0000')
    const wish = { downloadUrl: `${at}/app.apk?sign=a%2Fb`, requestId: 'r300', releaseTime }
    const sent = await submit(wish)
    expect(sent.body).toMatchObject({ ret: { code: 0 }, pkgVersion: [expect.stringMatching(/^\d+$/)] })
    expect(fetches).toBe(1)
    await scene.stage.settle()
    expect((await scene.info()).appInfo).toMatchObject({ releaseState: 4, versionCode: '300' })
    const { version } = await scene.owner.ok(versions, 'getVersion', { query: { appId: scene.appId } })
    expect(version).toMatchObject({ releaseMode: 'TIMED', onShelfTime: Date.parse(releaseTime.replace('+0000', 'Z')) })
    const again = await submit(wish)
    expect([again.status, again.body.ret.code === 0]).toEqual([200, false])
    expect(again.body.ret.msg).toContain('IN_REVIEW')
  })

  it('needs the right to upload as well as to submit', async () => {
    const lacking = await askToken(await scene.tool(releasing))
    const headers = { authorization: `Bearer ${lacking.body.access_token}`, 'content-type': 'application/json' }
    const body = { downloadUrl: `${at}/app.apk`, downloadFileName: 'app.apk', requestId: 'no right' }
    const reply = await fetch(`${scene.origin}/api/publish${ofApp('/v2/app-submit-with-file')}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(403)
    expect(JSON.stringify(await reply.json())).toContain('files.upload')
  })
})
