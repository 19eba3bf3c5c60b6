import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FunctionStage, openFunctions } from '../functions.testkit.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

/** Code that writes to the channel itself, as the runner does. */
const forging = `const fs = require('fs')
const say = (message, size, headLength) => {
  const { along = '', isShort, ...said } = Object(message)
  const head = typeof message === 'string' ? message : isShort ? 'answered ' + said.id : JSON.stringify(said)
  const text = head + along
  const frame = Buffer.alloc(8 + Buffer.byteLength(text))
  frame.writeUInt32BE(size ?? Buffer.byteLength(text))
  frame.writeUInt32BE(headLength ?? head.length, 4)
  frame.write(text, 8)
  for (let at = 0; at < frame.length; ) {
    // Whoever is not listened to is told to try again.
    try { at += fs.writeSync(3, frame, at) } catch (error) { if (error.code !== 'EAGAIN') throw error }
  }
}
exports.handler = async (event, context) => {
  if (event.wait) { await new Promise(resolve => setTimeout(resolve, event.wait)); return 'own' }
  for (const one of event.say ?? []) say({ ...one, ...(one.id === 'own' && { id: context.requestId }) })
  for (let n = 0; n < (event.lines ?? 0); n++) say({ type: 'logged', id: null, level: 'info', line: 'x'.repeat(event.size ?? 1) })
  if (event.text) say(event.text, event.size, event.headLength)
  await new Promise(resolve => setTimeout(resolve, 300))
  return 'own'
}`
const answer = (id: string, along: string) => ({ id, isShort: true, along })

describe('a process that forges what it says', () => {
  it.each<[string, object]>([
    ['a type that is none', { say: [{ type: 'load' }] }],
    ['an answer without a result', { say: [{ type: 'answered', id: 'own' }] }],
    ['an answer without text', { say: [answer('own', '')] }],
    ['an answer that is in its head', { say: [{ type: 'answered', id: 'own', result: { kind: 'json', text: '1' } }] }],
    [
      'an answer of HTTP without a body',
      { say: [{ type: 'answered', id: 'own', result: { kind: 'http', status: 200 } }] },
    ],
    [
      'a fault of numbers',
      { say: [{ type: 'threw', id: 'own', error: { kind: 'uncaught', name: 1, message: 2, stack: 3 } }] },
    ],
    ['a line of no level', { say: [{ type: 'logged', id: null, level: 'shout', line: 'x' }] }],
    ['no JSON', { text: '{"type":' }],
    ['a list', { text: '[1]' }],
    ['nothing', { text: 'null' }],
    ['depth without end', { text: '['.repeat(100_000) }],
    ['a length without end', { text: 'x', size: 4_000_000_000 }],
    ['JSON that is longer than its message', { text: '{"type":"booted"', headLength: 4_000_000_000 }],
    ['JSON that ends before it should', { text: '{"type":"booted"}', headLength: 5 }],
    ['no head, and only what goes along', { text: '1', headLength: 0 }],
  ])('by %s loses its process, and the server goes on', async (_what, event) => {
    const { functionName } = await on.create(forging)
    const ran = await on.run(functionName, event)
    expect(ran).toMatchObject({ outcome: 'CRASH', statusCode: 500 })
    expect((await on.run(functionName, {})).result).toBe('own')
  })

  it.each([
    ['short', { lines: 30_000 }, 200],
    ['long', { lines: 400, size: 10_000 }, 20],
  ])(
    'by %s lines past its own bounds is listened to as fast as the server will, and keeps itself waiting',
    async (_what, event, kept) => {
      const { functionName } = await on.create(forging)
      await on.run(functionName)
      const from = performance.now()
      const ran = await on.run(functionName, event)
      expect(ran).toMatchObject({ outcome: 'SUCCESS', result: 'own' })
      expect([ran.logs.length, ran.logs.at(-1)]).toEqual([kept + 1, expect.objectContaining({ level: 'warn' })])
      // What one slice of time takes is less than a tenth of it.
      expect(performance.now() - from).toBeGreaterThan(500)
    },
  )

  it('answers no call of another copy, and writes no line into one', async () => {
    const { functionName } = await on.create(forging, { instanceConcurrency: 2 })
    const { requestId } = await on.run(functionName)
    // Ids grow by time: those of the next calls are near the last one.
    const ids = Array.from({ length: 200 }, (_, n) => String(BigInt(requestId) + BigInt(n)))
    const other = await on.create(forging)
    const waiting = on.run(other.functionName, { wait: 500 })
    const say = ids.flatMap(id => [answer(id, '"forged"'), { type: 'logged', id, level: 'error', line: 'forged' }])
    await on.run(functionName, { say })
    expect(await waiting).toMatchObject({ result: 'own', logs: [] })
  })

  it('may mislead only its own call, and what is no JSON breaks nothing', async () => {
    const { functionName } = await on.create(forging)
    const early = await on.run(functionName, { say: [answer('own', '{no json')] })
    expect(early).toMatchObject({ outcome: 'SUCCESS', result: '{no json' })
    expect((await on.run(functionName, {})).result).toBe('own')
  })

  it('is not ready again, and does not fail for what it says it failed of', async () => {
    const { functionName, functionId } = await on.create(forging)
    const error = { kind: 'loadFailed', name: 'E', message: 'forged', stack: '' }
    const ran = await on.run(functionName, {
      say: [{ type: 'ready', initMs: 5000 }, { type: 'booted' }, { type: 'failed', error }],
    })
    expect(ran).toMatchObject({ outcome: 'SUCCESS', result: 'own' })
    expect((await on.pods(functionId)).length).toBe(1)
  })
})
