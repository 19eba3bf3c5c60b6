import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contract } from '../../../kernel/contract.ts'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { compared, type Life, live, parts } from './life.testkit.ts'

/** Every call of the older face: its name, and where it lies in each generation. */
const pairs = Object.entries(parts).flatMap(([part, [first, second]]) =>
  Object.entries((first as Contract).calls).map(([name, call]) => ({
    key: `${part} ${name}`,
    title: `${call.method} ${call.path}`,
    call,
    twin: (second as Contract).calls[name],
    prefixes: [first.prefix, second.prefix],
  })),
)

let stage: Stage
let lives: [Life, Life]

beforeAll(async () => {
  stage = await openStage()
  const told = async (generation: 0 | 1) => {
    const owner = await stage.person()
    const powerless = await stage.person({ team: owner.teamId, roles: [] })
    return live({ stage, owner, powerless, stranger: await stage.person() }, generation)
  }
  lives = [await told(0), await told(1)]
})
afterAll(() => stage.close())

const toldBy = (generation: 0 | 1, key: string) => {
  const told = lives[generation].get(key)
  if (!told) throw new Error(`${key} was not told`)
  return told
}

/** Names nothing of a team: what is asked is what there is for whoever asks. */
const namesNothing = ['apps listAppInfo', 'apps makeTempUrl', 'services listRegionNames']

describe('the older face of apps and releases', () => {
  it('has 64 calls, each in two generations with one and the same spec', () => {
    expect(pairs.length).toBe(64)
    for (const { call, twin, prefixes } of pairs) {
      expect(twin).toBe(call)
      expect(prefixes).toEqual(['/cds/v1', '/cds/v2'])
    }
  })

  it.each(pairs)('$title answers the same in v1 and v2', ({ key }) => {
    const [first, second] = [toldBy(0, key), toldBy(1, key)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(compared(first.body)).toEqual(compared(second.body))
  })

  it.each(pairs)('$title finds nothing of another team', ({ key }) => {
    for (const generation of [0, 1] as const) {
      const { stranger } = toldBy(generation, key)
      if (!namesNothing.includes(key)) expect([stranger.status, stranger.text]).toEqual([404, expect.any(String)])
      else expect(stranger.status).toBe(200)
      if (key === 'apps listAppInfo') expect(JSON.parse(stranger.text)).toMatchObject({ total: 0, list: [] })
    }
  })

  it.each(pairs)('$title needs its permission', ({ key, call }) => {
    expect(call.may).not.toBe('none')
    for (const generation of [0, 1] as const) {
      expect(toldBy(generation, key).powerless).toEqual({ status: 403, code: 204160004 })
    }
  })
})

it('docs/distribution-view.md names each of them', () => {
  const page = readFileSync(new URL('../../../../docs/distribution-view.md', import.meta.url), 'utf8')
  const missing = pairs.filter(({ call }) => !page.includes(`${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`))
  expect(missing.map(one => one.title)).toEqual([])
})
