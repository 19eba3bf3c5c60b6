import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { arrayOf, NumberColumn } from './number-column.ts'

let stage: Stage
let client: pg.Client
beforeAll(async () => {
  stage = await openStage({ zones: ['CN'] })
  client = new pg.Client({ connectionString: stage.booted.server.pools.url('home') })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await stage.close()
})

async function readBy(...columns: NumberColumn[]): Promise<string[]> {
  const { rows } = await client.query<{ number: string }>('SELECT unnest($1::bigint[]) AS number', [arrayOf(columns)])
  return rows.map(row => row.number)
}

describe('a column of numbers is read by PostgreSQL', () => {
  it.each([
    0,
    1,
    -1,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    2 ** 32 - 1,
    2 ** 32,
    -(2 ** 32) - 1,
    1_796_000_000_123,
    2 ** 53 - 1,
  ])('with %d in it', async number => {
    const column = new NumberColumn()
    column.add(number)
    expect(await readBy(column)).toEqual([String(number)])
  })

  it.each(['0', '9007199254740993', '9223372036854775807', '-9223372036854775808'])('with the id %s', async id => {
    const column = new NumberColumn()
    column.addBig(BigInt(id))
    expect(await readBy(column)).toEqual([id])
  })

  it.each([0, 64, 65, 2_000])('with %d of them, in their order', async count => {
    const column = new NumberColumn()
    const numbers = Array.from({ length: count }, (_, at) => at)
    for (const number of numbers) column.add(number)
    expect(column.count).toBe(count)
    expect(await readBy(column)).toEqual(numbers.map(String))
  })

  it('with another one behind it', async () => {
    const columns = [
      [1, 2],
      [3, 4, 5],
    ].map(numbers => {
      const column = new NumberColumn()
      for (const number of numbers) column.add(number)
      return column
    })
    expect(await readBy(...columns)).toEqual(['1', '2', '3', '4', '5'])
  })
})
