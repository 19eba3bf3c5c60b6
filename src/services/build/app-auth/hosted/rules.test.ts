import { describe, expect, it } from 'vitest'
import { askedFault, formTargetOf, redirectFault, withQuery } from './rules.ts'

describe('an address that users are led back to', () => {
  it.each([
    'https://app.example.com/signed-in',
    'https://app.example.com:8443/a?b=c',
    'http://localhost:3000/back',
    'http://127.0.0.1/back',
    'http://[::1]:5000/back',
    'com.example.app:/signed-in',
    'com.example.app://signed-in',
  ])('may be %s', address => {
    expect(redirectFault(address)).toBeNull()
  })

  it.each([
    '',
    'http://app.example.com/',
    'http://localhost.evil.example/',
    'http://localhost@evil.example/',
    'https://a@app.example.com/',
    'https://app.example.com/#part',
    'https://*.example.com/',
    'https://app.example.com\\@evil.example/',
    'https://app.example.com/ back',
    'https://app.example.com/\r\nset-cookie: a=b',
    'https://app.example.com/?code=1',
    'https://app.example.com/?a=b&state=1',
    'https://ａpp.example.com/',
    '//app.example.com/',
    '/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'intent://x#Intent;end',
    'blob:https://app.example.com/1',
    'myapp:/back',
  ])('may not be %j', address => {
    expect(redirectFault(address)).not.toBeNull()
  })

  it('is what a form may lead to, and gets what the app reads behind its own query', () => {
    expect(formTargetOf('https://app.example.com/a?b')).toBe('https://app.example.com')
    expect(formTargetOf('com.example.app:/a')).toBe('com.example.app:')
    expect(withQuery('https://a.example/x', { code: 'a&b' })).toBe('https://a.example/x?code=a%26b')
    expect(withQuery('https://a.example/x?y=1', { code: 'c' })).toBe('https://a.example/x?y=1&code=c')
    expect(withQuery('com.example.app:/x', { code: 'c' })).toBe('com.example.app:/x?code=c')
  })
})

describe('what an app asks for', () => {
  const good = {
    ...{ response_type: 'code', scope: 'openid email', state: 's', code_challenge_method: 'S256' },
    code_challenge: 'a'.repeat(43),
  }
  const long = 'n'.repeat(1001)
  it.each<[object, string | null]>([
    [{}, null],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_type: ['code', 'code'] }, 'invalid_request'],
    [{ scope: 'email' }, 'invalid_scope'],
    [{ scope: undefined }, 'invalid_scope'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ state: ['a', 'b'] }, 'invalid_request'],
    [{ nonce: long }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
  ])('with %# is told what is wrong', (change, fault) => {
    expect(askedFault({ ...good, ...change })).toBe(fault)
  })
})
