import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from './config.testkit.ts'
import { remoteConfig } from './contract.ts'
import { readMemoryOf } from './reads.ts'
import { stalenessOf } from './rules.ts'

const dayMs = 86_400_000

describe('a parameter in force', () => {
  const two = { default: { value: 'a' }, conditional: { cn: { value: 'b' } } }
  const one = { default: { value: 'a' }, conditional: { cn: { value: 'a' } } }
  it.each([
    ['is not judged where nobody knows how old it is', two, null, null, null],
    ['is not stale at first', one, 29, null, null],
    ['that nobody read for 30 days is stale', two, 30, null, 'unread'],
    ['that was read in time is not', two, 200, 29, null],
    ['that was read too long ago is stale', two, 200, 30, 'unread'],
    ['with one value for 90 days is stale though it is read', one, 90, 0, 'single'],
    ['with one value for less is not', one, 89, 0, null],
  ] as const)('%s', (_what, values, sinceDays, readDays, expected) => {
    const now = 1_000 * dayMs
    const ago = (days: number | null) => (days === null ? null : now - days * dayMs)
    expect(stalenessOf(values, { since: ago(sinceDays), readAt: ago(readDays), now })).toBe(expected)
  })
})

describe('the list of parameters', () => {
  let stage: Stage
  let config: ConfigStage
  beforeAll(async () => {
    stage = await openStage()
    config = await openConfig(stage)
  })
  afterAll(() => stage.close())

  const template = (title: string) => ({
    conditions: [condition('cn', inCountry('CN'))],
    parameters: {
      title: parameter(title, { conditional: { cn: { value: 'ni hao' } } }),
      size: parameter('1', { valueType: 'NUMBER' }),
    },
  })
  const ask = async (url: string) => {
    const headers = { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json' }
    const reply = await stage.app.inject({ method: 'POST', url, headers, payload: '{"context":{}}' })
    expect(reply.statusCode).toBe(200)
    await readMemoryOf(stage.booted.server).flush()
  }
  /** Whoever looks is a colleague with a session of his own: the clock was turned past the end of the others. */
  const stale = async (query: { show?: 'stale' } = {}) => {
    const owner = await stage.person({ team: config.owner.teamId, roles: ['administrator'] })
    const { list } = await owner.ok(remoteConfig, 'listParameters', { query: { ...config.where, ...query } })
    return Object.fromEntries(list.map(one => [one.key, one.stale]))
  }

  it('says which of them no client reads, and which are one value for all; a read and a change end it', async () => {
    await config.publish(template('hello'))
    await ask('/rcs/v1/config')
    stage.clock.turn(29 * dayMs)
    expect(await stale()).toEqual({ title: null, size: null })
    stage.clock.turn(2 * dayMs)
    expect(await stale()).toEqual({ title: 'unread', size: 'unread' })
    await ask('/ofrep/v1/evaluate/flags/title')
    expect(await stale()).toEqual({ title: null, size: 'unread' })
    expect(await stale({ show: 'stale' })).toEqual({ size: 'unread' })
    stage.clock.turn(60 * dayMs)
    await ask('/ofrep/v1/evaluate/flags')
    expect(await stale()).toEqual({ title: null, size: 'single' })
    const owner = await stage.person({ team: config.owner.teamId, roles: ['administrator'] })
    const query = { ...config.where }
    const { revision } = await owner.ok(remoteConfig, 'getParameter', { params: { key: 'size' }, query })
    const body = { ...config.where, valueType: 'NUMBER' as const, default: { value: '2' }, revision }
    await owner.ok(remoteConfig, 'updateParameter', { params: { key: 'size' }, body })
    expect(await stale()).toEqual({ title: null, size: 'single' })
  })

  it('writes down a read once a day, however many clients there are', async () => {
    const fresh = await openConfig(stage)
    config = fresh
    await fresh.publish(template('hello'))
    const rows = () =>
      stage.sql('CN', 'SELECT key, read_at FROM rcs_reads WHERE project_id = $1 ORDER BY key', [fresh.projectId])
    await ask('/rcs/v1/config')
    const first = await rows()
    stage.clock.turn(1)
    for (let tries = 0; tries < 3; tries++) await ask('/rcs/v1/config')
    expect([first.length, await rows()]).toEqual([1, first])
    stage.clock.turn(dayMs)
    await ask('/rcs/v1/config')
    const [next] = await rows()
    expect(Number(next?.['read_at'])).toBeGreaterThan(Number(first[0]?.['read_at']))
  })
})
