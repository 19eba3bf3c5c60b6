import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/database/transaction.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { compileSource } from '../compile.ts'
import type { RuleRequest } from '../engine-types.ts'
import { decideWith } from '../language/evaluate.ts'
import { rulesetFrom } from '../memory.ts'
import { filterFor, predicateFor } from '../public.ts'
import { type RandomType, randomAuth, randomCondition, randomType, sqlTypes } from './differential.testkit.ts'

const seed = Number(process.env['RULES_SEED'] ?? Math.floor(Math.random() * 1_000_000_000))
const typesCount = 40
const rulesOfType = 10
const rowsOfType = 25

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const scope = { projectId: '1', teamId: '1', zone: 'CN' as const }
const idOf = (index: number) => `r${index}`

/** What the three ways say of each row; the text of the filter for whoever looks into a difference. */
async function decideAll(type: RandomType, condition: string, auth: RuleRequest['auth']) {
  const source = `agc.cloud.db[ match: /{zone}/T/{id} { allow read: if ${condition}; } ]`
  const compiled = compileSource(source, 'agc.cloud.db')
  if (compiled.problems.length > 0) return null
  const ruleset = rulesetFrom(compiled.program, 1)
  const columns = new Map(
    [...type.columns, { name: 'id', type: 'string' as const }].map(one => [
      `data.${one.name}`,
      { sql: `t."${one.name}"`, type: one.type },
    ]),
  )
  const fields = new Map([...columns].map(([place, one]) => [place, one.type]))
  const base = { auth, app: null, ip: '1.2.3.4', time: 1_000_000_000_000 }
  const list: RuleRequest = { ...base, method: 'list', path: ['z', 'T'], openPath: ['data.id'], query: {} }
  const { server } = stage.booted
  const filter = await filterFor(server, scope, ruleset, list, columns, 1)
  const predicate = await predicateFor(server, scope, ruleset, list, columns)
  const shown = await shownBy(filter.text, filter.values)
  const alone: string[] = []
  const streamed: string[] = []
  type.rows.forEach((row, index) => {
    const resource = { data: { ...row, id: idOf(index) } }
    const get: RuleRequest = { ...base, method: 'get', path: ['z', 'T', idOf(index)], resource, fields }
    if (decideWith(ruleset.program, get, null).allowed) alone.push(idOf(index))
    if (predicate.sees(resource)) streamed.push(idOf(index))
  })
  return { shown, alone, streamed, text: filter.text, values: filter.values }
}

async function shownBy(text: string, values: readonly unknown[]): Promise<string[]> {
  return inTransaction(stage.booted.server.pools.of('CN'), 'all', async transaction => {
    const { rows } = await transaction.query<{ id: string }>(`SELECT t.id FROM differential t WHERE ${text}`, [
      ...values,
    ])
    return rows.map(row => row.id)
  })
}

async function makeTable({ columns, rows }: RandomType): Promise<void> {
  await stage.sql('CN', 'DROP TABLE IF EXISTS differential')
  const defined = columns.map(({ name, type }) => `"${name}" ${sqlTypes[type]}`).join(', ')
  await stage.sql('CN', `CREATE TABLE differential (id text PRIMARY KEY, ${defined})`)
  await stage.sql('CN', 'GRANT SELECT ON differential TO PUBLIC')
  for (const [index, row] of rows.entries()) {
    const cells = columns.map(({ name }) => cellOf(row[name]))
    const marks = columns.map((_one, at) => `$${at + 2}`).join(', ')
    await stage.sql('CN', `INSERT INTO differential VALUES ($1, ${marks})`, [idOf(index), ...cells])
  }
}

function cellOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  // The driver writes both zeros alike.
  if (Object.is(value, -0)) return '-0'
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

/** Each number beside each, and beside nothing. */
const numbers: RandomType = {
  columns: [
    { name: 'f0', type: 'double' },
    { name: 'f1', type: 'float' },
    { name: 'f2', type: 'int' },
  ],
  rows: [null, Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5, 9007199254740992].flatMap(f0 =>
    [null, 0, 0.5].flatMap(f1 => [null, 0n, 1n, 9007199254740993n].map(f2 => ({ f0, f1, f2 }))),
  ),
}

describe('a row', () => {
  it('with numbers is shown by a list, read alone and streamed by one and the same order of all of them, and of none', async () => {
    await makeTable(numbers)
    for (const [a, b] of ['01', '10', '02', '20', '12', '21', '00'].map(([one, other]) => [`f${one}`, `f${other}`]))
      for (const op of ['==', '!=', '<', '<=', '>', '>=']) {
        const plain = `resource.data.${a} ${op} resource.data.${b}`
        for (const condition of [plain, `!(${plain})`]) {
          const found = await decideAll(numbers, condition, null)
          expect([...(found?.shown ?? [])].sort(), `${condition}\n${found?.text}`).toEqual(
            [...(found?.alone ?? ['none'])].sort(),
          )
          expect([...(found?.streamed ?? [])].sort(), condition).toEqual([...(found?.alone ?? ['none'])].sort())
        }
      }
  })

  it('is shown by a list, read alone and streamed by one and the same decision, ten thousand times over', async () => {
    process.stdout.write(`differential seed ${seed}: RULES_SEED=${seed}\n`)
    let cases = 0
    let seen = 0
    const typed = fc.sample(randomType(rowsOfType), { seed, numRuns: typesCount })
    for (const [at, type] of typed.entries()) {
      await makeTable(type)
      const wishes = fc.sample(fc.tuple(randomCondition(type), randomAuth), {
        seed: seed + at,
        numRuns: rulesOfType * 4,
      })
      let rules = 0
      for (const [condition, auth] of wishes) {
        if (rules === rulesOfType) break
        const found = await decideAll(type, condition, auth).catch(error => {
          throw new Error(`${(error as Error).message} in ${condition} for ${JSON.stringify(auth)} seed ${seed}`)
        })
        if (!found) continue
        rules++
        cases += type.rows.length
        seen += found.alone.length
        const told = `${condition}\n${found.text}\n${JSON.stringify(found.values)}\n${JSON.stringify(auth)}\nseed ${seed}`
        expect([...found.shown].sort(), told).toEqual([...found.alone].sort())
        expect([...found.streamed].sort(), told).toEqual([...found.alone].sort())
      }
      expect(rules, `seed ${seed}`).toBe(rulesOfType)
    }
    expect(cases).toBe(typesCount * rulesOfType * rowsOfType)
    // A comparison of nothing with nothing would prove nothing.
    expect(seen).toBeGreaterThan(cases / 20)
  })
})
