import { describe, expect, it } from 'vitest'
import { type Additional, type AliasRule, backoffMs, envProblem, handlerProblem, restMs, versionOf } from './rules.ts'

describe('an alias leads a call', () => {
  const weighted = { version: '1', additional: { version: '2', mode: 'WEIGHT', weight: 10 } as Additional }
  it.each([
    [0, '2'],
    [0.0999, '2'],
    [0.1, '1'],
    [0.9999, '1'],
  ])('by its weight of 10: chance %s to version %s', (chance, version) => {
    expect(versionOf(weighted, {}, chance)).toBe(version)
  })

  const rules = [
    { type: 'HEADER', param: 'X-Ring', op: 'in', value: 'beta, canary' },
    { type: 'COOKIE', param: 'who', op: '=', value: 'ada' },
  ] satisfies AliasRule[]
  it.each<['AND' | 'OR', Record<string, string>, string]>([
    ['AND', { 'x-ring': 'beta', cookie: 'a=1; who=ada' }, '2'],
    ['AND', { 'x-ring': 'beta' }, '1'],
    ['AND', { 'x-ring': 'gamma', cookie: 'who=ada' }, '1'],
    ['OR', { 'x-ring': 'canary' }, '2'],
    ['OR', { cookie: 'who=ada' }, '2'],
    ['OR', { cookie: 'who=ada2' }, '1'],
    ['OR', {}, '1'],
  ])('by rules joined with %s: %j to version %s', (combine, headers, version) => {
    const additional: Additional = { version: '2', mode: 'RULE', combine, rules: [...rules] }
    expect(versionOf({ version: '1', additional }, headers, 0)).toBe(version)
  })

  it('with no second version, to its own', () => {
    expect(versionOf({ version: '7', additional: null }, {}, 0)).toBe('7')
  })
})

it.each([
  ['index.handler', null],
  ['src/deep/main.default', null],
  ['../index.handler', 'leads out of the package'],
  ['a/../../b.handler', 'leads out of the package'],
  ['/etc/passwd.handler', 'leads out of the package'],
  ['./index.handler', 'leads out of the package'],
])('the handler %s: %s', (handler, problem) => {
  expect(handlerProblem(handler)?.problem ?? null).toBe(problem)
})

it.each<[string, Record<string, string>, object | null]>([
  ['plain keys are taken', { KEY: 'a', _own: 'b', key2: 'c' }, null],
  ['a digit first is not', { '2KEY': 'a' }, { key: '2KEY' }],
  ['a hyphen is not', { 'A-B': 'a' }, { key: 'A-B' }],
  ['ours are not', { AGC_REGION: 'a' }, { key: 'AGC_REGION', problem: 'reserved' }],
  ['what steers Node is not', { NODE_OPTIONS: '--inspect' }, { key: 'NODE_OPTIONS', problem: 'reserved' }],
  ['what steers the loader is not', { LD_PRELOAD: '/tmp/a' }, { key: 'LD_PRELOAD', problem: 'reserved' }],
  ['too much is not', { KEY: 'x'.repeat(70_000) }, { key: '' }],
])('of an environment, %s', (_what, env, problem) => {
  if (problem) expect(envProblem(env)).toMatchObject(problem)
  else expect(envProblem(env)).toBeNull()
})

it('begins copies that die of their calls more and more seldom from the fifth on, at most eight seconds apart', () => {
  expect([0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 60].map(restMs)).toEqual([
    0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000,
  ])
})

it('waits twice as long after each start that failed, at most a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 20].map(backoffMs)).toEqual([
    0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ])
})
