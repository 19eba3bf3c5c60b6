import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import { moveRamp, rampDue } from '../../../../kernel/ramp/ramp.ts'
import { permissionMatrix, permissionsOf, teamRoles } from '../../../ground/teams/rules.ts'
import { isRecentEnough, isSameSigner } from '../rollback/rules.ts'
import {
  basisPointsOf,
  curve,
  firstDayEnds,
  type PhasedAction,
  type PhasedState,
  pausedMs,
  percentOf,
  percentPattern,
  phasedActions,
  phasedFactsOf,
  phasedLifeCycle,
  phasedLimits,
  phasedStates,
  rampOf,
  saltOf,
  shareOfDay,
} from './rules.ts'

const day = 86_400_000

/** Written down a second time on purpose, by distribution.md 3.11. */
const expected: Record<PhasedState, PhasedAction[]> = {
  DRAFT: ['drop', 'setGates'],
  RELEASE: ['setGates', 'pause', 'raise', 'complete', 'cancel', 'rollBack'],
  SUSPEND: ['setGates', 'resume', 'complete', 'cancel', 'rollBack'],
  CANCEL: [],
  COMPLETE: [],
  ROLLED_BACK: [],
}

describe('the life of a phased release', () => {
  it.each(phasedStates)('allows from %s what the table says, to who may release', state => {
    expect(allowedActions(phasedLifeCycle, state, one => one === 'versions.release')).toEqual(expected[state])
    expect(allowedActions(phasedLifeCycle, state, one => one !== 'versions.release')).toEqual([])
  })

  it.each(teamRoles)('gives %s in every state the actions of the table, or none', role => {
    const mayRelease = ['leader', 'administrator', 'appAdmin', 'operations'].includes(role)
    const held = permissionsOf([role], permissionMatrix)
    for (const state of phasedStates) {
      const allowed = allowedActions(phasedLifeCycle, state, one => held.has(one))
      expect([state, allowed]).toEqual([state, mayRelease ? expected[state] : []])
      for (const action of phasedActions) {
        const isFound = moveFor(phasedLifeCycle, state, action, one => held.has(one)) !== undefined
        expect([state, action, isFound]).toEqual([state, action, mayRelease && expected[state].includes(action)])
      }
    }
  })

  it('leaves its start and the days to the clock', () => {
    const ofSystem = phasedStates.flatMap(state =>
      phasedActions.filter(action => moveFor(phasedLifeCycle, state, action, one => one === 'system')),
    )
    expect(ofSystem).toEqual(['start', 'advance'])
  })
})

describe('a share', () => {
  it.each([
    ['0.01', 1],
    ['1', 100],
    ['2.5', 250],
    ['12.34', 1234],
    ['99.99', 9999],
    ['100', 10_000],
    ['100.00', 10_000],
  ])('of %s percent is %i basis points and back', (text, basisPoints) => {
    expect(text).toMatch(new RegExp(percentPattern))
    expect(basisPointsOf(text)).toBe(basisPoints)
    expect(basisPointsOf(percentOf(basisPoints))).toBe(basisPoints)
  })

  it.each(['', '.5', '5.', '1.234', '100.01', '101', '-1', '1e1'])('is not written %j', text =>
    expect(text).not.toMatch(new RegExp(percentPattern)),
  )

  it('of the curve grows by the day', () => {
    expect(curve.map(percentOf)).toEqual(['1.00', '2.00', '5.00', '10.00', '20.00', '50.00', '100.00'])
    expect([shareOfDay(0), shareOfDay(4), shareOfDay(9)]).toEqual([100, 1000, 10_000])
  })
})

const onDay = (day: number, nextDayAt: number | null = 1_000) => ({
  ...{ kind: 'CURVE7' as const, state: 'RELEASE' as const, percentBp: shareOfDay(day), day },
  ...{ nextDayAt, pausedAt: null, salt: 'app' },
})
const nextDayAfter = (dueAt: number, now: number) => moveRamp(rampOf(onDay(2, dueAt)), 'advance', now)?.dueAt

describe('the next day', () => {
  it.each([
    ['on time', 0, day],
    ['a little late', 30_000, day],
    ['just within a day', day - 1, day],
    ['after two days and a half', 2.5 * day, 3.5 * day],
  ])('of a sweep that comes %s begins a day after it was due, or after now', (_why, late, expectedAt) => {
    expect(nextDayAfter(1_000, 1_000 + late)).toBe(1_000 + expectedAt)
  })

  it.each([
    ['spring', '2027-03-27T12:00:00+01:00', '2027-03-28T13:00:00+02:00'],
    ['autumn', '2026-10-24T12:00:00+02:00', '2026-10-25T11:00:00+01:00'],
  ])('is twenty-four hours long whatever clocks on walls do in %s', (_season, begins, ends) => {
    const due = Date.parse(begins)
    expect(nextDayAfter(due, due + 30_000)).toBe(Date.parse(ends))
    expect(firstDayEnds(due)).toBe(Date.parse(ends))
  })
})

describe('the clock', () => {
  it.each([
    ['a curve whose day is over', onDay(2), 'advance'],
    ['a curve whose day lasts', onDay(2, 1_001), null],
    ['a curve that is paused', { ...onDay(2), state: 'SUSPEND' as const, pausedAt: 5 }, null],
    ['a share, which somebody raises', { ...onDay(1, null), kind: 'PERCENT' as const, day: null }, null],
  ])('asks of %s what it says', (_what, row, due) => expect(rampDue(rampOf(row), 1_000)).toBe(due))

  it('completes a curve as it reaches its last day', () => {
    expect([5, 6].map(day => moveRamp(rampOf(onDay(day)), 'advance', 1_000)?.state)).toEqual(['running', 'completed'])
  })
})

describe('the pauses', () => {
  it('add up, the one that lasts included, to thirty days', () => {
    const row = { pausedAt: 10 * day, totalPausedMs: 5 * day }
    expect(pausedMs(row, 12 * day)).toBe(7 * day)
    expect(phasedFactsOf(row, 35 * day - 1)).toEqual({ hasPauseLeft: true })
    expect(phasedFactsOf(row, 35 * day)).toEqual({ hasPauseLeft: false })
    expect(phasedFactsOf({ pausedAt: null, totalPausedMs: phasedLimits.pauseMs }, 0)).toEqual({ hasPauseLeft: false })
  })
})

it('the draw is salted with the app or with the version', () => {
  expect([saltOf('STICKY', 'app', 'version'), saltOf('FRESH', 'app', 'version')]).toEqual(['app', 'version'])
})

describe('a version may return to the shelf', () => {
  it.each([
    [null, false],
    [10 * day, true],
    [10 * day + 1, true],
    [day, false],
  ])('when it left at %s: %s', (offShelfAt, isRecent) =>
    expect(isRecentEnough(offShelfAt, 100 * day - 1)).toBe(isRecent),
  )

  it('with the same certificates', () => {
    expect(isSameSigner(['a', 'b'], ['b', 'a'])).toBe(true)
    expect(isSameSigner(['a'], ['b'])).toBe(false)
    expect(isSameSigner(['a'], ['a', 'b'])).toBe(false)
  })
})
