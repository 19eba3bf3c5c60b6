import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, matrix, type OpenedDb, openDb, putAll, queryAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
})
afterAll(() => stage.close())

describe('an app that was built with an older schema', () => {
  let older: number
  let newer: number
  beforeAll(async () => {
    const open = { permissions: matrix({ World: 'RUD', Administrator: 'RUD' }) }
    const before = [key('id'), field('name', 'String'), field('size', 'Integer', { notNull: true, defaultValue: '3' })]
    older = await db.newType({ ...typed('Part', before), ...open })
    const objectType = { ...typed('Part', [key('id'), field('name', 'String'), field('secret', 'String')]), ...open }
    const reply = await db.owner.ok(cloudDb, 'changeObjectType', {
      body: { projectId: db.projectId, objectType, baseVersion: older },
    })
    newer = reply.version
    await db.newType(typed('Later', [key('id')]))
    await putAll(db, 'Part', [{ id: 'a', name: 'x', secret: 'new' }])
  })
  const as = async (version: number, path: string, body: object) => {
    const who = await db.nobody()
    return db.as({ headers: { ...who.headers, appver: String(version) } }, 'POST', path, body)
  }
  const list = (version: number, ...queryConditions: object[]) =>
    as(version, '/v4/objects/queries', { ...at('Part'), queryConditions })

  it('is not shown fields that came later, and gets those that are gone as they begin', async () => {
    const [old] = (await list(older)).body.data
    expect(old).toEqual({ id: 'a', name: 'x', size: 3, naturalbase_version: expect.any(String) })
    const [now] = (await list(newer)).body.data
    expect(now).toEqual({ id: 'a', name: 'x', secret: 'new', naturalbase_version: expect.any(String) })
  })

  it('cannot search or write what it does not know, and what is gone is left out of what it writes', async () => {
    expect((await list(older, where('EqualTo', 'secret', 'new'))).body.errorCodeV2).toBe('3037011')
    const put = (version: number, object: object) =>
      as(version, '/v3/syncObjects', { ...at('Part'), objects: [object] })
    expect((await put(older, { id: 'b', secret: 'x' })).body.errorCodeV2).toBe('3037004')
    expect((await put(older, { id: 'a', name: 'y', size: 9 })).body).toEqual({ upsertNumber: 1 })
    expect((await put(newer, { id: 'a', size: 9 })).body.errorCodeV2).toBe('3037004')
    expect((await queryAll(db, 'Part', where('EqualTo', 'id', 'a'))).body.data[0]).toMatchObject({
      name: 'y',
      secret: 'new',
    })
    const moved = await as(older, '/v3/transaction', {
      cloudDBZoneName: 'main',
      needVerifyObjectsList: [],
      transactionList: [{ operationType: 'Upsert', objectTypeName: 'Part', objects: [{ id: 'c', size: 1 }] }],
    })
    expect(moved.body).toEqual({ result: true })
  })

  it('does not know types that came later, and is told of a version that never was', async () => {
    const later = await as(older, '/v4/objects/queries', { ...at('Later'), queryConditions: [] })
    expect(later.body.errorCodeV2).toBe('2002007')
    expect((await list(999)).body.errorCodeV2).toBe('2002000')
    expect((await list(0)).body.errorCodeV2).toBe('2002005')
  })
})

describe('the wrapped key of a user', () => {
  const url = '/agc/apigw/clouddb/clouddbservice/v3/userKey'
  const get = async (who: { headers: Record<string, string> }) =>
    (await stage.app.inject({ method: 'GET', url, headers: who.headers })).json()
  const put = (who: { headers: Record<string, string> }, body: object) => db.as(who, 'PUT', '/v3/userKey', body)

  it('is of the user alone, and replaced only by who knows the one before', async () => {
    const [a, b] = [await db.user(), await db.user()]
    expect(await get(a)).toEqual({ userKey: null })
    expect((await put(a, { userKey: 'wrapped-1' })).status).toBe(200)
    expect((await put(a, { userKey: 'wrapped-2' })).body.errorCodeV2).toBe('2003049')
    expect((await put(a, { userKey: 'wrapped-2', before: 'wrapped-1' })).status).toBe(200)
    expect([await get(a), await get(b)]).toEqual([{ userKey: 'wrapped-2' }, { userKey: null }])
    expect((await put(await db.nobody(), { userKey: 'x' })).body.errorCodeV2).toBe('2001015')
  })

  it('is deleted by servers', async () => {
    const user = await db.user()
    await put(user, { userKey: 'wrapped' })
    expect((await db.as(user, 'DELETE', '/v3/userKey', { userId: user.uid })).body.errorCodeV2).toBe('2001015')
    expect((await db.asServer('DELETE', '/v3/userKey', { userId: user.uid })).body).toEqual({ delNumber: 1 })
    expect(await get(user)).toEqual({ userKey: null })
  })
})
