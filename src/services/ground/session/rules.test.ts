import { describe, expect, it } from 'vitest'
import { decidedState, mayMove, ownActions, type RealNameAction } from './real-names/rules.ts'
import { addressIn, judgeCounter, lockMsAfter, loginKeyOf, passwordFault } from './rules.ts'

describe('a password', () => {
  it.each<[string, string | null]>([
    ['1234567', 'short'],
    ['ab cd ef', null],
    ['x'.repeat(128), null],
    ['x'.repeat(129), 'long'],
    ['пароль длинный', null],
    ['👩🏽‍💻'.repeat(8), null],
    ['Loggia2026', 'product'],
    ['my-loggia-1', 'product'],
    ['loggia under the old arcade', null],
    ['mira.olsen7', 'own'],
    ['correct horse battery staple', null],
  ])('%s is %s', (password, fault) => {
    expect(passwordFault(password, ['mira.olsen'])).toBe(fault)
  })
})

describe('waiting', () => {
  it.each([
    [1, 0],
    [4, 0],
    [5, 60_000],
    [6, 120_000],
    [10, 1_920_000],
    [11, 3_600_000],
    [500, 3_600_000],
  ])('after %i failures is %i ms', (failures, ms) => {
    expect(lockMsAfter(failures)).toBe(ms)
  })
})

it.each([
  ['A@B.CO', 'a@b.co'],
  [' a@b.co ', 'a@b.co'],
  ['ａ@b.co', 'a@b.co'],
  ['ADMIN', 'admin'],
])('the name %s is the name %s', (typed, key) => {
  expect(loginKeyOf(typed)).toBe(key)
})

it.each([
  ['mira@example.com', 'mira@example.com'],
  ['mira', null],
  ['@x.y', null],
  ['a b@c.d', null],
])('the address in %s is %s', (loginName, address) => {
  expect(addressIn(loginName)).toBe(address)
})

it.each([
  [3, 0, 'current'],
  [2, 10_000, 'previous'],
  [2, 10_001, 'replayed'],
  [1, 0, 'replayed'],
  [4, 0, 'replayed'],
])('counter %i of 3, %i ms after the rotation, is %s', (counter, since, verdict) => {
  expect(judgeCounter(counter, { counter: 3, rotatedAt: 1_000 }, 1_000 + since)).toBe(verdict)
})

describe('a real-name state', () => {
  const allowed: Record<RealNameAction, number[]> = {
    submit: [0, 2, 3, 4, 5],
    withdraw: [1],
    decide: [1],
    expire: [2, 3],
  }
  const actions = Object.keys(allowed) as RealNameAction[]
  it.each(actions.flatMap(action => [0, 1, 2, 3, 4, 5].map(state => ({ state, action }))))(
    '$state takes $action as its table says',
    ({ state, action }) => {
      expect(mayMove(state, action)).toBe(allowed[action].includes(state))
    },
  )

  it('follows the decision', () => {
    expect(decidedState('individual', 'pass')).toBe(2)
    expect(decidedState('enterprise', 'pass')).toBe(3)
    expect(decidedState('enterprise', 'refuse')).toBe(4)
    expect(ownActions(1)).toEqual(['withdraw'])
  })
})
