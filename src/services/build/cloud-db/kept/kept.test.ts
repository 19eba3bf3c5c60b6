import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, indexOn, key, type OpenedDb, openDb, putAll, queryAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'
import { cloudDbKept } from './contract.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
})
beforeEach(async () => {
  db = await openDb(stage)
})
afterAll(() => stage.close())

const dayMs = 86_400_000
const ticket = () =>
  typed(
    'Ticket',
    [key('no', 'IntAutoIncrement'), field('who', 'String'), field('secret', 'String', { isSensitive: true })],
    [indexOn('byWho', 'who')],
  )
const kept = async () => (await db.owner.ok(cloudDbKept, 'listKept', { query: { projectId: db.projectId } })).list
const restore = (keptId: string) =>
  db.owner.call(cloudDbKept, 'restoreKept', { body: { projectId: db.projectId, keptId } })
const dropType = (name: string) =>
  db.owner.ok(cloudDb, 'deleteObjectType', { query: { projectId: db.projectId, name, confirm: name } })
const dropZone = (name: string) =>
  db.owner.ok(cloudDb, 'deleteZone', { query: { projectId: db.projectId, name, confirm: name } })
const addZone = (name: string) => db.owner.ok(cloudDb, 'createZone', { body: { projectId: db.projectId, name } })
const schemas = async () => {
  const rows = await stage.sql<{ name: string }>(
    'CN',
    `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'cdb_%' ORDER BY 1`,
  )
  return rows.map(row => row.name)
}
const sweep = () => stage.booted.worker.sweep()

describe('a deleted object type', () => {
  it('says until when it is kept, and comes back with its rows, its index and its counter', async () => {
    await db.newType(ticket())
    await putAll(db, 'Ticket', [
      { who: 'a', secret: 's1' },
      { who: 'b', secret: 's2' },
    ])
    const before = (await queryAll(db, 'Ticket')).body.data
    await dropType('Ticket')
    expect((await queryAll(db, 'Ticket')).body.errorCodeV2).toBe('2002007')
    const [one] = await kept()
    expect(one).toMatchObject({ kind: 'TYPE', name: 'Ticket', keptUntil: (one?.deletedAt ?? 0) + 7 * dayMs })
    const back = await restore(one?.keptId ?? '')
    expect(back.body).toMatchObject({ kind: 'TYPE', name: 'Ticket', leftOut: [] })
    expect((await queryAll(db, 'Ticket')).body.data).toEqual(before)
    await putAll(db, 'Ticket', [{ who: 'c' }])
    expect((await queryAll(db, 'Ticket', where('EqualTo', 'who', 'c'))).body.data).toMatchObject([{ no: 3 }])
    expect(await kept()).toEqual([])
    expect((await restore(one?.keptId ?? '')).body.ret.code).toBe(204043001)
  })

  it('comes back in the zones that still are; a newer zone gets an empty table', async () => {
    await db.newType(ticket())
    await addZone('second')
    await putAll(db, 'Ticket', [{ who: 'a' }])
    await dropType('Ticket')
    const [one] = await kept()
    await dropZone('second')
    await addZone('third')
    expect((await restore(one?.keptId ?? '')).body.leftOut).toEqual(['second'])
    expect((await queryAll(db, 'Ticket')).body.data).toHaveLength(1)
    const third = await db.asServer('POST', '/v3/syncObjects', { ...at('Ticket', 'third'), objects: [{ who: 'x' }] })
    expect(third.body).toEqual({ upsertNumber: 1 })
  })

  it('does not come back beside one of its name, and to no other team', async () => {
    await db.newType(ticket())
    await dropType('Ticket')
    await db.newType(ticket())
    const [one] = await kept()
    expect((await restore(one?.keptId ?? '')).body.ret.code).toBe(204040003)
    expect(await kept()).toHaveLength(1)
    const stranger = await openDb(stage)
    const body = { projectId: stranger.projectId, keptId: one?.keptId ?? '' }
    expect((await stranger.owner.call(cloudDbKept, 'restoreKept', { body })).status).toBe(404)
  })

  it('is gone for good, with its tables, when seven days are over', async () => {
    await db.newType(ticket())
    const before = await schemas()
    await dropType('Ticket')
    const left = () => stage.sql('CN', 'SELECT 1 FROM cdb_kept WHERE project_id = $1', [db.projectId])
    expect(await schemas()).toHaveLength(before.length + 1)
    stage.clock.turn(7 * dayMs - 60_000)
    await sweep()
    expect(await left()).toHaveLength(1)
    stage.clock.turn(120_000)
    await sweep()
    expect(await left()).toHaveLength(0)
    expect((await schemas()).filter(name => !before.includes(name))).toEqual([])
  })
})

describe('a deleted data zone', () => {
  it('comes back with its rows, each type as it is by now', async () => {
    await db.newType(ticket())
    await db.newType(typed('Gone', [key('id')]))
    await putAll(db, 'Ticket', [{ who: 'a', secret: 's' }])
    await dropZone('main')
    await dropType('Gone')
    await db.newType(typed('Later', [key('id')]))
    const { version, list } = await db.owner.ok(cloudDb, 'getObjectTypes', {
      query: { projectId: db.projectId, name: 'Ticket' },
    })
    const { revision: _r, updatedAt: _u, indexStates: _i, ...type } = list[0] as (typeof list)[number]
    const objectType = {
      ...type,
      fields: [...type.fields, field('added', 'Integer', { notNull: true, defaultValue: '7' })],
      indexes: [indexOn('byAdded', 'added')],
    }
    await db.owner.ok(cloudDb, 'changeObjectType', {
      body: { projectId: db.projectId, objectType, baseVersion: version },
    })
    const zone = (await kept()).find(one => one.kind === 'ZONE')
    expect((await restore(zone?.keptId ?? '')).body).toMatchObject({ kind: 'ZONE', name: 'main', leftOut: ['Gone'] })
    expect((await queryAll(db, 'Ticket')).body.data).toMatchObject([{ no: 1, who: 'a', secret: 's', added: 7 }])
    expect((await putAll(db, 'Ticket', [{ who: 'b' }])).status).toBe(200)
    expect((await putAll(db, 'Later', [{ id: 'x' }])).status).toBe(200)
  })

  it('does not come back where a type has become another one', async () => {
    await db.newType(typed('Bent', [key('id'), field('a', 'Integer')]))
    await dropZone('main')
    await dropType('Bent')
    await db.newType(typed('Bent', [key('id'), field('a', 'Text')]))
    const zone = (await kept()).find(one => one.kind === 'ZONE')
    const reply = await restore(zone?.keptId ?? '')
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204043002])
    expect((await kept()).some(one => one.keptId === zone?.keptId)).toBe(true)
  })
})
