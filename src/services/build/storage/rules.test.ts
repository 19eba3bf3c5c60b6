import { describe, expect, it } from 'vitest'
import {
  bucketNameProblem,
  cacheSecondsOf,
  corsRuleFor,
  isTypeAllowed,
  nextUploadState,
  pathProblem,
  uploadStates,
  uploadStatesBefore,
} from './rules.ts'

describe('the name of a bucket', () => {
  it.each([
    ['photos', true],
    ['a-b-c', true],
    ['a1', false],
    ['A-b', false],
    ['a--b', false],
    ['-ab', false],
    ['ab-', false],
    ['a.b', false],
    ['x'.repeat(57), true],
    ['x'.repeat(58), false],
  ])('%s is right: %s', (name, isRight) => expect(bucketNameProblem(name) === null).toBe(isRight))
})

describe('the path of a file', () => {
  it.each([
    ['a', true],
    ['a/b.txt', true],
    ['a/', true],
    ['ä/中文/\u{1f600}', true],
    ['a b?*#', true],
    ['', false],
    ['/', false],
    ['/a', false],
    ['a//b', false],
    ['a/../b', false],
    ['./a', false],
    ['..', false],
    ['a\u0000', false],
    ['a\u007f', false],
    ['a%2Fb', false],
    ['a%2e%2e', false],
    ['\ud800', false],
    ['a\u{10ffff}', false],
    ['ä'.repeat(512), true],
    ['ä'.repeat(513), false],
  ])('%j is right: %s', (path, isRight) => expect(pathProblem(path) === null).toBe(isRight))
})

describe('an upload', () => {
  const moves = {
    OPEN: { receive: 'OPEN', finalize: 'FINALIZING', abort: 'ABORTED', expire: 'EXPIRED' },
    FINALIZING: { finalize: 'FINALIZING', finish: 'DONE', fail: 'OPEN', abort: 'ABORTED', expire: 'EXPIRED' },
    DONE: {},
    ABORTED: {},
    EXPIRED: {},
  } as const
  const actions = ['receive', 'finalize', 'finish', 'fail', 'abort', 'expire'] as const
  it.each(uploadStates.flatMap(state => actions.map(action => ({ state, action }))))(
    'in $state goes on by $action as the table says',
    ({ state, action }) => {
      const expected = (moves[state] as Record<string, string>)[action]
      expect(nextUploadState(state, action)).toBe(expected)
      expect(uploadStatesBefore(action).includes(state)).toBe(expected !== undefined)
    },
  )
})

describe('what pages of other origins may do', () => {
  const rule = {
    allowedOrigins: ['https://*.example.com', 'https://exact.test'],
    allowedMethods: ['GET' as const],
    allowedHeaders: ['x-agc-*'],
    exposeHeaders: [],
    maxAgeSeconds: 0,
  }
  it.each([
    ['https://a.example.com', 'GET', [], true],
    ['https://exact.test', 'GET', ['X-Agc-Sha256'], true],
    ['https://exact.test', 'PUT', [], false],
    ['https://exact.test', 'GET', ['authorization'], false],
    ['https://exact.test.evil', 'GET', [], false],
    ['http://a.example.com', 'GET', [], false],
    ['https://example.com', 'GET', [], false],
    ['null', 'GET', [], false],
  ])('%s %s with %j: %s', (origin, method, headers, isLet) =>
    expect(corsRuleFor([rule], { origin, method, headers }) === rule).toBe(isLet),
  )
})

describe('content types', () => {
  it.each([
    [[], 'any/thing', true],
    [['image/*'], 'image/png', true],
    [['image/*'], 'image/svg+xml; charset=utf-8', true],
    [['image/*'], 'imagex/png', false],
    [['text/css'], 'TEXT/CSS', true],
    [['text/css'], 'text/css2', false],
  ])('%j takes %s: %s', (allowed, type, isTaken) => expect(isTypeAllowed(allowed, type)).toBe(isTaken))
})

describe('how long a page may be kept', () => {
  const rules = [
    { pattern: 'assets/*', ttlSeconds: 900 },
    { pattern: '*.css', ttlSeconds: 300 },
  ]
  it.each([
    ['assets/a.css', 900],
    ['deep/a.css', 300],
    ['index.html', 60],
    ['about', 60],
    ['photo.png', 3600],
  ])('%s %i s', (path, seconds) => expect(cacheSecondsOf(rules, path)).toBe(seconds))
})
