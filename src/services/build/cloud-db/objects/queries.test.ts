import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
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
} from '../cloud-db.testkit.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
})
afterAll(() => stage.close())

type Row = Record<string, number | string | boolean | null>

/** Those below `中文` stand otherwise in JSON than in a row. */
const words = ['', 'a', 'ab', 'abc', 'b', 'ä', '😀', '\ufffd', "x' OR 1=1 --", '%', '_', 'A', '中文']
  .concat(['"', 'a"b', '\\', 'a\\"', 'a\nb\t', '\u0001', '\u001f', '\u007f', '\u2028'])
  .concat(['"'.repeat(64), '\\'.repeat(65), `${'long '.repeat(20)}"`])
const aWord = fc.constantFrom(...words)
const cells: Record<string, fc.Arbitrary<number | string | boolean | null>> = {
  b: fc.option(fc.boolean(), { nil: null }),
  i: fc.option(fc.integer({ min: -3, max: 3 }), { nil: null }),
  l: fc.option(fc.constantFrom('9007199254740993', '9007199254740992', '-5', '0'), { nil: null }),
  f: fc.option(fc.constantFrom(0.1, -1.5, 2, 16_777_217), { nil: null }),
  d: fc.option(fc.constantFrom(0.1, -1.5, 2, 1e300), { nil: null }),
  s: fc.option(aWord, { nil: null }),
  t: fc.option(fc.constantFrom(0, 1_700_000_000_123, -86_400_000), { nil: null }),
}
const names = Object.keys(cells)
const sorted = ['i', 'l', 'f', 'd', 's', 't']
const aRow = fc.record(cells)

/** Compares as a person would read the brief: nothing first, numbers as numbers, texts by code points. */
function compare(name: string, a: Row[string], b: Row[string]): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (name === 'l')
    return BigInt(a as string) < BigInt(b as string) ? -1 : BigInt(a as string) > BigInt(b as string) ? 1 : 0
  if (name === 'f') return Math.fround(a as number) - Math.fround(b as number)
  if (name === 's' || name === 'id') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  return Number(a) - Number(b)
}

interface Asked {
  how: string
  name: string
  value: Row[string]
}

function isMet({ how, name, value }: Asked, row: Row): boolean {
  const cell = row[name] ?? null
  if (how === 'IsNull') return cell === null
  if (cell === null) return false
  const way = how === 'IsNotNull' ? 0 : compare(name, cell, value)
  const text = String(cell)
  const checks: Record<string, boolean> = {
    ...{
      IsNotNull: true,
      EqualTo: way === 0,
      NotEqualTo: way !== 0,
      GreaterThan: way > 0,
      LessThanOrEqualTo: way <= 0,
    },
    ...{
      BeginsWith: text.startsWith(String(value)),
      EndsWith: text.endsWith(String(value)),
      Contains: text.includes(String(value)),
    },
  }
  return checks[how] ?? false
}

const aCondition: fc.Arbitrary<Asked> = fc.constantFrom(...names).chain(name => {
  const value = (cells[name] as fc.Arbitrary<Row[string]>).filter(one => one !== null)
  const hows = [
    'EqualTo',
    'NotEqualTo',
    'IsNull',
    'IsNotNull',
    ...(name === 'b' ? [] : ['GreaterThan', 'LessThanOrEqualTo']),
    ...(name === 's' ? ['BeginsWith', 'EndsWith', 'Contains'] : []),
  ]
  return fc.record({ how: fc.constantFrom(...hows), name: fc.constant(name), value })
})

