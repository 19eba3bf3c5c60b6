import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf } from './said-headers.ts'

const heard: Readonly<IncomingHttpHeaders>[] = []
const server = http.createServer((raw, answer) => {
  heard.push(headersOf(raw))
  answer.end()
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** Two requests over one connection. */
async function both(first: Record<string, string>, second: Record<string, string>) {
  const dispatcher = new Agent({ connections: 1 })
  heard.length = 0
  for (const headers of [first, second]) await (await request(origin, { dispatcher, headers })).body.dump()
  await dispatcher.close()
  return heard
}

describe('headers of one connection', () => {
  const sent = { 'x-one': 'a', authorization: 'Bearer b' }

  it('are one object as long as they are the same', async () => {
    const [first, second] = await both(sent, { ...sent })
    expect(second).toBe(first)
    expect(first).toMatchObject(sent)
  })

  it.each<[string, Record<string, string>]>([
    ['another value', { ...sent, 'x-one': 'b' }],
    ['another token', { ...sent, authorization: 'Bearer c' }],
    ['another name', { 'x-two': 'a', authorization: 'Bearer b' }],
    ['one more', { ...sent, 'x-two': 'b' }],
    ['one less', { 'x-one': 'a' }],
    ['another order', { authorization: 'Bearer b', 'x-one': 'a' }],
  ])('are their own with %s', async (_what, other) => {
    const [first, second] = await both(sent, other)
    expect(first).toMatchObject(sent)
    expect(second).not.toBe(first)
    expect(second).toMatchObject(other)
    expect(Object.keys(second ?? {}).sort()).toEqual(['connection', 'host', ...Object.keys(other)].sort())
  })

  it('are none of another connection', async () => {
    const [first] = [...(await both(sent, sent))]
    const [other] = await both(sent, sent)
    expect(other).not.toBe(first)
    expect(other).toEqual(first)
  })

  it('cannot be changed by whoever reads them', async () => {
    const [first] = await both(sent, sent)
    expect(() => Object.assign(first as object, { 'x-one': 'b' })).toThrow(TypeError)
  })
})
