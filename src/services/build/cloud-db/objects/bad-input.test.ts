import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, type OpenedDb, openDb, putAll, queryAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'
import { type FieldType, fieldTypes, isAutoIncrement, isWords } from '../schema/rules.ts'

let stage: Stage
let db: OpenedDb
const plainTypes = fieldTypes.filter(type => !isAutoIncrement(type))
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  const sealed = field('sealed', 'String', { isSensitive: true })
  await db.newType(typed('Every', [key('id'), ...plainTypes.map(type => field(`f${type}`, type)), sealed]))
  await putAll(db, 'Every', [{ id: 'kept', fString: 'as it was' }])
})
afterAll(() => stage.close())

const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: [deep(depth - 1)] })
const tricks = [
  `'; DROP TABLE cdb_types; --`,
  `x"; DELETE FROM "o_every"; --`,
  `\\'; SELECT pg_sleep(10); --`,
  '$1',
  '`id`',
  '1 OR 1=1',
  '{"$gt": ""}',
]
/** Nothing was changed and nothing is gone. */
async function assertUntouched(): Promise<void> {
  const { list } = await db.owner.ok(cloudDb, 'getObjectTypes', { query: { projectId: db.projectId } })
  expect(list.map(type => type.objectTypeName)).toEqual(['Every'])
  const kept = (await queryAll(db, 'Every', where('EqualTo', 'id', 'kept'))).body.data
  expect(kept).toMatchObject([{ fString: 'as it was' }])
}

describe('a value that tries something', () => {
  it.each(plainTypes.map(type => [type] as const))(
    'is kept as the text it is or refused, in a field of %s',
    async type => {
      for (const trick of tricks) {
        const reply = await putAll(db, 'Every', [{ id: 'tried', [`f${type}`]: trick }])
        if (!isWords(type)) {
          expect([trick, reply.body.errorCodeV2]).toEqual([trick, '3007007'])
          continue
        }
        expect(reply.status).toBe(200)
        const [row] = (await queryAll(db, 'Every', where('EqualTo', 'id', 'tried'))).body.data
        expect(row?.[`f${type}`]).toBe(trick)
        if (type === 'String')
          expect((await queryAll(db, 'Every', where('EqualTo', 'fString', trick))).body.data).toHaveLength(1)
      }
      await assertUntouched()
    },
  )

  it('is kept as it is in a key and in a field that is sealed', async () => {
    for (const trick of tricks) {
      expect((await putAll(db, 'Every', [{ id: trick, sealed: trick }])).status).toBe(200)
      const found = (await queryAll(db, 'Every', where('EqualTo', 'id', trick))).body.data
      expect(found).toMatchObject([{ id: trick, sealed: trick }])
      const gone = await db.asServer('DELETE', '/v3/syncObjects', { ...at('Every'), objects: [{ id: trick }] })
      expect(gone.body).toEqual({ delNumber: 1 })
    }
    await assertUntouched()
  })

  const wrong: Record<string, unknown[]> = {
    Boolean: ['true', 1, 0],
    String: [1, true],
    Text: [1, true],
    ByteArray: ['not base64!', 'abc', 1],
    Date: ['yesterday', 1.5, true],
  }
  it.each(plainTypes.map(type => [type] as const))(
    'is refused where it is of another kind, in a field of %s',
    async type => {
      const values = [
        {},
        [],
        [1],
        deep(30 / 2 - 2),
        { toString: 1 },
        ...(wrong[type as FieldType] ?? ['x', true, '1e3', '']),
      ]
      for (const value of values) {
        const reply = await putAll(db, 'Every', [{ id: 'tried', [`f${type}`]: value }])
        expect([type, JSON.stringify(value).slice(0, 60), reply.body.errorCodeV2]).toEqual([
          ...[type, JSON.stringify(value).slice(0, 60), '3007007'],
        ])
      }
    },
  )
})

describe('a name that tries something', () => {
  const names = [...tricks, '__proto__', 'constructor', 'toString', 'naturalbase_creator', '']
  it.each(names.map(name => [name] as const))('finds nothing and breaks nothing: %s', async name => {
    const id = { id: 'kept' }
    const sent: ['POST' | 'PUT' | 'DELETE', string, object][] = [
      ['POST', '/v3/syncObjects', { ...at(name), objects: [id] }],
      ['POST', '/v3/syncObjects', { ...at('Every', name), objects: [id] }],
      ['DELETE', '/v3/syncObjects', { ...at('Every'), objects: [{ [name]: 1 }] }],
      ['POST', '/v4/objects/queries', { ...at('Every'), queryConditions: [where('OrderBy', name, 'asc')] }],
      ['POST', '/v4/objects/queries', { ...at('Every'), queryConditions: [where('Sum', name)] }],
      ['POST', '/v4/objects/queries', { ...at('Every'), queryConditions: [where('Select', name)] }],
      ['POST', '/v4/objects/queries', { ...at('Every'), queryConditions: [where(name, 'id', 'x')] }],
      ['PUT', '/v4/object', { ...at('Every'), primaryKey: id, update: { [name]: 1 } }],
      ['PUT', '/v4/object', { ...at('Every'), primaryKey: { [name]: 1 }, update: { fString: 'x' } }],
      ['PUT', '/v4/object', { ...at('Every'), primaryKey: id, increment: { [name]: 1 } }],
      [
        'POST',
        '/v3/transaction',
        {
          cloudDBZoneName: 'main',
          needVerifyObjectsList: [],
          transactionList: [{ operationType: name, objectTypeName: 'Every', objects: [id] }],
        },
      ],
    ]
    for (const [method, path, body] of sent) {
      const reply = await db.asServer(method, path, body)
      expect([method, path, JSON.stringify(body), reply.status >= 400 && reply.status < 500]).toEqual([
        ...[method, path, JSON.stringify(body), true],
      ])
    }
    await assertUntouched()
  })
})

describe('what is too large or too deep', () => {
  it('is a row of more than 2 MiB; one of a little less goes in', async () => {
    const limit = 2 * 1024 * 1024
    const put = (fText: string) => putAll(db, 'Every', [{ id: 'large', fText }])
    const reply = await put('x'.repeat(limit))
    expect([reply.status, reply.body.errorCodeV2]).toEqual([413, '3037006'])
    // Bytes count, not characters.
    expect((await put('中'.repeat(limit / 3))).body.errorCodeV2).toBe('3037006')
    expect((await put('x'.repeat(limit - 100))).status).toBe(200)
  })

  it('is a body of more levels than a body may have, whatever stands there', async () => {
    for (const [depth, code] of [
      [10, '3007007'],
      [30, '3007008'],
    ] as const) {
      const reply = await putAll(db, 'Every', [{ id: 'tried', fString: deep(depth) }])
      expect([depth, reply.body.errorCodeV2]).toEqual([depth, code])
      const asked = await queryAll(db, 'Every', where('EqualTo', 'fString', deep(depth)))
      expect([depth, asked.body.errorCodeV2]).toEqual([depth, code])
    }
    await assertUntouched()
  })
})
