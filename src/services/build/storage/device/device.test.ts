import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { storageFiles } from '../files/contract.ts'
import { storageSecurity } from '../security/contract.ts'
import { newStorage, setLevel } from '../storage.testkit.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let stage: Stage
let owner: Person
let app: AppOnDevice
let device: Device
let user: DeviceUser
let bucketId: string

beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  owner = app.owner
  ;({ bucketId } = await owner.ok(storage, 'initData', { body: { projectId: app.projectId, bucketName: 'app-files' } }))
  await setLevel(stage, { projectId: app.projectId, bucketId }, 'PAID')
  device = await app.install()
  user = await device.anonymous()
})
afterAll(() => stage.close())

interface Sent {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  payload?: Buffer | string
  headers?: Record<string, string | number>
  as?: DeviceUser | null
  token?: string
}

/** As the public client sends it: the whole path in one piece. */
async function send(path: string, sent: Sent = {}) {
  const { method = 'GET', payload, headers = {}, as = user, token = device.clientToken } = sent
  const reply = await stage.app.inject({
    method,
    url: path,
    headers: {
      authorization: `Bearer ${token}`,
      access_token: as?.accessToken ?? '',
      productid: app.projectId,
      'content-type': 'text/plain',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const isJson = String(reply.headers['content-type']).includes('json') && reply.rawPayload.length > 0
  return {
    status: reply.statusCode,
    headers: reply.headers,
    bytes: reply.rawPayload,
    json: isJson ? reply.json() : null,
  }
}

const at = (path: string, query = '') => `/v0/${bucketId}/${encodeURIComponent(path)}${query}`
const put = (path: string, payload: Buffer | string, headers: Record<string, string | number> = {}, more: Sent = {}) =>
  send(at(path), { method: 'PUT', payload, headers, ...more })

describe('a small file of an app', () => {
  it('goes in at once with what is said of it, and comes out again', async () => {
    const bytes = randomBytes(10_000)
    const sent = await put('notes/one.bin', bytes, {
      'x-agc-content-type': 'image/png',
      'x-agc-cache-control': 'max-age=60',
      'x-agc-sha256': sha256(bytes),
      'x-agc-meta-Shade': 'green',
    })
    expect(sent.json.fileInfo).toMatchObject({
      bucket: bucketId,
      path: 'notes/one.bin',
      name: 'one.bin',
      size: 10_000,
      contentType: 'image/png',
      cacheControl: 'max-age=60',
      sha256: sha256(bytes),
      metadata: { shade: 'green' },
    })
    const found = await send(at('notes/one.bin'))
    expect([found.status, found.headers['content-type'], found.bytes.equals(bytes)]).toEqual([200, 'image/png', true])
    expect(found.headers['content-security-policy']).toContain('sandbox')
    expect((await send(at('notes/one.bin', '?metadata=query'))).json).toEqual(sent.json.fileInfo)
  })

  it('is refused when its bytes are not those that were promised', async () => {
    const wrong = await put('promised', 'these', { 'x-agc-sha256': sha256(Buffer.from('others')) })
    expect([wrong.status, wrong.json.errorCode]).toEqual([422, 220422001])
    expect((await send(at('promised'))).status).toBe(404)
  })

  it('has what is said of it changed by GET, as the public client does, and by PATCH', async () => {
    await put('said', 'x', { 'x-agc-meta-a': '1' })
    const changed = await send(at('said', '?metadata=update'), {
      headers: { 'x-agc-content-type': 'text/css', 'x-agc-meta-b': '2' },
    })
    expect(changed.json).toMatchObject({ contentType: 'text/css', metadata: { b: '2' } })
    const again = await send(at('said'), { method: 'PATCH', headers: { 'x-agc-content-language': 'ru' } })
    expect(again.json).toMatchObject({ contentType: 'text/css', contentLanguage: 'ru', metadata: { b: '2' } })
  })

  it('is listed by folders, a page at a time', async () => {
    for (const name of ['l/a', 'l/b/1', 'l/b/2', 'l/c']) await put(name, name)
    const top = await send(`/v0/${bucketId}?prefix=l%2F&delimiter=%2F&max-keys=2`)
    expect(top.json).toEqual({ contents: [{ key: 'l/a' }], commonPrefixes: [{ prefix: 'l/b/' }], nextMarker: 'l/b/' })
    const rest = await send(`/v0/${bucketId}?prefix=l%2F&delimiter=%2F&max-keys=2&marker=l%2Fb%2F`)
    expect(rest.json).toEqual({ contents: [{ key: 'l/c' }], commonPrefixes: [] })
  })

  it('is deleted, and then is not there', async () => {
    await put('short-lived', 'x')
    expect((await send(at('short-lived'), { method: 'DELETE' })).status).toBe(200)
    const statuses = await Promise.all([
      send(at('short-lived')),
      send(at('short-lived'), { method: 'DELETE' }),
      send(at('short-lived', '?metadata=query')),
      send(at('short-lived'), { method: 'HEAD' }),
    ])
    expect(statuses.map(one => one.status)).toEqual([404, 404, 404, 404])
  })

  it('answers ranges, conditions and HEAD', async () => {
    await put('ranged', '0123456789')
    const part = await send(at('ranged'), { headers: { range: 'bytes=2-4' } })
    expect([part.status, part.bytes.toString(), part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    expect((await send(at('ranged'), { headers: { range: 'bytes=10-' } })).status).toBe(416)
    const etag = String(part.headers['etag'])
    expect((await send(at('ranged'), { headers: { 'if-none-match': etag } })).status).toBe(304)
    const since = String(part.headers['last-modified'])
    expect((await send(at('ranged'), { headers: { 'if-modified-since': since } })).status).toBe(304)
    const other = await send(at('ranged'), { headers: { range: 'bytes=0-0', 'if-range': '"another"' } })
    expect([other.status, other.bytes.length]).toEqual([200, 10])
    const head = await send(at('ranged'), { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, '10', 0])
  })
})

describe('a long file of an app', () => {
  const bytes = randomBytes(350_000)
  const said = { 'x-agc-file-size': bytes.length, 'x-agc-sha256': sha256(bytes), 'x-agc-content-type': 'a/b' }
  const chunk = (offset: number, end: number, headers: Record<string, string | number> = said) =>
    put('long', bytes.subarray(offset, end), { ...headers, 'x-agc-file-offset': offset })

  it('goes in piece by piece from the first byte, and is there only when it is whole', async () => {
    const first = await chunk(0, 102_400)
    expect(first.json).toEqual({ uploadStatus: 'active', receiveBytes: '102400' })
    expect((await send(at('long'))).status).toBe(404)
    const asked = await send(at('long'), { method: 'POST', headers: { ...said, 'x-agc-upload-protocol': 'resumable' } })
    expect(asked.json).toEqual({ uploadStatus: 'active', receiveBytes: '102400' })
    const gap = await chunk(204_800, 307_200)
    expect([gap.status, gap.json.receiveBytes]).toEqual([409, '102400'])
    // A client that was killed begins again: what is in already is passed over.
    expect((await chunk(0, 102_400)).json).toEqual({ uploadStatus: 'active', receiveBytes: '102400' })
    expect((await chunk(51_200, 204_800)).json).toEqual({ uploadStatus: 'active', receiveBytes: '204800' })
    const done = await chunk(204_800, 350_000)
    expect(done.json).toMatchObject({ uploadStatus: 'finalize', fileInfo: { size: 350_000, contentType: 'a/b' } })
    expect((await send(at('long'))).bytes.equals(bytes)).toBe(true)
    const late = await send(at('long'), { method: 'POST', headers: { ...said, 'x-agc-upload-protocol': 'resumable' } })
    expect(late.json.uploadStatus).toBe('finalize')
  })

  it('is refused at the end when its bytes are others, and can begin anew', async () => {
    const lie = { ...said, 'x-agc-sha256': sha256(Buffer.from('something else')) }
    const sent = await put('lied', bytes, { ...lie, 'x-agc-file-offset': 0 })
    expect([sent.status, sent.json.errorCode]).toEqual([422, 220422001])
    const asked = await send(at('lied'), { method: 'POST', headers: { ...lie, 'x-agc-upload-protocol': 'resumable' } })
    expect(asked.json).toEqual({ uploadStatus: 'resumable', receiveBytes: '0' })
  })

  it('takes no more bytes than were said', async () => {
    const sent = await put('more', bytes, { ...said, 'x-agc-file-size': 10, 'x-agc-file-offset': 0 })
    expect(sent.status).toBe(422)
  })

  it('is given up after a week, bytes and all', async () => {
    const headers = { ...said, 'x-agc-file-offset': 0 }
    await put('abandoned', bytes.subarray(0, 1000), headers)
    stage.clock.turn(8 * 24 * 3_600_000)
    await stage.booted.worker.sweep()
    stage.clock.turn(-8 * 24 * 3_600_000)
    const rows = await stage.sql('CN', `SELECT state FROM storage_uploads WHERE path = 'abandoned'`)
    expect(rows).toEqual([{ state: 'EXPIRED' }])
    expect(
      await stage.sql(
        'CN',
        'SELECT 1 FROM storage_parts p JOIN storage_uploads u USING (upload_id) WHERE u.path = $1',
        ['abandoned'],
      ),
    ).toEqual([])
  })
})

describe('a download token', () => {
  it('opens one file to whoever has it, and nothing else', async () => {
    await put('shared', 'for all')
    await put('private', 'for me')
    const made = await send(at('shared', '?token=create'))
    expect(made.json).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    const [token] = made.json
    expect((await send(at('shared', '?token=create'))).json).toEqual([token])
    const open = (path: string, method: 'GET' | 'DELETE' = 'GET') =>
      stage.app.inject({ method, url: at(path, `?token=${token}`) })
    expect((await open('shared')).body).toBe('for all')
    expect((await open('private')).statusCode).toBe(403)
    expect((await open('never-there')).statusCode).toBe(403)
    expect((await open('shared', 'DELETE')).statusCode).toBe(401)
    await owner.ok(storageFiles, 'deleteToken', { body: { bucketId, path: 'shared', token } })
    expect((await open('shared')).statusCode).toBe(403)
  })

  it('ends when its time is over', async () => {
    await put('timed', 'x')
    const { tokens } = await owner.ok(storageFiles, 'createToken', { body: { bucketId, path: 'timed', ttl: 60 } })
    const url = new URL(tokens[0]?.url ?? '')
    const open = () => stage.app.inject({ url: url.pathname + url.search })
    expect((await open()).statusCode).toBe(200)
    stage.clock.turn(61_000)
    expect((await open()).statusCode).toBe(403)
    stage.clock.turn(-61_000)
  })
})

describe('a name that is none', () => {
  it.each([
    '../escape',
    'a/../../b',
    'a/./b',
    'a//b',
    '/a',
    'a/%2e%2e/b',
    'a%2fb',
    'a%5cb',
    'a\u0000b',
    'a\nb',
    'x'.repeat(1025),
  ])('%j is refused with 400', async path => {
    const reply = await put(path, 'x')
    expect([reply.status, reply.json.errorCode]).toEqual([400, 220400010])
  })
})

describe('who is nobody here', () => {
  it('is asked to sign in', async () => {
    const reply = await stage.app.inject({ url: at('notes/one.bin') })
    expect(reply.statusCode).toBe(401)
    const forged = await send(at('notes/one.bin'), { token: `${device.clientToken.slice(0, -8)}AAAAAAAA` })
    expect(forged.status).toBe(401)
    expect((await send(at('notes/one.bin'), { as: { ...user, accessToken: 'no token' } })).status).toBe(401)
  })

  it('finds no bucket of another project, whatever he may do in his own', async () => {
    const other = await openApp(stage)
    const stranger = await other.install()
    const signedIn = await stranger.anonymous()
    const replies = await Promise.all(
      (['GET', 'PUT', 'DELETE', 'HEAD'] as const).map(method =>
        stage.app.inject({
          method,
          url: at('notes/one.bin'),
          headers: { authorization: `Bearer ${stranger.clientToken}`, access_token: signedIn.accessToken },
          ...(method === 'PUT' ? { payload: 'mine now' } : {}),
        }),
      ),
    )
    expect(replies.map(reply => reply.statusCode)).toEqual([404, 404, 404, 404])
    expect((await send(at('notes/one.bin'))).bytes.length).toBe(10_000)
  })
})

describe('the rules', () => {
  const rules = `agc.cloud.storage[
    match: /{bucket}/open/{path=**} { allow get: if true; allow list: if request.query.limit <= 10; }
    match: /{bucket}/users/{uid}/{path=**} {
      allow read, delete: if request.auth != null && request.auth.uid == uid;
      allow create: if request.auth.uid == uid && request.resource.size < 1000 && request.resource.contentType.matches('^image/');
    }
    match: /{bucket}/beside/{path=**} { allow create: if storage.exists(/$(bucket)/open/$(path)); }
  ]`

  beforeAll(async () => {
    const { version } = await owner.ok(storageSecurity, 'getSecurityRuleResource', {
      body: { projectId: app.projectId },
    })
    await owner.ok(storageSecurity, 'setSecurityRule', {
      body: { projectId: app.projectId, source: rules, baseVersion: version },
    })
    const server = await device.anonymous()
    user = server
  })

  const own = (name: string) => `users/${user.uid}/${name}`
  const image = { 'x-agc-content-type': 'image/png' }

  it('let a user write what is his, as they say', async () => {
    expect((await put(own('a.png'), 'x', image)).status).toBe(200)
    expect((await send(at(own('a.png')))).status).toBe(200)
    const refused = await Promise.all([
      put(own('b.txt'), 'x', { 'x-agc-content-type': 'text/plain' }),
      put(own('large.png'), randomBytes(1000), image),
      put('users/somebody/a.png', 'x', image),
      put('elsewhere', 'x', image),
      send(at(own('a.png'), '?metadata=update'), { headers: image }),
    ])
    expect(refused.map(one => [one.status, one.json.errorCode])).toEqual(refused.map(() => [403, 220403002]))
  })

  it('say which right is missing where an update is not a create, with a decision to look up', async () => {
    const again = await put(own('a.png'), 'y', image)
    expect([again.status, again.json.message]).toEqual([403, expect.stringContaining('update')])
    expect(again.headers['x-decision-id']).toMatch(/^\d+$/)
  })

  it('refuse a doomed upload at its first byte', async () => {
    const headers = { ...image, 'x-agc-file-size': 5_000_000_000, 'x-agc-sha256': sha256(Buffer.from('x')) }
    const asked = await send(at(own('huge.png')), {
      method: 'POST',
      headers: { ...headers, 'x-agc-upload-protocol': 'resumable' },
    })
    expect(asked.status).toBe(403)
    expect(await stage.sql('CN', `SELECT 1 FROM storage_uploads WHERE path LIKE '%huge.png'`)).toEqual([])
  })

  it('decide listings by what is asked for', async () => {
    expect((await send(`/v0/${bucketId}?prefix=open/&max-keys=10`)).status).toBe(200)
    expect((await send(`/v0/${bucketId}?prefix=open/&max-keys=11`)).status).toBe(403)
    expect((await send(`/v0/${bucketId}?prefix=&max-keys=1`)).status).toBe(403)
  })

  it('may ask whether another file is there', async () => {
    expect((await put('beside/x', '1')).status).toBe(403)
    const { uploadUrl } = await owner.ok(storageFiles, 'startUpload', {
      body: { bucketId, path: 'open/x', size: 1, contentType: 'text/plain' },
    })
    const patched = await stage.app.inject({
      method: 'PATCH',
      url: uploadUrl,
      payload: 'x',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    })
    expect(patched.statusCode).toBe(204)
    expect((await put('beside/x', '1')).status).toBe(200)
  })

  it('read what is open without a user, and let nobody overwrite it', async () => {
    expect((await send(at('open/x'), { as: null })).bytes.toString()).toBe('x')
    expect((await put('open/x', 'y', {}, { as: null })).status).toBe(403)
  })
})

describe('a suspended project', () => {
  it('is read, and not written to', async () => {
    const stored = { projectId: app.projectId, bucketId }
    await setLevel(stage, stored, 'SUSPENDED')
    const image = { 'x-agc-content-type': 'image/png' }
    expect((await put(`users/${user.uid}/new.png`, 'x', image)).status).toBe(402)
    expect((await send(at('open/x'))).status).toBe(200)
    expect((await send(at(`users/${user.uid}/a.png`), { method: 'DELETE' })).status).toBe(402)
    await setLevel(stage, stored, 'PAID')
  })
})

describe('a free project', () => {
  it('has an end to what it stores', async () => {
    const stored = await newStorage(stage, owner, 'FREE')
    await stage.sql('CN', `INSERT INTO storage_counters VALUES ($1, 0, $2, 5368709120, 1)`, [
      stored.bucketId,
      owner.teamId,
    ])
    const { uploadUrl } = await owner.ok(storageFiles, 'startUpload', {
      body: { bucketId: stored.bucketId, path: 'one', size: 1, contentType: 'text/plain' },
    })
    const reply = await stage.app.inject({
      method: 'PATCH',
      url: uploadUrl,
      payload: 'x',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    })
    expect([reply.statusCode, reply.body]).toEqual([402, expect.stringContaining('5368709120')])
  })
})
