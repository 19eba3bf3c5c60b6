import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booted } from '../../../../server/boot.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { storageSecurity } from '../security/contract.ts'
import { setLevel } from '../storage.testkit.ts'

/** Two processes over one database: what one remembers of files must not outlive a change by the other. */
let stage: Stage
let other: Booted
let app: AppOnDevice
let device: Device
let user: DeviceUser
let bucketId: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  ;({ bucketId } = await app.owner.ok(storage, 'initData', {
    body: { projectId: app.projectId, bucketName: 'near-files' },
  }))
  await setLevel(stage, { projectId: app.projectId, bucketId }, 'PAID')
  device = await app.install()
  user = await device.anonymous()
  other = await stage.another()
})
afterAll(() => stage.close())

type Method = 'GET' | 'PUT' | 'PATCH' | 'DELETE'
async function send(
  on: Pick<Booted, 'app'>,
  method: Method,
  path: string,
  more: { payload?: string; headers?: object } = {},
) {
  const reply = await on.app.inject({
    method,
    url: `/v0/${bucketId}/${path}`,
    headers: {
      authorization: `Bearer ${device.clientToken}`,
      access_token: user.accessToken,
      productid: app.projectId,
      'content-type': 'text/plain',
      ...more.headers,
    },
    ...(more.payload === undefined ? {} : { payload: more.payload }),
  })
  return { status: reply.statusCode, text: reply.payload, headers: reply.headers }
}

/** Asks until the answer is as wanted, for a second. */
async function withinASecond(ask: () => Promise<unknown>, wanted: unknown) {
  const endsAt = performance.now() + 1_000
  for (;;) {
    const found = await ask()
    if (found === wanted || performance.now() > endsAt) return expect(found).toBe(wanted)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

describe('a file that was read a moment ago', () => {
  it('is new at once where it was replaced, and within a second on another process', async () => {
    await send(stage, 'PUT', 'a.txt', { payload: 'one' })
    for (const on of [stage, other]) expect((await send(on, 'GET', 'a.txt')).text).toBe('one')
    await send(stage, 'PUT', 'a.txt', { payload: 'two' })
    expect((await send(stage, 'GET', 'a.txt')).text).toBe('two')
    await withinASecond(async () => (await send(other, 'GET', 'a.txt')).text, 'two')
  })

  it('is gone at once where it was deleted, and within a second on another process', async () => {
    await send(stage, 'PUT', 'b.txt', { payload: 'one' })
    for (const on of [stage, other]) expect((await send(on, 'GET', 'b.txt')).status).toBe(200)
    await send(other, 'DELETE', 'b.txt')
    expect((await send(other, 'GET', 'b.txt')).status).toBe(404)
    await withinASecond(async () => (await send(stage, 'GET', 'b.txt')).status, 404)
  })

  it('has its new attributes on another process, and its tokens', async () => {
    await send(stage, 'PUT', 'c.txt', { payload: 'one' })
    for (const on of [stage, other]) expect((await send(on, 'GET', 'c.txt')).status).toBe(200)
    await send(stage, 'PATCH', 'c.txt', { headers: { 'x-agc-content-language': 'ru' } })
    await withinASecond(async () => (await send(other, 'GET', 'c.txt')).headers['content-language'], 'ru')
    const [token] = JSON.parse((await send(stage, 'GET', 'c.txt?token=create')).text) as string[]
    await withinASecond(async () => (await send(other, 'GET', `c.txt?token=${token}`)).status, 200)
  })

  it('is not given to whom new rules deny it', async () => {
    const { projectId } = app
    await send(stage, 'PUT', 'd.txt', { payload: 'one' })
    expect((await send(stage, 'GET', 'd.txt')).status).toBe(200)
    const source = `agc.cloud.storage[ match: /{bucket}/{path=**} { allow write: if request.auth != null; } ]`
    const { version } = await app.owner.ok(storageSecurity, 'getSecurityRuleResource', { body: { projectId } })
    await app.owner.ok(storageSecurity, 'setSecurityRule', { body: { projectId, source, baseVersion: version } })
    expect((await send(stage, 'GET', 'd.txt')).status).toBe(403)
    await withinASecond(async () => (await send(other, 'GET', 'd.txt')).status, 403)
    await app.owner.ok(storageSecurity, 'setSecurityRule', {
      body: { projectId, source: source.replace('write', 'read, write'), baseVersion: version + 1 },
    })
  })

  it('is read again without PostgreSQL, until half a minute has passed', async () => {
    await send(stage, 'PUT', 'e.txt', { payload: 'one' })
    await stage.heard('CN')
    expect((await send(stage, 'GET', 'e.txt')).text).toBe('one')
    // Written behind everybody's back, without a signal: only a read of the row shows it.
    await stage.sql('CN', `UPDATE storage_objects SET content = 'two' WHERE bucket_id = $1 AND path = 'e.txt'`, [
      bucketId,
    ])
    expect((await send(stage, 'GET', 'e.txt')).text).toBe('one')
    stage.clock.turn(31_000)
    expect((await send(stage, 'GET', 'e.txt')).text).toBe('two')
  })
})
