import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  firebasePlace,
  flagdVariant,
  flagsmithPercent,
  growthBookFirstShare,
  growthBookShare,
  postHogShare,
  unleashNumber,
  unleashVariant,
  unleashVariantSeed,
} from './compat.ts'
import { type Context, unleash } from './unleash-specification.testkit.ts'

describe('the hash of Firebase', () => {
  // The cases that the admin client publishes for every place that evaluates a condition of 0 to 50 %.
  it.each([
    ['1', 'one', false],
    ['2', 'two', false],
    ['3', 'three', true],
    ['4', 'four', false],
    ['5', 'five', true],
    ['', '😊', true],
    ['', '😀', false],
    ['hêl£o', 'wørlÐ', false],
    ['řemøťe', 'çōnfįġ', true],
    ['long', '.'.repeat(100), true],
    ['very-long', '.'.repeat(1000), false],
  ])('of the seed %j puts %j in the first half: %s', (seed, id, isIn) => {
    const place = firebasePlace(seed, id)
    expect(place > 0 && place <= 50_000_000).toBe(isIn)
  })
  it('gives the places of the brief', () => {
    expect(firebasePlace('3', 'three')).toBe(6_701_947)
    expect(firebasePlace('1', 'one')).toBe(64_146_488)
  })
})

describe('the hash of Unleash', () => {
  it('gives the numbers of the brief', () => {
    expect([unleashNumber('gr1', '123'), unleashNumber('groupX', '999')]).toEqual([73, 25])
    expect([
      unleashNumber('gr1', '123', 100, unleashVariantSeed),
      unleashNumber('groupX', '999', 100, unleashVariantSeed),
    ]).toEqual([96, 60])
  })

  it.each(rollouts())('$file: $description', ({ group, id, percent, expected }) => {
    expect(id !== undefined && percent > 0 && unleashNumber(group, id) <= percent).toBe(expected)
  })

  it.each(variants())('$file: $description', ({ group, id, names, weights, expected }) => {
    expect(names[unleashVariant(group, id, weights)] ?? 'disabled').toBe(expected)
  })

  it('was tried with many cases of the specification', () => {
    expect(rollouts().length).toBeGreaterThan(15)
    expect(variants().length).toBeGreaterThanOrEqual(10)
  })
})

function unitBy(stickiness: string, context: Context): string | undefined {
  const names = stickiness === 'default' ? ['userId', 'sessionId'] : [stickiness]
  const found = names.map(name => context[name] ?? context.properties?.[name]).find(value => value !== undefined)
  return found === undefined ? undefined : String(found)
}

/** Cases decided by one rollout alone, where nothing is drawn by chance. */
function rollouts() {
  const stickinessOf: Record<string, string> = { gradualRolloutUserId: 'userId', gradualRolloutSessionId: 'sessionId' }
  return unleash.rollouts.flatMap(({ name: file, state, tests = [] }) => {
    return tests.flatMap(({ description, context, toggleName, expectedResult }) => {
      const feature = state.features.find(one => one.name === toggleName)
      const [strategy, ...others] = feature?.strategies ?? []
      if (!strategy || others.length > 0 || !feature?.enabled || (strategy.constraints ?? []).length > 0) return []
      const { groupId = '', percentage, rollout, stickiness = 'default' } = strategy.parameters
      const by = stickinessOf[strategy.name] ?? stickiness
      const id = unitBy(by, context)
      if (by === 'random' || (by === 'default' && id === undefined)) return []
      return [
        { file, description, group: groupId, id, percent: Number(percentage ?? rollout), expected: expectedResult },
      ]
    })
  })
}

