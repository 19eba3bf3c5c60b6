import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import {
  at,
  field,
  indexOn,
  key,
  matrix,
  type OpenedDb,
  openDb,
  putAll,
  queryAll,
  typed,
  type WireReply,
  where,
} from './cloud-db.testkit.ts'

/** What broke in back ends like this one, tried on this one; docs/advisories.md says which is which. */
let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  const fields = [key('id'), field('n', 'Integer'), field('m', 'Integer'), field('words', 'String')]
  await db.newType({
    ...typed('Held', fields, [indexOn('byN', 'n')]),
    permissions: matrix({ World: 'R', Authenticated: 'RU', Creator: 'RUD', Administrator: 'RUD' }),
  })
  expect((await putAll(db, 'Held', [{ id: 'a', n: 1, m: 2, words: 'w' }])).status).toBe(200)
})
afterAll(() => stage.close())

const marker = 'zq7x'
/** Names as the four injections of Parse Server had them: dots, quotes, arrows, placeholders, and what is too long. */
const names = [
  `n.${marker}' OR 1=1 --`,
  `n"${marker}`,
  `n'${marker}`,
  `n; DROP TABLE cdb_types; --${marker}`,
  `n->>'${marker}'`,
  `n) UNION SELECT ${marker} --`,
  `n/*${marker}*/`,
  `n\\${marker}`,
  `$1${marker}`,
  `n\u0000${marker}`,
  `${marker}${'x'.repeat(63)}`,
  marker.repeat(2500),
]

