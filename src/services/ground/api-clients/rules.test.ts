import { describe, expect, it } from 'vitest'
import { dangerousPermissions, permissionMatrix } from '../teams/rules.ts'
import { grantableOf, isRedirectAllowed, personPermissions, redirectFault, scopeNow } from './rules.ts'

describe('what no program may hold', () => {
  it('names only permissions there are, and every dangerous one', () => {
    for (const permission of personPermissions) expect(permissionMatrix).toHaveProperty([permission])
    for (const permission of dangerousPermissions) expect(personPermissions).toContain(permission)
  })

  it('is left out of what a leader can grant', () => {
    expect(grantableOf(Object.keys(permissionMatrix)).filter(one => personPermissions.has(one))).toEqual([])
  })
})

describe('a redirect address', () => {
  it.each([
    'https://example.com',
    'https://example.com/callback',
    'https://example.com:8443/callback?from=loggia',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:4999/callback',
    'http://[::1]:80/callback'.replace(':80', ''),
    'http://localhost:3000/callback',
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('may be %s', address => expect(redirectFault(address)).toBeNull())

  it.each([
    ['https://example.com/cb#fragment', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://*.example.com/cb', 'wildcard'],
    ['https://example.com/*', 'wildcard'],
    ['https://good@evil.example/cb', 'userinfo'],
    ['https://good:pass@evil.example/cb', 'userinfo'],
    ['https://@evil.example/cb', 'userinfo'],
    ['com.example.app://good@evil/cb', 'userinfo'],
    ['http://example.com/cb', 'plainHttp'],
    ['http://127.0.0.1.evil.example/cb', 'plainHttp'],
    ['http://localhost.evil.example/cb', 'plainHttp'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['myapp:/callback', 'scheme'],
    ['intent:x', 'scheme'],
    ['https://example.com./cb', 'host'],
    ['HTTPS://example.com/cb', 'notNormal'],
    ['https://EXAMPLE.com/cb', 'notNormal'],
    ['https://example.com:443/cb', 'notNormal'],
    ['https://example.com/a/../cb', 'notNormal'],
    ['https://example.com/%2e%2e/cb', 'notNormal'],
    ['https:example.com', 'notNormal'],
    ['//example.com/cb', 'unreadable'],
    ['https://example.com\\@evil.example', 'unreadable'],
    ['https://example.com/c b', 'unreadable'],
    ['https://example.com/cb\r\nX: y', 'unreadable'],
    ['https://exämple.com/cb', 'unreadable'],
    ['', 'unreadable'],
  ])('may not be %j: %s', (address, fault) => expect(redirectFault(address)).toBe(fault))

  const registered = ['https://example.com/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']
  it.each([
    ['https://example.com/cb', true],
    ['https://example.com/cb/', false],
    ['https://example.com/cbx', false],
    ['https://example.com/cb?x=1', false],
    ['https://sub.example.com/cb', false],
    ['https://example.com:8443/cb', false],
    ['https://example.com/cb#x', false],
    ['https://EXAMPLE.com/cb', false],
    ['http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1:51004/other', false],
    ['http://localhost:51004/cb', false],
    ['http://x@127.0.0.1:51004/cb', false],
    ['com.example.app:/cb', true],
    ['com.example.app:/other', false],
  ])('asked for as %s is taken: %s', (asked, isTaken) => expect(isRedirectAllowed(registered, asked)).toBe(isTaken))
})

describe('the scope of a grant', () => {
  const projectOfApp = { '11': '1', '12': '2' }
  const ids = (scope: ReturnType<typeof scopeNow>) =>
    scope === 'all' ? 'all' : { projects: [...scope.projects], apps: [...scope.apps] }
  it.each([
    ['the whole team, by who reaches it all', { all: true as const }, 'all' as const, 'all'],
    [
      'the whole team, by who reaches one project now',
      { all: true as const },
      { projects: new Set(['1']), apps: new Set<string>() },
      { projects: ['1'], apps: [] },
    ],
    [
      'two projects, by who reaches one of them now',
      { projects: ['1', '2'], apps: [] },
      { projects: new Set(['1']), apps: new Set<string>() },
      { projects: ['1'], apps: [] },
    ],
    [
      'an app, by who reaches its project',
      { projects: [], apps: ['11', '12'] },
      { projects: new Set(['1']), apps: new Set<string>() },
      { projects: [], apps: ['11'] },
    ],
  ])('is %s', (_words, given, member, expected) =>
    expect(ids(scopeNow({ given, projectOfApp }, member))).toEqual(expected),
  )
})