/** Cases of variants without overrides, drawn by an id. */
function variants() {
  return unleash.variants.flatMap(({ name: file, state, variantTests = [] }) => {
    return variantTests.flatMap(({ description, context, toggleName, expectedResult }) => {
      const feature = state.features.find(one => one.name === toggleName)
      const strategy = feature?.strategies.length === 1 ? feature.strategies[0] : undefined
      if (!feature?.enabled || !strategy || (strategy.constraints ?? []).length > 0) return []
      const isOfStrategy = (strategy.variants ?? []).length > 0
      const list = isOfStrategy ? strategy.variants : feature.variants
      if (!list || list.length === 0 || feature.variants?.some(one => (one.overrides ?? []).length > 0)) return []
      if (!isOfStrategy && strategy.name !== 'default' && strategy.parameters['rollout'] !== '100') return []
      const id = unitBy(list[0]?.stickiness ?? 'default', context)
      if (id === undefined) return []
      const group = isOfStrategy ? (strategy.parameters['groupId'] ?? toggleName) : toggleName
      const names = list.map(one => one.name)
      const weights = list.map(one => one.weight)
      return [{ file, description, group, id, names, weights, expected: expectedResult.name }]
    })
  })
}

describe('the hashes of GrowthBook', () => {
  // The hashes and buckets that GrowthBook publishes for whoever writes a client: cases.json of its SDKs, MIT licence.
  it.each([
    [1, '', 'a', 0.22],
    [1, '', 'b', 0.077],
    [1, 'b', 'a', 0.946],
    [1, 'ef', 'd', 0.652],
    [1, 'asdf', '8952klfjas09ujk', 0.549],
    [1, '', '123', 0.011],
    [1, '', '___)((*":&', 0.563],
    [1, 'feature', '123', 0.863],
    [1, 'feature', '456', 0.178],
    [1, 'feature', 'fds', 0.514],
    [2, 'seed', 'a', 0.0505],
    [2, 'seed', 'b', 0.2696],
    [2, 'foo', 'ab', 0.2575],
    [2, 'foo', 'def', 0.2019],
    [2, '89123klj', '8952klfjas09ujkasdf', 0.124],
    [2, '90850943850283058242805', '123', 0.7516],
    [2, '()**(%$##$%#$#', '___)((*":&', 0.0128],
    [2, 'feature', '123', 0.5231],
    [2, 'holdout', '1', 0.8043],
    [2, 'experiment', '1', 0.4413],
  ] as const)('version %i of the seed %j puts %j at %d', (version, seed, id, share) => {
    expect((version === 1 ? growthBookFirstShare : growthBookShare)(seed, id)).toBe(share)
  })

  it.each([
    [1, growthBookFirstShare],
    [2, growthBookShare],
  ] as const)('version %i agrees with the unmodified client, id by id', async (hashVersion, share) => {
    const { GrowthBook } = await import('@growthbook/growthbook')
    let compared = 0
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }), (seed, id) => {
        const client = new GrowthBook({ attributes: { id } })
        const result = client.run({ key: 'k', seed, variations: ['a', 'b'], hashVersion })
        client.destroy()
        compared++
        return result.bucket === share(seed, id)
      }),
      { numRuns: 1000 },
    )
    expect(compared).toBeGreaterThanOrEqual(1000)
  })
})

describe('the hash of flagd', () => {
  it.each([
    ['rachel', 'blue'],
    ['monica', 'yellow'],
    ['joey', 'red'],
    ['ross', 'blue'],
  ])('gives %s@faas.com the header %s', (name, colour) => {
    const colours = ['red', 'blue', 'green', 'yellow']
    expect(colours[flagdVariant('headerColor', `${name}@faas.com`, [25, 25, 25, 25])]).toBe(colour)
  })
})

describe('the hashes of PostHog and Flagsmith', () => {
  it('stay within their bounds and are even', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `id-${at}`)
    const shares = ids.map(id => postHogShare('flag', id))
    const percents = ids.map(id => flagsmithPercent(['7', id]))
    expect(shares.every(share => share >= 0 && share <= 1)).toBe(true)
    expect(percents.every(percent => percent >= 0 && percent < 100)).toBe(true)
    expect(shares.filter(share => share < 0.1).length / ids.length).toBeCloseTo(0.1, 2)
    expect(percents.filter(percent => percent < 10).length / ids.length).toBeCloseTo(0.1, 2)
  })
})
