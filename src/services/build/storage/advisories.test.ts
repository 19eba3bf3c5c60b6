import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../app-auth/app-auth.testkit.ts'
import { storage } from './contract.ts'
import { storageFiles } from './files/contract.ts'
import { storageSecurity } from './security/contract.ts'
import { setLevel } from './storage.testkit.ts'

/** What broke in back ends like this one, tried on this one; docs/advisories.md says which is which. */
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
  ;({ bucketId } = await owner.ok(storage, 'initData', { body: { projectId: app.projectId, bucketName: 'attacked' } }))
  await setLevel(stage, { projectId: app.projectId, bucketId }, 'PAID')
  device = await app.install()
  user = await device.anonymous()
})
afterAll(() => stage.close())

interface Sent {
  method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  payload?: string
  as?: DeviceUser | null
}

async function send(path: string, { method = 'GET', headers = {}, payload, as = user }: Sent = {}, bucket = bucketId) {
  const [plain = '', query = ''] = path.split('?')
  return stage.app.inject({
    method,
    url: `/v0/${bucket}/${encodeURIComponent(plain)}${query === '' ? '' : `?${query}`}`,
    headers: {
      authorization: `Bearer ${device.clientToken}`,
      access_token: as?.accessToken ?? '',
      productid: app.projectId,
      'content-type': 'text/plain',
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  })
}

const put = (path: string, contentType: string, bucket = bucketId) =>
  send(
    path,
    { method: 'PUT', payload: '<svg onload="alert(1)"/>', headers: { 'x-agc-content-type': contentType } },
    bucket,
  )

const active = [
  'image/svg+xml',
  'image/svg+xml;charset=utf-8',
  'IMAGE/SVG+XML',
  ' image/svg+xml',
  'image/svg+xml ; charset=utf-8',
  'image/svg+xml, image/png',
  'text/html',
  'text/html ',
  'text/html;image/png',
  'application/xhtml+xml',
  'text/xml',
  'application/xml;charset=utf-8',
  'text/javascript',
  'application/mathml+xml',
]

describe('a type with something behind it (CVE-2026-32728)', () => {
  it('is no other type to a bucket that takes only some', async () => {
    const { bucketId: narrow } = await owner.ok(storage, 'createBucket', {
      body: { projectId: app.projectId, name: 'pictures-only' },
    })
    await stage.sql('CN', `UPDATE storage_buckets SET allowed_types = '{image/png}' WHERE bucket_id = $1`, [narrow])
    await stage.sql('CN', `SELECT pg_notify('storage_buckets', '')`)
    stage.booted.server.signals.tellHere('CN', 'storage_buckets', narrow)
    const told = await Promise.all(active.map(type => put(`x${active.indexOf(type)}`, type, narrow)))
    expect(told.map((one, n) => [active[n], one.statusCode >= 400 && one.statusCode < 500])).toEqual(
      active.map(type => [type, true]),
    )
    const begun = await Promise.all(
      active.map(contentType =>
        owner.call(storageFiles, 'startUpload', { body: { bucketId: narrow, path: 'console', size: 1, contentType } }),
      ),
    )
    expect(begun.map((one, n) => [active[n], one.status >= 400 && one.status < 500])).toEqual(
      active.map(type => [type, true]),
    )
    expect((await put('good.png', 'image/png', narrow)).statusCode).toBe(200)
    expect(await stage.sql('CN', 'SELECT path FROM storage_objects WHERE bucket_id = $1', [narrow])).toHaveLength(1)
  })

  it('runs nothing where the bucket takes everything: it comes out sandboxed and never sniffed', async () => {
    for (const [n, type] of active.entries()) {
      const sent = await put(`any/${n}`, type)
      if (sent.statusCode !== 200) continue
      const { headers, statusCode } = await send(`any/${n}`)
      expect([type, statusCode]).toEqual([type, 200])
      expect([type, headers['x-content-type-options']]).toEqual([type, 'nosniff'])
      expect([type, String(headers['content-security-policy'])]).toEqual([
        type,
        expect.stringMatching(/default-src 'none'.*sandbox/),
      ])
    }
    expect((await put('any/plain', 'image/svg+xml;charset=utf-8')).statusCode).toBe(200)
  })
})

describe('a second way to the same file (CVE-2026-30850)', () => {
  it('asks the rules as the first one does: what is said of it, its head, its token, its list', async () => {
    expect((await put('vault/secret', 'text/plain')).statusCode).toBe(200)
    const { version } = await owner.ok(storageSecurity, 'getSecurityRuleResource', {
      body: { projectId: app.projectId },
    })
    const source = `agc.cloud.storage[ match: /{bucket}/open/{path=**} { allow read, write: if request.auth != null; } ]`
    await owner.ok(storageSecurity, 'setSecurityRule', {
      body: { projectId: app.projectId, source, baseVersion: version },
    })
    const doors: [string, Sent][] = [
      ['vault/secret', {}],
      ['vault/secret?metadata=query', {}],
      ['vault/secret?token=create', {}],
      ['vault/secret', { method: 'HEAD' }],
      ['vault/secret', { headers: { range: 'bytes=0-3' } }],
      ['vault/secret', { headers: { 'if-none-match': '*' } }],
      ['vault/secret?metadata=update', { headers: { 'x-agc-content-type': 'text/html' } }],
      ['vault/secret', { method: 'PATCH', payload: '{}', headers: { 'content-type': 'application/json' } }],
      ['vault/secret', { method: 'DELETE' }],
      ['vault/secret', { method: 'PUT', payload: 'x' }],
      ['vault/secret', { method: 'POST', payload: 'x' }],
    ]
    for (const as of [user, null])
      for (const [path, sent] of doors) {
        const reply = await send(path, { ...sent, as })
        expect([path, sent.method ?? 'GET', reply.statusCode]).toEqual([path, sent.method ?? 'GET', 403])
        expect(reply.body).not.toContain('svg')
      }
    for (const query of ['prefix=vault/', 'prefix=', 'prefix=vault/&delimiter=/'])
      expect(
        (
          await stage.app.inject({
            url: `/v0/${bucketId}?${query}`,
            headers: { authorization: `Bearer ${device.clientToken}`, access_token: user.accessToken },
          })
        ).statusCode,
      ).toBe(403)
    expect((await send('open/x', { method: 'PUT', payload: 'x' })).statusCode).toBe(200)
  })
})

describe('a bucket that nobody opened (CVE-2025-48757)', () => {
  it('gives nothing to whoever has only what every copy of the app has', async () => {
    const fresh = await openApp(stage)
    const made = await fresh.owner.ok(storage, 'initData', {
      body: { projectId: fresh.projectId, bucketName: 'fresh' },
    })
    const installed = await fresh.install()
    const headers = { authorization: `Bearer ${installed.clientToken}`, productid: fresh.projectId }
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/a'],
      ['HEAD', '/a'],
      ['PUT', '/a'],
      ['DELETE', '/a'],
    ] as const) {
      const payload = method === 'PUT' ? { payload: 'x' } : {}
      const { statusCode } = await stage.app.inject({ method, url: `/v0/${made.bucketId}${path}`, headers, ...payload })
      expect([method, path, statusCode]).toEqual([method, path, 403])
    }
  })
})

describe('names of prototypes (CVE-2026-30938)', () => {
  it('among what is said of a file set nothing on what all objects have', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'a.__proto__.polluted', 'constructor.prototype.polluted']
    for (const name of names) {
      const headers = { [`x-agc-meta-${name}`]: 'polluted', 'x-agc-content-type': 'text/plain' }
      const { statusCode } = await send('open/meta', { method: 'PUT', payload: 'x', headers })
      expect([name, statusCode < 500]).toEqual([name, true])
      const read = await send('open/meta?metadata=query')
      expect([name, read.statusCode < 500]).toEqual([name, true])
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(({} as Record<string, unknown>)['0']).toBeUndefined()
  })
})
