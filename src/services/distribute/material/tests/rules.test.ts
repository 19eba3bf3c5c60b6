import { expect, it } from 'vitest'
import { armOf, phaseBucket } from '../../../../kernel/bucketing.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import { evenShares, missingOf, type TestAction, type TestState, testActions, testCycle, testStates } from './rules.ts'

const devices = Array.from({ length: 100_000 }, (_, at) => `device-${at}`)
const test = { testId: '736430079244000001', trafficBp: 2000, shares: [40, 30, 20, 10] }

it('of 100,000 devices a test over 20 percent gets its share, and each arm its own, within three deviations', () => {
  const counts = [0, 0, 0, 0]
  for (const device of devices) {
    const arm = armOf(test, device)
    if (arm !== null) counts[arm] = (counts[arm] ?? 0) + 1
  }
  const near = (count: number, share: number) =>
    expect(Math.abs(count - devices.length * share)).toBeLessThan(3 * Math.sqrt(devices.length * share * (1 - share)))
  near(
    counts.reduce((sum, one) => sum + one, 0),
    0.2,
  )
  for (const [arm, share] of test.shares.entries()) near(counts[arm] ?? 0, (0.2 * share) / 100)
})

it('a device stays where it is, and who takes part at 10 percent does at 20 too', () => {
  const small = { ...test, trafficBp: 1000 }
  for (const device of devices.slice(0, 20_000)) {
    expect(armOf(test, device)).toBe(armOf(test, device))
    if (armOf(small, device) !== null) expect(armOf(test, device)).not.toBeNull()
    expect(armOf(test, device) !== null).toBe(phaseBucket(test.testId, device) < 2000)
  }
})

it('another test divides the same devices otherwise', () => {
  const other = { ...test, testId: '736430079244000002' }
  const both = devices.filter(device => armOf(test, device) !== null && armOf(other, device) !== null)
  expect(both.length).toBeGreaterThan(3_600)
  expect(both.length).toBeLessThan(4_400)
})

it('shares are even and add up', () => {
  expect([1, 2, 3, 4].map(evenShares)).toEqual([[100], [50, 50], [34, 33, 33], [25, 25, 25, 25]])
})

it('every state allows these actions to a developer who may edit, and no other', () => {
  const developer: Record<TestState, TestAction[]> = {
    DRAFT: ['edit', 'submit', 'delete'],
    AUDITING: ['cancel'],
    AUDIT_REJECTED: ['edit', 'submit', 'delete'],
    READY: ['start', 'delete'],
    RUNNING: ['stop'],
    STOPPED: ['apply', 'delete'],
    APPLIED: ['delete'],
    DELETED: [],
  }
  for (const state of testStates) {
    const allowed = allowedActions(testCycle, state, may => may === 'material.edit')
    expect([state, [...allowed].sort()]).toEqual([state, [...developer[state]].sort()])
    expect(allowedActions(testCycle, state, may => may === 'review.decide')).toEqual(
      state === 'AUDITING' ? ['approve', 'reject'] : [],
    )
    expect(allowedActions(testCycle, state, () => false)).toEqual([])
  }
  expect(testActions.filter(one => testCycle.moves.some(move => move.action === one && move.may === 'system'))).toEqual(
    ['expire', 'drop', 'conclude'],
  )
})

it('what a variant lacks is named by language and element', () => {
  const whole = { lang: 'enUS', icon: {}, screenshots: null, film: null, brief: 'Short', name: null }
  const wanted = { elements: ['icon', 'brief'] as const, langs: ['enUS', 'ruRU'] }
  expect(missingOf(wanted, [whole])).toEqual([
    { lang: 'ruRU', element: 'icon' },
    { lang: 'ruRU', element: 'brief' },
  ])
  expect(missingOf(wanted, [whole, { ...whole, lang: 'ruRU' }])).toEqual([])
})
