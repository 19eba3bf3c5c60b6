import os from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('how many processes serve the port', () => {
  it.each([
    ['what is said', { LOGGIA_PROCESSES: '3' }, 3],
    [
      'what is said, also of databases that are named',
      { LOGGIA_PROCESSES: '3', DATABASE_URL_HOME: 'postgres://db' },
      3,
    ],
    ['one, where databases are named', { DATABASE_URL_HOME: 'postgres://db' }, 1],
  ])('is %s', (_which, env, processes) => {
    expect(readConfig(env).processes).toBe(processes)
  })

  it('is one a processor unless said, four at most, with 4 GB for each', () => {
    const { processes } = readConfig({})
    expect(processes).toBeGreaterThanOrEqual(1)
    expect(processes).toBeLessThanOrEqual(Math.min(4, os.availableParallelism()))
    expect(processes === 1 || processes * 4e9 <= os.totalmem()).toBe(true)
  })

  it.each(['0', '65', 'two', '1.5'])('cannot be %s, and it says why', said => {
    expect(() => readConfig({ LOGGIA_PROCESSES: said })).toThrow(
      `LOGGIA_PROCESSES is "${said}"; it must be a whole number from 1 to 64`,
    )
  })
})