describe('a query', () => {
  it('finds what a plain reading of its conditions finds, in the same order (2,000 cases over 300 rows)', async () => {
    const fields = [
      key('id'),
      field('b', 'Boolean'),
      field('i', 'Integer'),
      field('l', 'Long'),
      field('f', 'Float'),
      field('d', 'Double'),
      field('s', 'String'),
      field('t', 'Date'),
    ]
    await db.newType(typed('Fuzz', fields, [indexOn('byI', 'i', 's'), indexOn('byS', '-s')]))
    const rows = fc
      .sample(aRow, { numRuns: 300, seed: 7 })
      .map((row, at_) => ({ id: `k${String(at_).padStart(3, '0')}`, ...row }) as Row)
    await putAll(db, 'Fuzz', rows)
    const aQuery = fc.record({
      groups: fc.array(fc.array(aCondition, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      order: fc.uniqueArray(fc.constantFrom(...sorted), { maxLength: 2 }),
      isDescending: fc.boolean(),
      number: fc.integer({ min: 1, max: 50 }),
      offset: fc.integer({ min: 0, max: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(aQuery, async ({ groups, order, isDescending, number, offset }) => {
        const sent = (one: Asked) => where(one.how, one.name, one.how.startsWith('Is') ? undefined : one.value)
        const conditions = [
          ...(groups.length > 0 ? [where('BeginGroup')] : []),
          ...groups.flatMap((group, at_) => [...(at_ > 0 ? [where('Or')] : []), ...group.map(sent)]),
          ...(groups.length > 0 ? [where('EndGroup')] : []),
          ...order.map(name => where('OrderBy', name, isDescending ? 'desc' : 'asc')),
          limit(number, offset),
        ]
        const { body } = await queryAll(db, 'Fuzz', ...conditions)
        const way = isDescending && order.length > 0 ? -1 : 1
        const expected = rows
          .filter(row => groups.length === 0 || groups.some(group => group.every(one => isMet(one, row))))
          .sort((a, b) => {
            for (const name of [...order, 'id']) {
              const found = compare(name, a[name] ?? null, b[name] ?? null) * way
              if (found !== 0) return found
            }
            return 0
          })
          .slice(offset, offset + number)
          .map(row => row['id'])
        expect(body.data.map(row => row['id'])).toEqual(expected)
      }),
      { numRuns: 2000, seed: 20_261_122 },
    )
  })

  it('pages through every row once, forwards and backwards, over fields that are empty', async () => {
    await db.newType(typed('Paged', [key('id'), field('n', 'Integer')], [indexOn('byN', 'n')]))
    await putAll(
      db,
      'Paged',
      Array.from({ length: 97 }, (_one, n) => ({ id: `p${n}`, n: n % 7 === 0 ? null : n % 5 })),
    )
    for (const way of ['asc', 'desc']) {
      const seen: unknown[] = []
      let after: object | undefined
      for (;;) {
        const page = [where('OrderBy', 'n', way), ...(after ? [where('StartAfter', undefined, after)] : []), limit(10)]
        const { data } = (await queryAll(db, 'Paged', ...page)).body
        if (data.length === 0) break
        seen.push(...data.map(row => row['id']))
        const last = data.at(-1) as Record<string, unknown>
        after = { id: last['id'], n: last['n'] }
      }
      expect(new Set(seen).size).toBe(97)
      const { data } = (
        await queryAll(db, 'Paged', where('OrderBy', 'n', way), where('EndAt', undefined, after as object), limit(10))
      ).body
      expect(data.map(row => row['id'])).toEqual(seen.slice(-10))
    }
  })

  it('without an index over many rows is refused with the index to add', async () => {
    await db.newType(
      typed('Large', [key('id', 'Integer'), field('n', 'Integer'), field('m', 'Integer')], [indexOn('byN', 'n')]),
    )
    const table = `"cdb_${BigInt(db.projectId).toString(36)}_main".o_large`
    await stage.sql(
      'CN',
      `INSERT INTO ${table} (id, n, m, naturalbase_version, naturalbase_operationtime) SELECT g, g % 100, g % 7, g, 0 FROM generate_series(1, 25000) g`,
    )
    const refused = await queryAll(db, 'Large', where('EqualTo', 'm', 3))
    expect([refused.body.errorCodeV2, refused.body.message]).toEqual(['204041001', expect.stringContaining('m ASC')])
    expect((await queryAll(db, 'Large', where('OrderBy', 'm', 'asc'), limit(5))).body.errorCodeV2).toBe('204041001')
    for (const conditions of [
      [where('EqualTo', 'n', 3), where('EqualTo', 'm', 3)],
      [where('EqualTo', 'id', 5)],
      [where('OrderBy', 'n', 'desc')],
      [],
    ]) {
      expect((await queryAll(db, 'Large', ...conditions, limit(5))).status).toBe(200)
    }
    const paged = [where('OrderBy', 'm', 'asc'), where('StartAt', undefined, { m: 1, id: 1 }), limit(5)]
    expect((await queryAll(db, 'Large', ...paged)).body.errorCodeV2).toBe('3037029')
  })

  it('sums in groups where an index begins with the group', async () => {
    const groups = await queryAll(
      db,
      'Large',
      where('GroupBy', 'n'),
      where('Count', 'id'),
      where('Max', 'm'),
      where('LessThan', 'n', 2),
    )
    expect(groups.body.data).toEqual([
      { n: 0, 'count(id)': 250, 'maximum(m)': 6 },
      { n: 1, 'count(id)': 250, 'maximum(m)': 6 },
    ])
    expect((await queryAll(db, 'Large', where('GroupBy', 'm'), where('Count', 'id'))).body.errorCodeV2).toBe('3037025')
  })
})

describe('what is sent badly', () => {
  const trick = `x"; DROP TABLE cdb_types; --`
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)])
  it.each<[string, object, string]>([
    ['a tricky field', where('EqualTo', trick, 1), '3037011'],
    ['a prototype field', where('EqualTo', '__proto__', 1), '3037011'],
    ['a constructor', where('EqualTo', 'constructor', 1), '3037011'],
    ['an unknown condition', where('Sleep', 'n', 1), '3037009'],
    ['toString as a condition', where('toString', 'n', 1), '3037009'],
    ['a value of another type', where('EqualTo', 'n', '1; DROP'), '3007007'],
    ['an object as a value', where('EqualTo', 'n', { $gt: 0 }), '3007007'],
    ['no value', where('EqualTo', 'n'), '3037013'],
    ['thirty levels', where('EqualTo', 'n', deep(30)), '3007008'],
    ['a list that is none', where('In', 'n', 5), '3037009'],
    [
      'a list too long',
      where(
        'In',
        'n',
        Array.from({ length: 101 }, () => 1),
      ),
      '3037009',
    ],
    ['a word condition of a number', where('Contains', 'n', '1'), '3037012'],
    ['a way that is none', where('OrderBy', 'n', 'asc; DROP TABLE x'), '3037016'],
    ['a limit below nothing', limit(-1), '3037018'],
    ['a limit of text', { conditionType: 'Limit', value: { number: '1; DROP' } }, '3037018'],
    ['too many rows', limit(1001), '2001018'],
    ['an open group', where('BeginGroup'), '3037009'],
    ['a group that nobody opened', where('EndGroup'), '3037009'],
    ['a user id too long', where('Uid', undefined, 'u'.repeat(101)), '3037009'],
    ['out of range', where('EqualTo', 'n', 2 ** 40), '2003053'],
  ])('is refused with its number: %s', async (_name, condition, code) => {
    const reply = await queryAll(db, 'Large', condition)
    expect([reply.body.errorCodeV2, reply.status < 500]).toEqual([code, true])
  })

  it('is refused when it is too much: conditions, groups', async () => {
    const many = Array.from({ length: 31 }, () => where('EqualTo', 'n', 1))
    expect((await queryAll(db, 'Large', ...many)).body.errorCodeV2).toBe('3037044')
    const groups = Array.from({ length: 12 }, (_one, n) => where(n < 6 ? 'BeginGroup' : 'EndGroup'))
    expect((await queryAll(db, 'Large', ...groups)).body.errorCodeV2).toBe('204041002')
  })

  it('in rows is refused too, and nothing of the request is kept', async () => {
    const cases: [object, string][] = [
      [{ id: 1, [trick]: 1 }, '3037004'],
      [JSON.parse('{"id": 1, "__proto__": {"n": 5}}'), '3007008'],
      [{ id: 1, n: 1.5 }, '3007007'],
      [{ id: 1, n: { increment: 1 } }, '3007007'],
      [{ id: 2 ** 31 }, '2003053'],
      [{ n: 1 }, '3037003'],
      [[1], '2002000'],
    ]
    for (const [row, code] of cases) {
      const reply = await putAll(db, 'Large', [{ id: 999_999, n: 1 }, row as object])
      expect([JSON.stringify(row), reply.body.errorCodeV2]).toEqual([JSON.stringify(row), code])
    }
    expect((await queryAll(db, 'Large', where('EqualTo', 'id', 999_999))).body.data).toEqual([])
    const put = await db.asServer('POST', '/v3/syncObjects', {
      ...at('Large'),
      objects: [{ id: 1, n: 1 }],
      extra: true,
    })
    expect([put.status, put.body.errorCodeV2]).toEqual([400, '3007008'])
  })
})
