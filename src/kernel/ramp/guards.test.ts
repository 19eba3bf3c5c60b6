import { describe, expect, it } from 'vitest'
import { boundsAlways, effectOf } from '../statistics/effects.ts'
import { proportionOf } from '../statistics/samples.ts'
import { wordsOf } from './finding-words.ts'
import {
  alphaOf,
  answerTo,
  type GuardCause,
  type GuardMove,
  guardLimits,
  lookAt,
  type Measured,
  type Reading,
} from './guards.ts'

const arm = (n: number, mean = 0.5) => ({ n, mean })
const reading = (more: Partial<Reading> = {}): Reading => ({
  ...{ metricId: '1', name: 'Buyers', direction: 'up', inside: arm(200), outside: arm(200) },
  change: { by: 0, low: -0.1, high: 0.1 },
  ...more,
})
const worse = { by: -0.2, low: -0.3, high: -0.1 }
const better = { by: 0.2, low: 0.1, high: 0.3 }
const measured = (one: Reading | null, more: Partial<Measured> = {}): Measured => ({
  ...{ inUnits: 200, outUnits: 200, readings: one ? [one] : [] },
  ...more,
})
const guarded = { guardrails: ['1'], signals: [], srmAction: 'warn' as const }

describe('a guardrail', () => {
  it.each([
    ['is fine where nothing is sure', reading(), 'fine'],
    ['fails where less is surely worse', reading({ change: worse }), 'failed'],
    ['is fine where more is surely better', reading({ change: better }), 'fine'],
    ['fails where more is worse, and surely more', reading({ direction: 'down', change: better }), 'failed'],
    ['is fine where more is worse, and surely less', reading({ direction: 'down', change: worse }), 'fine'],
    ['waits for units that are in', reading({ inside: arm(99), change: worse }), 'waiting'],
    ['waits for units that are not', reading({ outside: arm(99), change: worse }), 'waiting'],
    ['waits where nothing can be compared', reading({ change: null }), 'waiting'],
    ['is gone with its metric', null, 'gone'],
  ] as const)('%s', (_what, one, verdict) => {
    expect(lookAt(measured(one), guarded, 50, 1).judged[0]?.verdict).toBe(verdict)
  })
})

describe('a split', () => {
  it.each([
    [100, 900, 10, true],
    [200, 800, 10, false],
    [99, 9_000, 10, true],
  ])('of %i in and %i out at %i percent is as planned: %s', (inUnits, outUnits, percent, isHealthy) => {
    expect(lookAt(measured(null, { inUnits, outUnits }), guarded, percent, 1).isSplitHealthy).toBe(isHealthy)
  })
})