/** Everything that is asked of PostgreSQL while some work is done, as text. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const asked: string[] = []
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [query] = given as [string | { text?: string }]
    asked.push(typeof query === 'string' ? query : String(query?.text))
    return original.apply(this, given as never)
  } as typeof original
  try {
    await work()
  } finally {
    pg.Client.prototype.query = original
  }
  return asked
}

const held = async () => (await queryAll(db, 'Held')).body.data

describe('the name of a field (CVE-2026-31840, GHSA-c442-97qw-j6c6, GHSA-c2hr-cqg6-8j6r, GHSA-6927-3vr9-fxf2)', () => {
  const asked: Record<string, (name: string) => object[]> = {
    condition: name => [where('EqualTo', name, 1)],
    list: name => [where('In', name, [1])],
    emptiness: name => [where('IsNull', name)],
    order: name => [where('OrderBy', name, 'asc')],
    way: name => [where('OrderBy', 'n', name)],
    group: name => [where('GroupBy', name), where('Count', 'id')],
    selected: name => [where('Select', name)],
    counted: name => [where('Count', name)],
    summed: name => [where('Sum', name)],
    page: name => [where('OrderBy', 'n', 'asc'), where('StartAt', undefined, { [name]: 1 })],
    kind: name => [where(name, 'n', 1)],
  }
  it.each(Object.keys(asked))('that is SQL is refused as %s of a query, and is in no statement', async place => {
    const statements = await statementsOf(async () => {
      const somebody = await db.user()
      for (const name of names) {
        const body = { ...at('Held'), queryConditions: asked[place]?.(name) ?? [] }
        const told = [
          await db.asServer('POST', '/v4/objects/queries', body),
          await db.as(somebody, 'POST', '/v4/objects/queries', body),
          await db.asServer('POST', '/v4/syncObjects/queries', body),
        ]
        expect(told.map(one => [name.slice(0, 30), one.status >= 400 && one.status < 500])).toEqual(
          told.map(() => [name.slice(0, 30), true]),
        )
      }
    })
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter(one => one.includes(marker))).toEqual([])
  })

  it('that is SQL is refused in rows, keys, changes and transactions, and nothing is written', async () => {
    const sent: Record<string, (name: string) => Promise<WireReply>> = {
      row: name => putAll(db, 'Held', [{ id: 'a', [name]: 5 }]),
      type: name => putAll(db, name, [{ id: 'a' }]),
      zone: name => db.asServer('POST', '/v3/syncObjects', { ...at('Held', name), objects: [{ id: 'a' }] }),
      key: name => db.asServer('DELETE', '/v3/syncObjects', { ...at('Held'), objects: [{ [name]: 'a' }] }),
      update: name =>
        db.asServer('PUT', '/v4/object', { ...at('Held'), primaryKey: { id: 'a' }, update: { [name]: 5 } }),
      verified: name =>
        db.asServer('POST', '/v3/transaction', {
          cloudDBZoneName: 'main',
          needVerifyObjectsList: [{ objectTypeName: name, objects: [{ id: 'a' }] }],
          transactionList: [],
        }),
      written: name =>
        db.asServer('POST', '/v3/transaction', {
          cloudDBZoneName: 'main',
          needVerifyObjectsList: [],
          transactionList: [{ operationType: name, objectTypeName: 'Held', objects: [{ id: 'a', n: 9 }] }],
        }),
    }
    const before = await held()
    const statements = await statementsOf(async () => {
      for (const [place, send] of Object.entries(sent))
        for (const name of names) {
          const { status } = await send(name)
          expect([place, name.slice(0, 30), status >= 400 && status < 500]).toEqual([place, name.slice(0, 30), true])
        }
    })
    expect(statements.filter(one => one.includes(marker))).toEqual([])
    expect(await held()).toEqual(before)
  })
})

describe('counting up (GHSA-q3vj-96h2-gwvg, GHSA-gqpp-xgvh-9h7h)', () => {
  it('by what is no number, or under a name that is SQL, is refused and counts nothing', async () => {
    const before = await held()
    const amounts = [
      '1; DROP TABLE cdb_types',
      "1' OR '1'='1",
      '1) RETURNING *; --',
      { amount: 1 },
      { $inc: 1 },
      [1],
      null,
      true,
      2 ** 40,
      1.5,
    ]
    const increments = [
      ...amounts.map(amount => ({ n: amount })),
      ...names.map(name => ({ [name]: 1 })),
      { n: { [`k' = '1`]: 1 } },
      JSON.parse('{"__proto__": {"n": 5}}') as object,
    ]
    for (const increment of increments) {
      const { status } = await db.asServer('PUT', '/v4/object', { ...at('Held'), primaryKey: { id: 'a' }, increment })
      expect([JSON.stringify(increment).slice(0, 60), status >= 400 && status < 500]).toEqual([
        JSON.stringify(increment).slice(0, 60),
        true,
      ])
    }
    expect(await held()).toEqual(before)
  })
})

describe('tables that are not the app’s (CVE-2026-31800)', () => {
  const inner = [
    ...['app_users', 'app_auth_codes', 'app_user_sessions', 'public.app_users', 'cdb_types', 'storage_objects'],
    ...['pg_authid', 'pg_catalog.pg_user', 'information_schema.tables', 'outbox', '_User', '_Session', '_Hooks'],
    ...['__proto__', 'constructor', 'toString', 'held"; --', 'HELD '],
  ]
  it('are none of its types: a name of one is told what any other name is', async () => {
    const somebody = await db.user()
    for (const callWith of [
      db.asServer,
      ((method, path, body) => db.as(somebody, method, path, body)) as OpenedDb['asServer'],
    ]) {
      const told = async (name: string) => {
        const replies = [
          await callWith('POST', '/v4/objects/queries', { ...at(name), queryConditions: [] }),
          await callWith('POST', '/v3/syncObjects', { ...at(name), objects: [{ id: 'a' }] }),
          await callWith('DELETE', '/v3/syncObjects', { ...at(name), objects: [{ id: 'a' }] }),
          await callWith('PUT', '/v4/object', { ...at(name), primaryKey: { id: 'a' }, update: { n: 1 } }),
        ]
        return replies.map(one => [one.status, one.body.errorCodeV2])
      }
      const ofNone = await told('Nowhere')
      expect(ofNone.every(([status]) => Number(status) >= 400 && Number(status) < 500)).toBe(true)
      for (const name of inner) expect([name, await told(name)]).toEqual([name, ofNone])
    }
  })
})

describe('a type that nobody opened (CVE-2025-48757)', () => {
  it('gives apps nothing and takes nothing from them', async () => {
    await db.newType({ ...typed('Closed', [key('id'), field('secret', 'String')]), permissions: matrix({}) })
    await db.newType({
      ...typed('Own', [key('id'), field('secret', 'String')]),
      permissions: matrix({ Administrator: 'RUD' }),
    })
    expect((await putAll(db, 'Own', [{ id: 's', secret: 'salary' }])).status).toBe(200)
    for (const who of [await db.nobody(), await db.user()])
      for (const type of ['Closed', 'Own']) {
        const replies = [
          await db.as(who, 'POST', '/v4/objects/queries', { ...at(type), queryConditions: [] }),
          await db.as(who, 'POST', '/v4/objects/queries', { ...at(type), queryConditions: [where('Count', 'id')] }),
          await db.as(who, 'POST', '/v4/objects/queries', {
            ...at(type),
            queryConditions: [where('BeginsWith', 'secret', 's')],
          }),
          await db.as(who, 'POST', '/v4/syncObjects/queries', { ...at(type), queryConditions: [] }),
        ]
        for (const one of replies)
          expect([type, one.status === 403 || JSON.stringify(one.body.data) === '[]' || count(one) === 0]).toEqual([
            type,
            true,
          ])
        expect(JSON.stringify(replies.map(one => one.body))).not.toContain('salary')
        const put = await db.as(who, 'POST', '/v3/syncObjects', { ...at(type), objects: [{ id: 'x' }] })
        expect([type, put.status]).toEqual([type, 403])
      }
  })

  it('and rows of every team are hidden from a statement that names no team', async () => {
    const tables = await stage.sql<{ name: string }>(
      'CN',
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'
        AND table_name ~ '^(app_|cdb_|storage_|rules_)'`,
    )
    expect(tables.length).toBeGreaterThan(20)
    const client = new pg.Client({ connectionString: stage.booted.server.pools.url('CN') })
    await client.connect()
    try {
      const [users] = await stage.sql('CN', 'SELECT count(*)::int AS n FROM app_users')
      expect(users?.['n']).toBeGreaterThan(0)
      for (const { name } of tables) {
        const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${name}`)
        expect([name, rows[0].n]).toEqual([name, 0])
      }
    } finally {
      await client.end()
    }
  })
})

const count = (reply: WireReply) => reply.body.data?.[0]?.['count(id)']

describe('names of prototypes (CVE-2026-30938)', () => {
  it('below an innocent object are found as well: nothing is set on what all objects have', async () => {
    const texts = [
      '{"id":"p","words":"w","extra":{"a":{"b":1},"__proto__":{"polluted":1}}}',
      '{"id":"p","__proto__":{"polluted":1}}',
      '{"id":"p","constructor":{"prototype":{"polluted":1}}}',
      '[{"id":"p"},{"constructor":{"prototype":{"polluted":1}}}]',
    ]
    for (const text of texts)
      for (const [method, path, more] of [
        ['POST', '/v3/syncObjects', `"objects":[${text}]`],
        ['DELETE', '/v3/syncObjects', `"objects":[${text}]`],
        ['PUT', '/v4/object', `"primaryKey":{"id":"a"},"update":${text}`],
        [
          'POST',
          '/v4/objects/queries',
          `"queryConditions":[{"conditionType":"EqualTo","fieldName":"n","value":${text}}]`,
        ],
      ] as const) {
        const reply = await stage.app.inject({
          method,
          url: `/api/clouddb/clouddbservice${path}`,
          headers: { ...db.serverHeaders, 'content-type': 'application/json' },
          payload: `{"cloudDBZoneName":"main","objectTypeName":"Held",${more}}`,
        })
        expect([path, text.slice(0, 30), reply.statusCode < 500]).toEqual([path, text.slice(0, 30), true])
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      }
    expect((await held()).map(row => row['id'])).not.toContain('p')
  })
})

describe('one request that is many (CVE-2026-34573)', () => {
  it('is refused before any of it is done', async () => {
    const part = { operationType: 'upsert', objectTypeName: 'Held', objects: [{ id: 'many', n: 1 }] }
    const verified = { objectTypeName: 'Held', objects: [{ id: 'a' }] }
    const transact = (transactionList: object[], needVerifyObjectsList: object[]) =>
      db.asServer('POST', '/v3/transaction', { cloudDBZoneName: 'main', needVerifyObjectsList, transactionList })
    const replies = [
      await transact(Array(1001).fill(part), []),
      await transact([part], Array(101).fill(verified)),
      await putAll(
        db,
        'Held',
        Array.from({ length: 5000 }, (_one, n) => ({ id: `many${n}` })),
      ),
      await queryAll(db, 'Held', ...Array(1000).fill(where('Count', 'id'))),
      await queryAll(db, 'Held', ...Array(1000).fill(where('OrderBy', 'n', 'asc'))),
    ]
    expect(replies.map(one => one.status >= 400 && one.status < 500)).toEqual(replies.map(() => true))
    expect((await held()).filter(row => String(row['id']).startsWith('many'))).toEqual([])
  })
})
