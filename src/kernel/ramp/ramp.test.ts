import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithin } from '../targeting/bucket.ts'
import {
  moveRamp,
  type Ramp,
  type RampAction,
  type RampState,
  rampActions,
  rampDue,
  rampFacts,
  rampMoves,
  rampPercent,
  rampStates,
  stepFaults,
} from './ramp.ts'
import { afterPause, dueAfter, stoodFor } from './timing.ts'

const hour = 3_600_000
const timed = [1, 10, 50, 100].map(percent => ({ percent, holdMs: hour }))
const draft = (more: Partial<Ramp> = {}): Ramp => ({
  ...{ state: 'draft', steps: timed, step: 0, dueAt: null, pausedAt: null, seed: 'first' },
  ...more,
})
/** The ramp after actions, each with its time. */
function taken(ramp: Ramp, ...acts: readonly (readonly [action: RampAction, at: number])[]): Ramp {
  return acts.reduce<Ramp>((now, [action, at]) => {
    const moved = moveRamp(now, action, at)
    if (!moved) throw new Error(`${action} is not allowed in ${now.state}`)
    return moved
  }, ramp)
}
const at = ({ state, step, dueAt, ...ramp }: Ramp) => [state, rampPercent({ state, step, dueAt, ...ramp }), dueAt]

/** Written down a second time on purpose, by growth.md 10. */
const expected: Record<RampState, RampAction[]> = {
  draft: ['start', 'cancel', 'randomise'],
  scheduled: ['start', 'cancel'],
  running: ['advance', 'pause', 'rollback', 'complete', 'cancel'],
  paused: ['resume', 'rollback', 'complete', 'cancel'],
  completed: [],
  rolledBack: ['start', 'randomise'],
  cancelled: [],
}

describe('a ramp', () => {
  it.each(rampStates)('allows from %s what the table says and nothing else', state => {
    const ramp = draft({ state, dueAt: hour, pausedAt: state === 'paused' ? 0 : null })
    expect(rampActions.filter(action => moveRamp(ramp, action, 0) !== null)).toEqual(expected[state])
  })

  it('knows each action and each state that its table of moves names', () => {
    expect([...new Set(rampMoves.map(one => one.action))].sort()).toEqual([...rampActions].sort())
  })

  it.each<[string, Parameters<typeof taken>[1][], unknown[]]>([
    ['starts with its first step', [['start', 5]], ['running', 1, 5 + hour]],
    [
      'goes on when its step was held',
      [
        ['start', 0],
        ['advance', hour],
      ],
      ['running', 10, 2 * hour],
    ],
    [
      'makes up for a little lateness',
      [
        ['start', 0],
        ['advance', hour + 9],
      ],
      ['running', 10, 2 * hour],
    ],
    [
      'holds a whole step after an outage',
      [
        ['start', 0],
        ['advance', 9 * hour],
      ],
      ['running', 10, 10 * hour],
    ],
    [
      'holds a step taken by hand from then on',
      [
        ['start', 0],
        ['advance', 9],
      ],
      ['running', 10, hour + 9],
    ],
    [
      'keeps its share in a pause',
      [
        ['start', 0],
        ['advance', hour],
        ['pause', hour + 5],
      ],
      ['paused', 10, 2 * hour],
    ],
    [
      'moves its time by the pause',
      [
        ['start', 0],
        ['pause', 10],
        ['resume', 40],
      ],
      ['running', 1, hour + 30],
    ],
    [
      'reaches nobody when rolled back',
      [
        ['start', 0],
        ['rollback', 9],
      ],
      ['rolledBack', 0, null],
    ],
    [
      'reaches nobody when cancelled',
      [
        ['start', 0],
        ['pause', 3],
        ['cancel', 9],
      ],
      ['cancelled', 0, null],
    ],
    [
      'reaches everybody when completed',
      [
        ['start', 0],
        ['complete', 9],
      ],
      ['completed', 100, null],
    ],
    [
      'begins anew after a rollback',
      [
        ['start', 0],
        ['advance', 5],
        ['rollback', 9],
        ['start', 20],
      ],
      ['running', 1, 20 + hour],
    ],
  ])('%s', (_what, acts, found) => expect(at(taken(draft(), ...acts))).toEqual(found))

  it('is completed after its last step, or with it where that is not held', () => {
    const three = [
      ['start', 0],
      ['advance', 1],
      ['advance', 2],
      ['advance', 3],
    ] as const
    expect(at(taken(draft(), ...three))).toEqual(['running', 100, 3 + hour])
    expect(at(taken(draft(), ...three, ['advance', 3 + hour]))).toEqual(['completed', 100, null])
    const steps = timed.map(one => (one.percent === 100 ? { percent: 100, holdMs: 0 } : one))
    expect(at(taken(draft({ steps }), ...three))).toEqual(['completed', 100, null])
  })

  it('waits at a last step below 100 % for somebody to complete it or roll it back', () => {
    const last = taken(draft({ steps: timed.slice(0, 2) }), ['start', 0], ['advance', hour])
    expect([at(last), rampDue(last, 99 * hour)]).toEqual([['running', 10, null], null])
    expect([moveRamp(last, 'advance', 99 * hour), rampFacts(last).hasNext]).toEqual([null, false])
  })

  it('waits for approval where a step says so, however long', () => {
    const steps = [
      { percent: 5, holdMs: null },
      { percent: 50, holdMs: hour },
    ]
    const waits = taken(draft({ steps }), ['start', 0])
    expect([at(waits), rampDue(waits, 99 * hour)]).toEqual([['running', 5, null], null])
    expect(moveRamp(waits, 'advance', 99 * hour)).toBeNull()
    expect(at(taken(waits, ['approve', 7]))).toEqual(['running', 50, null])
    expect(moveRamp(taken(draft(), ['start', 0]), 'approve', 7)).toBeNull()
  })

  it('begins at its time where that is ahead', () => {
    const waits = moveRamp(draft(), 'start', 10, { startAt: 50 }) as Ramp
    expect([at(waits), rampDue(waits, 49), rampDue(waits, 50)]).toEqual([['scheduled', 0, 50], null, 'start'])
    expect(at(taken(waits, ['start', 50]))).toEqual(['running', 1, 50 + hour])
    expect(moveRamp(draft(), 'start', 10, { startAt: 9 })?.state).toBe('running')
  })

  it('keeps who is first through a rollback, and draws anew only when that is asked for', () => {
    const back = taken(draft(), ['start', 0], ['rollback', 5])
    expect(taken(back, ['start', 9]).seed).toBe('first')
    const anew = moveRamp(back, 'randomise', 9, { seed: 'second' }) as Ramp
    expect([anew.state, anew.seed, taken(anew, ['start', 10]).seed]).toEqual(['draft', 'second', 'second'])
  })
})