describe('what a look asks for', () => {
  const bad = measured(reading({ change: worse }))
  const uneven = measured(reading(), { inUnits: 400 })
  const signal = { ...guarded, guardrails: [], signals: ['1'] }
  it.each([
    ['a guardrail that fails', bad, guarded, 'running', null, 'rollback', 'guardrail'],
    ['the same in a pause', bad, guarded, 'paused', null, 'rollback', 'guardrail'],
    ['a guardrail that is fine', measured(reading()), guarded, 'running', null, undefined, undefined],
    ['a signal that fails', bad, signal, 'running', null, 'pause', 'signal'],
    ['a signal that still fails', bad, signal, 'paused', 'signal', undefined, undefined],
    ['a signal that recovered', measured(reading()), signal, 'paused', 'signal', 'resume', 'signal'],
    [
      'a signal that recovered after a person paused',
      measured(reading()),
      signal,
      'paused',
      null,
      undefined,
      undefined,
    ],
    ['an uneven split, to be told', uneven, guarded, 'running', null, undefined, undefined],
    ['an uneven split that holds', uneven, { ...guarded, srmAction: 'hold' }, 'running', null, 'pause', 'split'],
    [
      'an uneven split that takes back',
      uneven,
      { ...guarded, srmAction: 'rollback' },
      'running',
      null,
      'rollback',
      'split',
    ],
  ] as const)('%s', (_what, found, guards, state, heldBy, action, cause) => {
    const own = { ...guards, guardrails: [...guards.guardrails], signals: [...guards.signals] }
    const answer = answerTo(lookAt(found, own, 50, 1), own, { state, heldBy: heldBy as GuardCause | null })
    expect([answer?.action, answer?.cause]).toEqual([action, cause])
  })

  it('is said in words with the metric, the effect and its interval', () => {
    const { finding } = answerTo(lookAt(bad, guarded, 50, 1), guarded, { state: 'running', heldBy: null }) as GuardMove
    expect(wordsOf(finding)).toEqual({
      zh: 'Buyers：获得新值的 200 个单元中为 0.5，其他 200 个单元中为 0.5；变化 -0.2，区间为 -0.3 至 -0.1。',
      en: 'Buyers: 0.5 among 200 units that have the value, 0.5 among 200 others; the change of -0.2 is between -0.3 and -0.1.',
      ru: 'Buyers: 0,5 у 200 единиц с новым значением, 0,5 у 200 остальных; изменение -0,2, интервал от -0,3 до -0,1.',
    })
  })

  it.each([
    [
      { kind: 'split', inUnits: 900, outUnits: 100, p: 0.000_012_3 } as const,
      '900 units have the value and 100 do not',
    ],
    [{ kind: 'recovered' } as const, 'What held it has recovered.'],
  ])('$kind is said in three languages', (finding, en) => {
    const words = wordsOf(finding)
    expect(words.en).toContain(en)
    expect(new Set(Object.values(words)).size).toBe(3)
  })
})

/** The same numbers every time, between 0 and 1. */
function chances(seed: number) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

/** How many of so many rollouts are taken back by one of ten looks, where so many of those in and of the others buy. */
function takenBack(runs: number, ofIn: number, ofOut: number, guardrails: readonly string[]): number {
  const chance = chances(11)
  let alarms = 0
  for (let run = 0; run < runs; run++) {
    const sums = guardrails.map(() => ({ inside: 0, outside: 0 }))
    let hasFailed = false
    for (let looks = 1; looks <= 10 && !hasFailed; looks++) {
      const n = 200 * looks
      const readings = guardrails.map((metricId, at): Reading => {
        const sum = sums[at] as { inside: number; outside: number }
        for (let unit = 0; unit < 200; unit++) {
          sum.inside += Number(chance() < ofIn)
          sum.outside += Number(chance() < ofOut)
        }
        const [inside, outside] = [sum.inside, sum.outside].map(one => proportionOf({ n, sum: one }))
        const effect = effectOf(outside!, inside!, 'absolute')
        const change = effect && { by: effect.effect, ...boundsAlways(effect, alphaOf(guardrails.length), 5_000) }
        return { metricId, name: metricId, direction: 'up', inside: inside!, outside: outside!, change }
      })
      const guards = { guardrails: [...guardrails], signals: [], srmAction: 'warn' as const }
      const look = lookAt({ inUnits: n, outUnits: n, readings }, guards, 50, 1)
      hasFailed = answerTo(look, guards, { state: 'running', heldBy: null }) !== null
    }
    alarms += Number(hasFailed)
  }
  return alarms
}

describe('two hundred rollouts that are looked at ten times', () => {
  it.each([[['1']], [['1', '2', '3', '4', '5']]])(
    'are taken back no oftener than alpha says where nothing changed',
    ids => {
      expect(takenBack(200, 0.3, 0.3, ids) / 200).toBeLessThanOrEqual(guardLimits.alpha)
    },
  )
  it('are nearly all taken back where fewer buy', () => {
    expect(takenBack(200, 0.2, 0.3, ['1']) / 200).toBeGreaterThan(0.9)
  })
})
