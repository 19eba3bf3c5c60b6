import { describe, expect, it } from 'vitest'
import { openableLink } from './links.ts'

const origin = 'https://console.example:8443'

describe('a link', () => {
  it.each([
    ['http://example.com', 'http://example.com'],
    ['HTTP://example.com/a?b#c', 'HTTP://example.com/a?b#c'],
    ['https://example.com/privacy', 'https://example.com/privacy'],
    ['http://[::1]:80/', 'http://[::1]:80/'],
    ['http://пример.рф/', 'http://пример.рф/'],
    ['https://console.example:8443/#/services', 'https://console.example:8443/#/services'],
    ['{host}', 'https://console.example:8443'],
    ['{host}/#/services', 'https://console.example:8443/#/services'],
    ['{host}?a=1', 'https://console.example:8443?a=1'],
  ])('opens only if it starts with http:// or {host}: %s', (link, address) =>
    expect(openableLink(link, origin)).toBe(address),
  )

  it.each([
    '',
    'h',
    'http',
    'http:',
    'http://',
    'http:///example.com',
    'http:example.com',
    'https:/example.com',
    'example.com',
    '/path',
    '//example.com',
    '\\\\example.com',
    'http:\\\\example.com',
    'http://example.com\\@other.example',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com',
    'intent://x#Intent;end',
    'http://user@example.com',
    'http://user:secret@example.com',
    'https://console.example:8443@other.example/',
    '{host}.other.example',
    '{host}@other.example',
    '{HOST}/x',
    'x{host}/',
    ' http://example.com',
    'http://example.com/a b',
    'http://example.com/\u0000',
    'http://example.com/\u202Egnp.exe',
    'http://exa\u200Bmple.com',
    'http://example.com/\uD83D',
    'http://[::1',
  ])('that starts with anything else, or hides where it goes, never opens: %j', link =>
    expect(openableLink(link, origin)).toBeNull(),
  )
})
