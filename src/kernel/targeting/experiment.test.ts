import { describe, expect, it } from 'vitest'
import { splitOf } from '../statistics/checks.ts'
import { compile } from './evaluate.ts'
import { type Drawing, drawVariant } from './experiment.ts'

const people = Array.from({ length: 100_000 }, (_one, at) => `user-${at}`)
const drawing = (more: Partial<Drawing> = {}): Drawing => ({
  ...{ unitAttr: 'targetingKey', seed: 'seed', exposurePercent: 100, layer: null, holdout: null, testUnits: {} },
  variants: [
    { key: 'control', weight: 1 },
    { key: 'treatment', weight: 1 },
  ],
  ...more,
})
const asks = (unit: unknown, more: Record<string, unknown> = {}) => ({
  attributes: { targetingKey: unit, ...more } as Record<string, unknown>,
  now: 0,
})
const drawn = (of: Drawing, unit: unknown, kept?: string) => drawVariant(of, null, asks(unit), kept)
const part = (from: number, to: number) => ({ seed: 'layer', unitAttr: 'targetingKey', from, to })

describe('who takes part', () => {
  const german = compile({ attr: 'country', op: 'eq', value: 'DE' })
  const holdout = { seed: 'held', unitAttr: 'targetingKey', percent: 100 }
  it.each([
    ['nobody without what is drawn by', drawing(), undefined, 'noUnit'],
    ['nobody who is only blank', drawing(), '  ', 'noUnit'],
    ['nobody who is held out', drawing({ holdout }), 'a', 'heldOut'],
    ['nobody of another part of the layer', drawing({ layer: part(0, 0) }), 'a', 'otherPart'],
    ['nobody before it is shown to anybody', drawing({ exposurePercent: 0 }), 'a', 'notExposed'],
    ['nobody where no variant weighs anything', drawing({ variants: [{ key: 'a', weight: 0 }] }), 'a', 'noWeight'],
    ['a test unit, held out or not', drawing({ holdout, testUnits: { a: 'treatment' } }), 'a', 'test'],
  ])('%s', (_name, of, unit, why) => {
    expect(drawn(of, unit).why).toBe(why)
  })

  it('those whom the rule means, and who were seen in a variant stay in it', () => {
    expect(drawVariant(drawing(), german, asks('a', { country: 'FR' })).why).toBe('notTargeted')
    expect(drawVariant(drawing(), german, asks('a', { country: 'DE' })).why).toBe('drawn')
    for (const [at, key] of ['control', 'treatment'].entries())
      expect(drawn(drawing(), 'a', key)).toEqual({ variant: at, why: 'kept' })
    expect(drawn(drawing(), 'a', 'gone').why).toBe('drawn')
    expect(drawn(drawing({ testUnits: { a: 'gone' } }), 'a').why).toBe('drawn')
  })

  it('no name of what every object has is a test unit', () => {
    expect(drawn(drawing(), 'constructor').why).toBe('drawn')
    expect(drawn(drawing(), '__proto__').why).toBe('drawn')
  })
})

describe('a hundred thousand people', () => {
  const countsOf = (of: Drawing) => {
    const counts = of.variants.map(() => 0)
    for (const one of people) {
      const { variant } = drawn(of, one)
      if (variant >= 0) counts[variant] = (counts[variant] as number) + 1
    }
    return counts
  }

  it('are split by the weights', () => {
    const variants = [5, 3, 2].map((weight, at) => ({ key: `v${at}`, weight }))
    const counts = countsOf(drawing({ variants }))
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(people.length)
    expect(splitOf(counts, [5, 3, 2]).isHealthy).toBe(true)
  })

  it('stay where they are while it is shown to more of them', () => {
    const [small, large] = [drawing({ exposurePercent: 10 }), drawing({ exposurePercent: 60 })]
    const moved = people.filter(one => {
      const before = drawn(small, one).variant
      return before >= 0 && before !== drawn(large, one).variant
    })
    expect(moved).toEqual([])
    expect(splitOf(countsOf(small), [1, 1]).isHealthy).toBe(true)
  })

  it('are never in two experiments of a layer, and each is somewhere where all of it is given away', () => {
    const parts = [drawing({ layer: part(0, 30) }), drawing({ seed: 'other', layer: part(30, 100) })]
    const inAll = people.map(one => parts.filter(of => drawn(of, one).variant >= 0).length)
    expect(new Set(inAll)).toEqual(new Set([1]))
  })

  it('who are held out of one are held out of all, a fiftieth of them', () => {
    const holdout = { seed: 'project', unitAttr: 'targetingKey', percent: 2 }
    const [one, other] = [drawing({ holdout }), drawing({ seed: 'other', holdout })]
    const held = people.filter(unit => drawn(one, unit).why === 'heldOut')
    expect(held.every(unit => drawn(other, unit).why === 'heldOut')).toBe(true)
    expect(splitOf([held.length, people.length - held.length], [2, 98]).isHealthy).toBe(true)
  })

  it('get a variant of one experiment whatever they have of another', () => {
    const [one, other] = [drawing({ seed: 'one' }), drawing({ seed: 'two' })]
    const cells = [0, 0, 0, 0]
    for (const unit of people) {
      const cell = 2 * drawn(one, unit).variant + drawn(other, unit).variant
      cells[cell] = (cells[cell] as number) + 1
    }
    expect(splitOf(cells, [1, 1, 1, 1]).isHealthy).toBe(true)
  })
})
