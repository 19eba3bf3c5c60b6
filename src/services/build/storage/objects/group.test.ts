import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, openApp } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { quotas } from '../rules.ts'
import { storageSecurity } from '../security/contract.ts'
import { setLevel } from '../storage.testkit.ts'

let stage: Stage
let app: AppOnDevice
let bucketId: string
let headers: Record<string, string>
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  const { owner, projectId } = app
  ;({ bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'grouped' } }))
  await setLevel(stage, { projectId, bucketId }, 'PAID')
  const { version } = await owner.ok(storageSecurity, 'getSecurityRuleResource', { body: { projectId } })
  const source = `agc.cloud.storage[ match: /{bucket}/{path=**} {
    allow read: if request.auth != null;
    allow create: if request.auth != null && request.resource.size < 100;
    allow update: if request.auth != null && resource.owner == request.auth.uid; } ]`
  await owner.ok(storageSecurity, 'setSecurityRule', { body: { projectId, source, baseVersion: version } })
  const device = await app.install()
  const { accessToken } = await device.anonymous()
  headers = { authorization: `Bearer ${device.clientToken}`, access_token: accessToken, productid: projectId }
})
afterAll(() => stage.close())

const send = (method: 'PUT' | 'GET', path: string, payload?: string) =>
  stage.app.inject({
    method,
    url: `/v0/${bucketId}/${path}`,
    headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'text/plain' }) },
    ...(payload === undefined ? {} : { payload }),
  })
const put = (path: string, payload: string) => send('PUT', path, payload)
const counted = async () => {
  const rows = await stage.sql<{ bytes: string; objects: string }>(
    'CN',
    'SELECT sum(bytes) AS bytes, sum(objects) AS objects FROM storage_counters WHERE bucket_id = $1',
    [bucketId],
  )
  return rows.map(row => [Number(row.bytes), Number(row.objects)])[0]
}

describe('files that are written at once', () => {
  it('are each there with their own bytes, counted, and told of', async () => {
    const paths = Array.from({ length: 60 }, (_none, at) => `many/${at}`)
    const replies = await Promise.all(paths.map((path, at) => put(path, `content ${at}`)))
    expect(new Set(replies.map(reply => reply.statusCode))).toEqual(new Set([200]))
    const read = await Promise.all(paths.map(path => send('GET', path)))
    expect(read.map(reply => reply.body)).toEqual(paths.map((_path, at) => `content ${at}`))
    expect(await counted()).toEqual([paths.reduce((sum, _path, at) => sum + `content ${at}`.length, 0), 60])
    const told = await stage.sql<{ entity_id: string }>(
      'CN',
      `SELECT entity_id FROM outbox WHERE type = 'storage.finalized' AND entity_id LIKE '%/many/%'`,
    )
    expect(told.map(one => one.entity_id).sort()).toEqual(paths.map(path => `${bucketId}/${path}`).sort())
    const transactions = await stage.sql<{ count: number }>(
      'CN',
      `SELECT count(DISTINCT xmin::text)::int AS count FROM storage_objects WHERE path LIKE 'many/%'`,
    )
    expect(transactions[0]?.count).toBeLessThan(30)
  })

  it('are refused one by one, and the others are written', async () => {
    const wishes = Array.from({ length: 20 }, (_none, at) => ({
      path: `some/${at}`,
      text: 'x'.repeat(at % 2 ? 99 : 200),
    }))
    const replies = await Promise.all(wishes.map(({ path, text }) => put(path, text)))
    expect(replies.map(reply => reply.statusCode)).toEqual(wishes.map((_wish, at) => (at % 2 ? 200 : 403)))
    const there = await Promise.all(wishes.map(({ path }) => send('GET', path)))
    expect(there.map(reply => reply.statusCode)).toEqual(wishes.map((_wish, at) => (at % 2 ? 200 : 404)))
  })

  it('under one name are written one after the other, each with a higher generation', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_none, at) => put('same', `${at}`)))
    const generations = replies.map(reply => Number(reply.json().fileInfo.generation))
    expect(new Set(generations).size).toBe(12)
    const newest = replies[generations.indexOf(Math.max(...generations))]
    expect((await send('GET', 'same')).body).toBe(String(replies.indexOf(newest as never)))
  })

  it('are still written when PostgreSQL refuses the group for one of them', async () => {
    await stage.sql('CN', `ALTER TABLE storage_objects ADD CONSTRAINT none_bad CHECK (path <> 'bad')`)
    try {
      const replies = await Promise.all(['good/1', 'bad', 'good/2', 'good/3'].map(path => put(path, path)))
      expect(replies.map(reply => reply.statusCode)).toEqual([200, 500, 200, 200])
      expect((await send('GET', 'good/3')).body).toBe('good/3')
    } finally {
      await stage.sql('CN', 'ALTER TABLE storage_objects DROP CONSTRAINT none_bad')
    }
  })

  it('stop together at what a free project may store', async () => {
    const [bytes = 0] = (await counted()) ?? []
    const room = 25
    await stage.sql(
      'CN',
      'UPDATE storage_counters SET bytes = bytes + $2 WHERE ctid = (SELECT ctid FROM storage_counters WHERE bucket_id = $1 LIMIT 1)',
      [bucketId, quotas.FREE.storedBytes - bytes - room],
    )
    await setLevel(stage, { projectId: app.projectId, bucketId }, 'FREE')
    const replies = await Promise.all(['q/1', 'q/2', 'q/3', 'q/4'].map(path => put(path, 'ten bytes!')))
    expect(replies.map(reply => reply.statusCode).sort()).toEqual([200, 200, 402, 402])
    const [now = 0] = (await counted()) ?? []
    expect(now).toBeLessThanOrEqual(quotas.FREE.storedBytes)
  })
})
