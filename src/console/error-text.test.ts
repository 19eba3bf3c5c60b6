import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { CallError } from './call-error.ts'
import { errorText } from './error-text.ts'

beforeAll(() =>
  i18next.init({
    ...{ lng: 'en', ns: ['console', 'build/functions'], interpolation: { escapeValue: false } },
    resources: {
      en: {
        console: { errors: { unknown: 'Something failed.', why: { tooSlow: 'is slow' } } },
        'build/functions': {
          errors: { 1: 'Not taken: {{problem}}.', why: { bomb: '{{name}} grows {{limit}} times' } },
        },
      },
    },
  }),
)

it.each([
  [
    'in the words of its service',
    { why: 'bomb', name: 'a$t(b).js', limit: 100 },
    'Not taken: a$t(b).js grows 100 times.',
  ],
  ['in those of the frame, where the service has none', { why: 'tooSlow' }, 'Not taken: is slow.'],
  ['in those of the server, where nobody has any', { why: 'new.one', problem: 'as said' }, 'Not taken: as said.'],
  ['as the server says it, where it gives no reason', { problem: 'as said' }, 'Not taken: as said.'],
])('a refusal says why %s', (_where, detail, text) => {
  const from = { service: 'build/functions', number: 1, status: 400, message: 'Not taken.', requestId: '-', detail }
  expect(errorText(new CallError(from))).toBe(text)
})
