import { describe, expect, it } from 'vitest'
import { classOf, missingIn, percentileOf, typeOf, urlProblem, wishOf } from './rules.ts'

it.each([
  ['https://example.com/first', null],
  ['https://203.0.113.9:8443/first', null],
  ['http://opened.example/first', null],
  ['http://example.com/first', 'https'],
  ['ftp://example.com/', 'https'],
  ['https://user:word@example.com/', 'url'],
  ['https://example.com/#part', 'url'],
  ['not an address', 'url'],
])('%s as a source: %s', (text, problem) => {
  expect(urlProblem(text, url => url.host === 'opened.example')).toBe(problem)
})

it('a link goes alone, token and parameters go together, and what is needed is told', () => {
  const asked = { token: 't', params: 'p', link: 'l' }
  expect(wishOf('CHAIN_INSTALL', '1', asked)).toEqual({ appId: '1', link: 'l' })
  expect(wishOf('INSTALL', '1', asked)).toEqual({ appId: '1', token: 't', params: 'p' })
  expect([missingIn('CHAIN_INSTALL', {}), missingIn('PERIODIC', {}), missingIn('INSTALL', {})]).toEqual([
    'link',
    'token',
    null,
  ])
})

it('JSON and text are passed on, code and pages are not', () => {
  expect(typeOf('application/json')).toBe('application/json; charset=utf-8')
  expect(typeOf('application/problem+json; charset=utf-8')).toBe('application/problem+json; charset=utf-8')
  expect(typeOf('text/plain')).toBe('text/plain; charset=utf-8')
  for (const type of ['text/html', 'text/javascript', 'application/octet-stream', 'image/png', 'application/wasm'])
    expect([type, typeOf(type)]).toEqual([type, null])
})

describe('times', () => {
  it('are counted in classes, and 95 of 100 are found by them', () => {
    expect([classOf(0.4), classOf(5), classOf(6), classOf(1e9)]).toEqual([1, 5, 10, 60_000])
    expect(
      percentileOf(
        [
          { upToMs: 100, count: 5 },
          { upToMs: 1, count: 95 },
        ],
        95,
      ),
    ).toBe(1)
    expect(
      percentileOf(
        [
          { upToMs: 100, count: 6 },
          { upToMs: 1, count: 94 },
        ],
        95,
      ),
    ).toBe(100)
    expect(percentileOf([], 95)).toBe(0)
  })
})
