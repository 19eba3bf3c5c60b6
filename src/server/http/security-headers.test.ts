import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { pageHeadersOf } from './security-headers.ts'

const policyOf = (origins?: string) =>
  pageHeadersOf(readConfig(origins === undefined ? {} : { LOGGIA_REPORT_ORIGINS: origins }))[
    'content-security-policy'
  ]?.split('; ') ?? []

describe('the policy of the console’s page', () => {
  it('runs scripts and makes calls of its own host only', () => {
    expect(policyOf()).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "media-src 'self'", "connect-src 'self'"]),
    )
    expect(policyOf().join()).not.toMatch(/unsafe|\*|https?:/)
  })

  it('lets report addresses that the operator names in, and opens nothing else for them', () => {
    const policy = policyOf('DE=https://eu.example.com, RU=https://ru.example.com:8443,EU=https://eu.example.com')
    const wider = policy.filter(rule => rule.includes('example'))
    expect(wider).toEqual([
      "script-src 'self' https://eu.example.com https://ru.example.com:8443",
      "connect-src 'self' https://eu.example.com https://ru.example.com:8443",
    ])
  })

  it('names the origin of the operator’s analytics only where its script is set', () => {
    const policy = pageHeadersOf(readConfig({ LOGGIA_ANALYTICS_SCRIPT: 'https://stats.example.com:8443/a.js?id=1' }))[
      'content-security-policy'
    ]
    expect(policy?.split('; ').filter(rule => rule.includes('stats'))).toEqual([
      "script-src 'self' https://stats.example.com:8443",
      "connect-src 'self' https://stats.example.com:8443",
    ])
    expect(policyOf().join()).not.toContain('stats')
  })

  it.each([
    'http://stats.example.com/a.js',
    '//stats.example.com/a.js',
    'javascript:alert(1)',
    'data:text/javascript,1',
    'https://user:word@stats.example.com/a.js',
    "https://stats.example.com;script-src'/a.js",
    'stats.example.com',
  ])('takes no %s for the address of a script', address => {
    expect(() => readConfig({ LOGGIA_ANALYTICS_SCRIPT: address })).toThrow('LOGGIA_ANALYTICS_SCRIPT')
  })

  it.each([
    'DE=*',
    'DE',
    'DE=https://a.example/path',
    "DE=https://a.example 'unsafe-inline'",
    'DE=javascript:alert(1)',
    'DE=data:text/javascript,1',
    'XX=https://a.example',
  ])('takes no %s for a report address', origins => {
    expect(() => policyOf(origins)).toThrow(/LOGGIA_REPORT_ORIGINS|zone Id is invalid/)
  })
})
