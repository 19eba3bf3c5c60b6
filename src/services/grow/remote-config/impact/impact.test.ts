import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { remoteConfig } from '../contract.ts'
import { dropOld } from '../jobs.ts'
import { samples, shareOfSample } from '../rules.ts'
import { contextSampleOf } from './contexts.ts'
import { remoteConfigImpact } from './contract.ts'

let stage: Stage
let config: ConfigStage
beforeAll(async () => {
  stage = await openStage()
  config = await openConfig(stage)
  await config.publish({
    conditions: [condition('cn', inCountry('CN'))],
    parameters: { title: parameter('hello', { conditional: { cn: { value: 'ni hao' } } }), other: parameter('same') },
  })
})
afterAll(() => stage.close())

const ask = async (country: string, at: number) => {
  const reply = await stage.app.inject({
    method: 'POST',
    url: '/ofrep/v1/evaluate/flags',
    headers: { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ context: { targetingKey: `u${at}`, 'device.country': country } }),
  })
  expect(reply.statusCode).toBe(200)
}
const flush = () => contextSampleOf(stage.booted.server).flush()
const counted = async () => {
  const [row] = await stage.sql<{ cn: number; n: number }>(
    'CN',
    `SELECT count(*)::int AS n, (count(*) FILTER (WHERE attributes->>'device.country' = 'CN'))::int AS cn
      FROM rcs_contexts WHERE project_id = $1`,
    [config.projectId],
  )
  return row ?? { cn: 0, n: 0 }
}
const impact = () => config.owner.ok(remoteConfigImpact, 'previewDraft', { query: config.where })

describe('a share of a sample', () => {
  it.each([
    [1_240, 10_000, 12.4, 0.6],
    [5_000, 10_000, 50, 1],
    [0, 10_000, 0, 0.1],
  ])('%i of %i', (changed, total, percent, error) => {
    expect(shareOfSample(changed, total)).toEqual({ percent, error })
  })
})

describe('before a draft is published', () => {
  it('nothing is estimated from too few contexts, and it says how many there are', async () => {
    for (let at = 0; at < 10; at++) await ask('CN', at)
    await flush()
    const { contexts, fewest, list } = await impact()
    expect([contexts, fewest, list]).toEqual([(await counted()).n, samples.fewest, []])
  })

  it('it says for how many of those who asked which parameter changes', async () => {
    for (let at = 0; at < 200; at++) await ask(at % 4 === 0 ? 'CN' : 'DE', at)
    await flush()
    const { revision } = await config.owner.ok(remoteConfig, 'getParameter', {
      ...{ params: { key: 'title' }, query: config.where },
    })
    const body = {
      ...{ ...config.where, valueType: 'STRING' as const, default: { value: 'hello' }, revision },
      conditional: { cn: { value: 'zao' } },
    }
    await config.owner.ok(remoteConfig, 'updateParameter', { params: { key: 'title' }, body })
    const { cn, n } = await counted()
    expect(cn).toBeGreaterThan(30)
    expect(await impact()).toMatchObject({ contexts: n, total: 1, list: [{ key: 'title', ...shareOfSample(cn, n) }] })
  })

  it('of a minute some is kept, and none of it for more than seven days', async () => {
    await stage.sql('CN', 'DELETE FROM rcs_contexts WHERE project_id = $1', [config.projectId])
    for (let at = 0; at < 260; at++) await ask('CN', at)
    await flush()
    const { n } = await counted()
    expect(n).toBeGreaterThan(150)
    expect(n).toBeLessThanOrEqual(200)
    const age = [8 * 86_400_000, config.projectId]
    await stage.sql('CN', 'UPDATE rcs_contexts SET seen_at = seen_at - $1::bigint WHERE project_id = $2', age)
    await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(dropOld)
    expect((await counted()).n).toBe(0)
  })
})
