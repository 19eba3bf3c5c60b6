import { describe, expect, it } from 'vitest'
import { exampleOf } from './example-of.ts'
import type { Operation } from './open-api.ts'
import { addressOf, curlOf, missingIn } from './request-of.ts'

const operation: Operation = {
  summary: '',
  parameters: [
    { name: 'appId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'q', in: 'query', required: false, schema: { type: 'string' } },
    { name: 'teamId', in: 'header', required: true, schema: { type: 'string' } },
  ],
  responses: {},
  'x-audience': 'cp',
  'x-permission': 'apps.edit',
  'x-zone': 'current',
}
const filled = {
  method: 'PUT',
  path: '/a/{appId}',
  values: { 'path appId': '1/2', 'query q': 'a b' },
  body: `{"n":"it's"}`,
}

describe('a call that is tried', () => {
  it('is addressed by what was filled in', () => {
    expect(addressOf(operation, filled)).toBe('/a/1%2F2?q=a+b')
    expect(addressOf(operation, { ...filled, values: { 'query q': '' } })).toBe('/a/{appId}')
  })
  it('says what is missing; the team comes by itself', () => {
    expect(missingIn(operation, { ...filled, values: {} })).toEqual(['appId'])
    expect(missingIn(operation, filled)).toEqual([])
  })
  it('is written for a shell without anybody’s credentials, and quoted', () => {
    expect(curlOf(operation, filled, 'https://h')).toBe(
      [
        `curl -X PUT 'https://h/a/1%2F2?q=a+b'`,
        '-b "agc_sid=$LOGGIA_SESSION"',
        '-H "x-hd-csrf: $LOGGIA_CSRF"',
        '-H "teamid: $LOGGIA_TEAM"',
        `-H 'content-type: application/json'`,
        `-d '{"n":"it'\\''s"}'`,
      ].join(' \\\n  '),
    )
  })
  it.each([
    [{ type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 2 }, b: {} } }, { a: 'xx' }],
    [{ type: 'array', minItems: 1, items: { type: 'integer', minimum: 3 } }, [3]],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ enum: [null, 'CN'] }, 'CN'],
    [{ type: 'string', examples: ['com.example'] }, 'com.example'],
    [{ type: 'boolean' }, false],
  ])('begins with the smallest value of %j', (schema, value) => expect(exampleOf(schema)).toEqual(value))
})
