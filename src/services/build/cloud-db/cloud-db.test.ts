import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import {
  at,
  field,
  indexOn,
  key,
  limit,
  type OpenedDb,
  openDb,
  putAll,
  queryAll,
  typed,
  where,
} from './cloud-db.testkit.ts'
import { cloudDb } from './contract.ts'
import { cloudDbObjects } from './objects/contract.ts'
import type { ObjectType } from './schema/contract.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
})
afterAll(() => stage.close())

const book = (name: string): ObjectType =>
  typed(
    name,
    [
      key('id'),
      field('title', 'String', { notNull: true, defaultValue: 'untitled' }),
      field('pages', 'Integer'),
      field('price', 'Double'),
      field('sold', 'Long'),
      field('out', 'Date'),
      field('cover', 'ByteArray'),
      field('text', 'Text'),
      field('isNew', 'Boolean', { defaultValue: 'true' }),
      field('note', 'String', { isSensitive: true }),
    ],
    [indexOn('byPages', '-pages', 'title')],
  )

const change = (objectType: ObjectType, baseVersion: number, dryRun = false) =>
  db.owner.call(cloudDb, 'changeObjectType', { body: { projectId: db.projectId, objectType, baseVersion, dryRun } })
const tables = () =>
  stage.sql<{ name: string }>(
    'CN',
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema LIKE 'cdb_%'`,
  )

describe('the switch', () => {
  it('asks for agreement once, keeps the rows while it is off, and refuses work meanwhile', async () => {
    const other = await openDb(stage)
    const { owner, projectId } = other
    await other.newType(book('Kept'))
    await putAll(other, 'Kept', [{ id: 'a' }])
    await owner.ok(cloudDb, 'switchProduct', { body: { projectId, enabled: false } })
    expect((await queryAll(other, 'Kept')).body.errorCodeV2).toBe('4020001')
    await owner.ok(cloudDb, 'switchProduct', { body: { projectId, enabled: true } })
    expect((await queryAll(other, 'Kept')).body.data).toHaveLength(1)
    const info = await owner.ok(cloudDb, 'getProductInfo', { query: { projectId } })
    expect(info).toMatchObject({ enabled: true, apiVersion: 'v1', usage: { types: 1, zones: 1 } })
  })

  it('does not exist for another team', async () => {
    const stranger = await stage.person()
    const { projectId } = db
    for (const name of ['getProductInfo', 'getObjectTypes', 'listZones', 'fetchDataUsage', 'listListeners'] as const) {
      expect([name, (await stranger.call(cloudDb, name, { query: { projectId } })).status]).toEqual([name, 404])
    }
  })
})

describe('object types', () => {
  it('are real tables in every zone, made in one step with their version', async () => {
    const version = await db.newType(book('Book'))
    expect((await tables()).map(one => one.name).some(name => name.endsWith('_main.o_book'))).toBe(true)
    const { current, versions } = await db.owner.ok(cloudDb, 'getSchemaVersion', { query: { projectId: db.projectId } })
    expect(current).toBe(version)
    expect(versions[0]).toMatchObject({ version, summary: '+ Book' })
  })

  it('show what a change does before it is done, and change nothing then', async () => {
    const now = (await db.owner.ok(cloudDb, 'getObjectTypes', { query: { projectId: db.projectId } })).version
    const without = book('Book')
    const after = {
      ...without,
      fields: [...without.fields.filter(one => one.fieldName !== 'price'), field('weight', 'Float')],
      indexes: [indexOn('bySold', 'sold')],
    }
    await putAll(db, 'Book', [{ id: 'x', price: 1.5 }])
    const dry = await change(after, now, true)
    expect(dry.body.applied).toBe(false)
    expect(dry.body.plan.ddl.join('\n')).toMatch(
      /DROP COLUMN "price"[\s\S]*ADD COLUMN "weight" real[\s\S]*CREATE INDEX "i_book_bysold"/,
    )
    expect(dry.body.plan.breaking).toContainEqual(expect.objectContaining({ rows: 1 }))
    expect((await queryAll(db, 'Book')).body.data[0]).toHaveProperty('price', 1.5)
    const done = await change(after, now)
    expect([done.status, done.body.version]).toEqual([200, now + 1])
    expect((await queryAll(db, 'Book')).body.data[0]).toMatchObject({ id: 'x', weight: null })
    expect((await change(after, now)).body.ret.code).toBe(2002005)
  })

  it('keep the fields and the key that they have', async () => {
    const { version, list } = await db.owner.ok(cloudDb, 'getObjectTypes', {
      query: { projectId: db.projectId, name: 'book' },
    })
    const { revision: _r, updatedAt: _u, indexStates: _i, ...type } = list[0] as (typeof list)[number]
    const longer = {
      ...type,
      fields: type.fields.map(one => (one.fieldName === 'pages' ? { ...one, fieldType: 'Long' as const } : one)),
    }
    expect((await change(longer, version)).body).toMatchObject({ ret: { code: 2002005 } })
    const other = { ...type, fields: [...type.fields.filter(one => one.fieldName !== 'id'), key('isbn')] }
    expect((await change(other, version)).body).toMatchObject({ ret: { code: 2001006 } })
  })

  it('are refused with each place that is wrong', async () => {
    const objectType = typed('sqlite_x', [key('naturalbase_version', 'Double'), field('a', 'Date', { notNull: true })])
    const reply = await db.owner.call(cloudDb, 'createObjectType', { body: { projectId: db.projectId, objectType } })
    expect(reply.status).toBe(422)
    const problems = reply.body['problems'] as { code: number; pointer: string }[]
    expect(problems.map(one => [one.code, one.pointer])).toEqual([
      [4027018, '/objectTypeName'],
      [4027014, '/fields/0/fieldName'],
      [4022003, '/fields/0/belongPrimaryKey'],
      [4023001, '/fields/1/notNull'],
    ])
  })

  it('are deleted only when their name is said, and leave their zones with all rows', async () => {
    await db.newType(book('Gone'))
    const query = { projectId: db.projectId, name: 'Gone' }
    expect((await db.owner.call(cloudDb, 'deleteObjectType', { query })).body.ret.code).toBe(204040004)
    await db.owner.ok(cloudDb, 'deleteObjectType', { query: { ...query, confirm: 'Gone' } })
    const table = `cdb_${BigInt(db.projectId).toString(36)}_main.o_gone`
    expect((await tables()).some(one => one.name === table)).toBe(false)
    expect((await queryAll(db, 'Gone')).body.errorCodeV2).toBe('2002007')
  })

  it('of two people who change at once, the second hears of the first', async () => {
    const { version } = await db.owner.ok(cloudDb, 'getObjectTypes', { query: { projectId: db.projectId } })
    const type = (name: string) => ({
      ...book('Book'),
      fields: [
        ...book('Book').fields.filter(one => one.fieldName !== 'price'),
        field('weight', 'Float'),
        field(name, 'Integer'),
      ],
      indexes: [indexOn('bySold', 'sold')],
    })
    const replies = await Promise.all([change(type('a1'), version), change(type('b1'), version)])
    expect(replies.map(one => one.status).sort()).toEqual([200, 409])
  })

  it('go to another project as a file, and come as classes for apps', async () => {
    const file = await db.owner.call(cloudDb, 'exportObjectType', { body: { projectId: db.projectId, format: 'json' } })
    const sent = JSON.parse(file.text)
    const other = await openDb(stage)
    const body = { projectId: other.projectId, ...sent }
    const first = await other.owner.ok(cloudDb, 'importObjectType', { body })
    expect(first.added).toContain('Book')
    const again = await other.owner.ok(cloudDb, 'importObjectType', { body })
    expect([again.added, again.skipped.includes('Book')]).toEqual([[], true])
    for (const format of ['ts', 'js', 'java', 'android', 'objc'] as const) {
      const classes = await db.owner.call(cloudDb, 'exportObjectType', {
        body: { projectId: db.projectId, format, package: 'com.example' },
      })
      expect([format, classes.text.includes('Book')]).toEqual([format, true])
    }
  })
})

describe('data zones', () => {
  it('have all types at once, at most four, each with a name of its own', async () => {
    const { owner, projectId } = db
    const make = (name: string) => owner.call(cloudDb, 'createZone', { body: { projectId, name } })
    expect((await make('MAIN')).body.ret.code).toBe(204040006)
    expect((await make('privateDefault')).body.ret.code).toBe(204040008)
    expect((await make('a"; DROP SCHEMA public; --')).body.ret.code).toBe(204040008)
    for (const name of ['Second', 'third', 'fourth']) expect((await make(name)).status).toBe(200)
    expect((await make('fifth')).body.ret.code).toBe(204040007)
    const put = await db.asServer('POST', '/v3/syncObjects', { ...at('Book', 'second'), objects: [{ id: 'z' }] })
    expect(put.body).toEqual({ upsertNumber: 1 })
    const { list } = await owner.ok(cloudDb, 'listZones', { query: { projectId } })
    expect(list.map(one => [one.name, one.rows])).toEqual([
      ['main', 1],
      ['Second', 1],
      ['third', 0],
      ['fourth', 0],
    ])
    await owner.ok(cloudDb, 'deleteZone', { query: { projectId, name: 'Second', confirm: 'Second' } })
    const gone = await db.asServer('POST', '/v3/syncObjects', { ...at('Book', 'second'), objects: [{ id: 'z' }] })
    expect(gone.body.errorCodeV2).toBe('2002037')
  })
})

describe('rows in the console', () => {
  const place = () => ({ projectId: db.projectId, ...at('Shelf') })
  const ask = (more: object = {}) =>
    db.owner.ok(cloudDbObjects, 'queryObjects', { body: { ...place(), queryConditions: [], ...more } })

  beforeAll(async () => {
    await db.newType(book('Shelf'))
  })

  it('are put in with every kind of value, and come out as they were', async () => {
    const object = {
      ...{ id: 'one', title: 'Ünï 😀', pages: -5, price: 0.1, sold: '9007199254740993', out: 1_700_000_000_123 },
      ...{ cover: Buffer.from([0, 255, 7]).toString('base64'), text: 'x'.repeat(300), isNew: false, note: 'secret' },
    }
    await db.owner.ok(cloudDbObjects, 'putObject', { body: { ...place(), operation: 'INSERT', object } })
    const { data, total } = await ask({ withTotal: true })
    expect(total).toBe(1)
    expect(data[0]).toMatchObject({
      ...object,
      out: '2023-11-14 22:13:20 123',
      text: 'x'.repeat(255),
      naturalbase_cut: ['text'],
    })
    const long = await db.owner.call(cloudDbObjects, 'loadField', {
      body: { ...place(), primaryKey: { id: 'one' }, fieldName: 'text' },
    })
    expect(long.text).toBe('x'.repeat(300))
    const kept = await stage.sql<{ note: string }>(
      'CN',
      `SELECT note FROM "cdb_${BigInt(db.projectId).toString(36)}_main".o_shelf`,
    )
    expect(kept[0]?.note).not.toContain('secret')
  })

  it('are changed only while they are as they were read', async () => {
    const [row] = (await ask()).data as { naturalbase_version: string }[]
    const update = (version: string) =>
      db.owner.call(cloudDbObjects, 'putObject', {
        body: { ...place(), operation: 'UPDATE', object: { id: 'one', pages: 7 }, version },
      })
    expect((await update(row?.naturalbase_version ?? '')).body.written).toBe(1)
    expect((await update(row?.naturalbase_version ?? '')).body.ret.code).toBe(2003049)
    expect((await ask()).data[0]).toMatchObject({ pages: 7, title: 'Ünï 😀' })
  })

  it('go into the bin for some days where there is one, come back, or are gone for good', async () => {
    const { owner, projectId } = db
    const set = (body: object) => owner.call(cloudDb, 'setRetentionPeriod', { body: { projectId, ...body } as never })
    expect((await set({ enabled: true })).body).toMatchObject({ enabled: true, days: 30 })
    await putAll(db, 'Shelf', [{ id: 'two' }, { id: 'three' }])
    await owner.ok(cloudDbObjects, 'deleteObject', {
      body: { ...place(), objects: [{ id: 'two' }, { id: 'three' }, { id: 'one' }] },
    })
    expect((await ask()).data).toEqual([])
    expect((await ask({ deleted: true })).data).toHaveLength(3)
    const back = await owner.ok(cloudDbObjects, 'recoverObjects', {
      body: { ...place(), primaryKeys: [{ id: 'two' }, { id: 'never' }] },
    })
    expect(back).toMatchObject({ restored: 1, conflicts: [{ key: 'never' }] })
    expect(
      (await owner.ok(cloudDbObjects, 'purgeObjects', { body: { ...place(), objects: [{ id: 'three' }] } })).purged,
    ).toBe(1)
    await putAll(db, 'Shelf', [{ id: 'one', title: 'anew' }], 1)
    expect((await queryAll(db, 'Shelf', where('EqualTo', 'id', 'one'))).body.data[0]).toMatchObject({
      title: 'anew',
      pages: null,
      isNew: true,
    })
    expect((await ask({ deleted: true })).data).toEqual([])
  })

  it('in the bin are counted and confirmed before fewer days take them', async () => {
    const { owner, projectId } = db
    await owner.ok(cloudDbObjects, 'deleteObject', { body: { ...place(), objects: [{ id: 'two' }] } })
    const off = (confirm?: number) =>
      owner.call(cloudDb, 'setRetentionPeriod', {
        body: { projectId, enabled: false, ...(confirm !== undefined && { confirm }) },
      })
    const refused = await off()
    expect([refused.body.ret.code, refused.body['rows']]).toEqual([204040009, 1])
    expect((await off(1)).body).toMatchObject({ enabled: false, purged: 1 })
  })

  it('are all cleared only when the name is said, and keys are counted from 1 again', async () => {
    await db.newType(typed('Ticket', [key('no', 'IntAutoIncrement'), field('who', 'String')]))
    await putAll(db, 'Ticket', [{ who: 'a' }, { who: 'b' }])
    await putAll(db, 'Ticket', [{ no: 10, who: 'c' }])
    await putAll(db, 'Ticket', [{ who: 'd' }])
    const numbers = async () =>
      (await queryAll(db, 'Ticket', where('OrderBy', 'no', 'asc'))).body.data.map(row => row['no'])
    expect(await numbers()).toEqual([1, 2, 10, 11])
    const query = { projectId: db.projectId, ...at('Ticket') }
    expect((await db.owner.call(cloudDbObjects, 'deleteAllObjects', { query })).body.ret.code).toBe(204040004)
    await db.owner.ok(cloudDbObjects, 'deleteAllObjects', { query: { ...query, confirm: 'Ticket' } })
    await putAll(db, 'Ticket', [{ who: 'e' }])
    expect(await numbers()).toEqual([1])
  })
})

describe('use', () => {
  it('is counted once for each row that was written and read', async () => {
    const other = await openDb(stage)
    await other.newType(book('Counted'))
    await putAll(other, 'Counted', [{ id: '1' }, { id: '2' }, { id: '3' }])
    await queryAll(other, 'Counted', limit(2))
    await stage.booted.worker.sweep()
    await stage.booted.worker.sweep()
    const { projectId, owner } = other
    await expect
      .poll(async () => (await owner.ok(cloudDb, 'fetchDataUsage', { query: { projectId } })).reads, {
        timeout: 20_000,
      })
      .toBe(2)
    const usage = await owner.ok(cloudDb, 'fetchDataUsage', { query: { projectId } })
    expect(usage).toMatchObject({ rows: 3, writes: 3, perType: [{ objectTypeName: 'Counted', zone: 'main', rows: 3 }] })
    expect(usage.storageBytes).toBeGreaterThan(8000)
  })

  it('is told for every day, also for those on which nothing was done', async () => {
    const { projectId, owner } = db
    const { days } = await owner.ok(cloudDb, 'fetchDataUsage', { query: { projectId, days: 5 } })
    const today = Date.parse(new Date(stage.clock.now()).toISOString().slice(0, 10))
    const wanted = [4, 3, 2, 1, 0].map(ago => new Date(today - ago * 86_400_000).toISOString().slice(0, 10))
    expect(days.map(one => one.day)).toEqual(wanted)
    expect(days[0]).toEqual({ day: wanted[0], reads: 0, writes: 0, writtenBytes: 0 })
  })
})

describe('the bin', () => {
  it('is emptied when its days are over, counted from the midnight after rows were deleted', async () => {
    const other = await openDb(stage)
    const { owner, projectId } = other
    await other.newType(book('Old'))
    await owner.ok(cloudDb, 'setRetentionPeriod', { body: { projectId, enabled: true, days: 2 } })
    await putAll(other, 'Old', [{ id: 'one' }])
    await other.asServer('DELETE', '/v3/syncObjects', { ...at('Old'), objects: [{ id: 'one' }] })
    const table = `"cdb_${BigInt(projectId).toString(36)}_main".o_old`
    const left = async () => (await stage.sql('CN', `SELECT 1 FROM ${table}`)).length
    stage.clock.turn(2 * 86_400_000)
    await stage.booted.worker.sweep()
    expect(await left()).toBe(1)
    stage.clock.turn(86_400_000)
    await stage.booted.worker.sweep()
    expect(await left()).toBe(0)
  })
})
