import { describe, expect, it } from 'vitest'
import { maskedAddress, readAddress } from './rules.ts'

describe('addresses', () => {
  it.each([
    [' Ada@Example.COM ', 'email', 'ada@example.com'],
    ['+86 (10) 6552-9988', 'phone', '+861065529988'],
    ['\uff41da@example.com', 'email', 'ada@example.com'],
  ])('%j is compared as %s %s', (sent, channel, key) => {
    expect(readAddress(sent)).toMatchObject({ channel, key })
  })
  it.each(['ada', 'ada@example', '12345678', '+0123456', 'a@b.c, d@e.fg', 'a\r\nBcc: x@y.zz', '<a@b.cc>'])(
    '%j is none',
    sent => expect(readAddress(sent)).toBeNull(),
  )
  it('are masked where anybody with the link may look', () => {
    expect(maskedAddress('ada@example.com')).toBe('ad\u2022\u2022\u2022@example.com')
    expect(maskedAddress('+861065529988')).toBe('+86\u2022\u2022\u202288')
  })
})