describe('what is due', () => {
  it.each([
    ['before its time', hour - 1, null],
    ['at its time', hour, 'advance'],
    ['after a year', 9_000 * hour, 'advance'],
  ])('%s is one advance at most', (_when, now, due) => expect(rampDue(taken(draft(), ['start', 0]), now)).toBe(due))

  it('is nothing while it is paused', () => {
    expect(rampDue(taken(draft(), ['start', 0], ['pause', 5]), 9_000 * hour)).toBeNull()
  })
})

describe('steps', () => {
  it.each<[string, [percent: number, holdMs: number | null][], string[]]>([
    [
      'that grow are right',
      [
        [0.01, hour],
        [1, null],
        [100, 0],
      ],
      [],
    ],
    ['that are none', [], ['']],
    [
      'that do not grow',
      [
        [5, hour],
        [5, hour],
        [4, hour],
      ],
      ['/1/percent', '/2/percent'],
    ],
    ['of 0 %', [[0, hour]], ['/0/percent']],
    [
      'of 101 %',
      [
        [1, hour],
        [101, hour],
      ],
      ['/1/percent'],
    ],
    ['of three decimals', [[1.234, hour]], ['/0/percent']],
    ['that are no number', [[Number.NaN, hour]], ['/0/percent']],
    [
      'held too short',
      [
        [5, 59_999],
        [50, 0],
      ],
      ['/0/holdMs', '/1/holdMs'],
    ],
    ['held too long', [[5, 91 * 24 * hour]], ['/0/holdMs']],
    ['of more than twenty', Array.from({ length: 21 }, (_one, place) => [place + 1, hour]), ['']],
  ])('%s', (_what, steps, pointers) => {
    const found = stepFaults(steps.map(([percent, holdMs]) => ({ percent, holdMs })))
    expect(found.map(one => one.pointer)).toEqual(pointers)
  })
})

describe('times', () => {
  it('of the next step', () => {
    expect([dueAfter(100, 50, 100), dueAfter(100, 50, 149), dueAfter(100, 50, 150)]).toEqual([150, 150, 200])
  })
  it('of a pause', () => {
    expect([stoodFor(null, 9), stoodFor(4, 9), stoodFor(9, 4)]).toEqual([0, 5, 0])
    expect([afterPause(null, 4, 9), afterPause(20, null, 9), afterPause(20, 4, 9)]).toEqual([null, 20, 25])
  })
})

const steps = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 }), fc.infiniteStream(fc.nat(4)))
  .map(([percents, holds]) =>
    percents
      .sort((a, b) => a - b)
      .map(percent => {
        const hold = holds.next().value as number
        return { percent, holdMs: hold === 0 ? null : hold * hour }
      }),
  )
const walk = fc.array(
  fc.record({ pass: fc.nat(20 * hour), action: fc.constantFrom(...rampActions, 'look', 'look', 'look') }),
  { maxLength: 60 },
)

describe('a walk through a ramp', () => {
  it('never advances twice by one look, and falls or loses somebody only by a rollback or an end', () => {
    const units = Array.from({ length: 40 }, (_one, place) => `unit-${place}`)
    const inside = (ramp: Ramp) => units.filter(unit => isWithin('rollout', ramp.seed, unit, rampPercent(ramp)))
    fc.assert(
      fc.property(steps, walk, (planned, acts) => {
        let ramp = draft({ steps: planned })
        let now = 0
        for (const { pass, action } of acts) {
          now += pass
          const asked = action === 'look' ? rampDue(ramp, now) : action
          const moved = asked === null ? null : moveRamp(ramp, asked, now, { seed: `seed ${now}` })
          if (!moved) continue
          const isOut = asked === 'rollback' || asked === 'cancel'
          if (!isOut && rampPercent(moved) < rampPercent(ramp)) return false
          if (!isOut && !inside(ramp).every(unit => inside(moved).includes(unit))) return false
          if (moved.seed !== ramp.seed && asked !== 'randomise') return false
          // Whatever time has passed: a second look at once finds nothing.
          if (action === 'look' && rampDue(moved, now) !== null) return false
          if (action === 'look' && moved.state === 'running' && moved.step > ramp.step + 1) return false
          ramp = moved
        }
        return true
      }),
      { numRuns: 3_000 },
    )
  })
})
