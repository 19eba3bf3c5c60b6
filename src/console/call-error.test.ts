import { expect, it } from 'vitest'
import { badOption, errorOf, silence } from './call-error.ts'

const thrown = (name: string) => Object.assign(new Error('no'), { name })

it.each([
  ['network error', silence('s', new TypeError('Failed to fetch')), 'ERR_NETWORK'],
  ['timeout', silence('s', thrown('TimeoutError')), 'ETIMEDOUT'],
  ['canceled', silence('s', thrown('AbortError')), 'ERR_CANCELED'],
  ['bad option value', badOption('s', 'the path needs appId'), 'ERR_BAD_OPTION_VALUE'],
  ['bad request', await errorOf(new Response('{}', { status: 422 }), 's'), 'ERR_BAD_REQUEST'],
  ['bad response', await errorOf(new Response('<html>', { status: 502 }), 's'), 'ERR_BAD_RESPONSE'],
])('the generic code %s is passed to the caller', (_words, error, code) => expect(error.code).toBe(code))

it('the refusal of a call keeps its number, its sentence and its fields', async () => {
  const fields = [{ in: 'body', pointer: '/name', rule: 'required', message: 'is missing' }]
  const body = JSON.stringify({ ret: { code: 200000001, msg: 'It is wrong.' }, title: 'Bad', fields, limit: 3 })
  const error = await errorOf(new Response(body, { status: 400 }), 'ground/teams')
  expect(error).toMatchObject({ status: 400, number: 200000001, message: 'It is wrong.', fields, detail: { limit: 3 } })
})
