import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createLog, reasonForPeople } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('debug', { write: line => void lines.push(line) }))
  return lines.join('')
}

describe('a log line', () => {
  it.each([
    ['a field', { password: 'swordfish' }],
    ['a field of a field', { body: { newPassword: 'swordfish' } }],
    ['a field of a field of a field', { request: { body: { token: 'swordfish' } } }],
    ['a header', { headers: { cookie: 'agc_sid=swordfish' } }],
    ['a header with dashes', { req: { headers: { 'x-hd-csrf': 'swordfish' } } }],
    ['a header at the top', { 'set-cookie': 'agc_sid=swordfish' }],
    ['an answer', { res: { headers: { 'set-cookie': ['agc_sid=swordfish'] } } }],
  ])('does not tell the secret in %s', (_where, fields) => {
    const line = logged(log => log.info(fields, 'seen'))
    expect(line).not.toContain('swordfish')
    expect(line).toContain('[redacted]')
  })

  it('of a failed query tells the statement, the rule and the frames, not the values', () => {
    const broken = Object.assign(new Error('duplicate key value violates unique constraint "accounts_email"'), {
      code: '23505',
      constraint: 'accounts_email',
      detail: 'Key (email)=(swordfish@example.com) already exists.',
    })
    const failed = new DrizzleQueryError('insert into accounts values ($1, $2)', ['swordfish', 'two\nlines'], broken)
    const line = logged(log => log.error({ err: failed }, 'a call failed'))
    expect(line).not.toContain('swordfish')
    expect(line).not.toContain('two\\nlines')
    expect(JSON.parse(line).err).toMatchObject({
      type: 'DrizzleQueryError',
      message: 'Failed query: insert into accounts values ($1, $2)',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '23505', constraint: 'accounts_email' },
    })
  })

  it('cannot be broken into two by what is logged', () => {
    const text = logged(log => log.info({ name: 'one\n{"level":50,"msg":"forged"}' }, 'two\r\nlines\u001b[31m'))
    expect(text.trimEnd().split('\n')).toHaveLength(1)
    expect(text).not.toContain('\u001b')
  })
})

describe('a reason shown to people', () => {
  it.each([
    ['what we said', new Error('the archive has 70,000 entries; at most 65,535 are read'), /70,000 entries/],
    [
      'of the system only that it failed',
      Object.assign(new Error("open '/var/lib/x'"), { code: 'ENOENT' }),
      /^something inside/,
    ],
    [
      'of the database only that it failed',
      new DrizzleQueryError('select 1', ['swordfish'], new Error('x')),
      /^something inside/,
    ],
    ['of what is no error only that it failed', 'swordfish', /^something inside/],
  ])('is %s', (_what, error, expected) => {
    expect(reasonForPeople(error)).toMatch(expected)
  })
})
