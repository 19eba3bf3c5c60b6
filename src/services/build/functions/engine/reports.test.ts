import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader, type Order, type Report, readOrder } from './frames.ts'
import { readReport } from './reports.ts'

const fault = { kind: 'uncaught' as const, name: 'Error', message: 'm', stack: 's' }
const http = { kind: 'http' as const, status: 200, headers: { a: 'b' }, body: 'x', isBase64: false }

describe('what a process says', () => {
  it.each<[string, Report]>([
    ['that it began', { type: 'booted' }],
    ['that it collected', { type: 'collected' }],
    ['that it is ready', { type: 'ready', initMs: 1.5 }],
    ['that it failed', { type: 'failed', error: fault }],
    ['an answer', { type: 'answered', id: '1', result: { kind: 'json', text: '{}' } }],
    ['an answer of HTTP', { type: 'answered', id: '1', result: http }],
    ['an answer of HTTP without a body', { type: 'answered', id: '1', result: { ...http, body: '' } }],
    ['an answer in many letters', { type: 'answered', id: '1', result: { kind: 'json', text: '"é語\\n🌍"' } }],
    ['what was thrown', { type: 'threw', id: '1', error: { ...fault, exports: ['a'] } }],
    ['a line', { type: 'logged', id: null, level: 'info', line: 'l' }],
    ['where it wants to connect', { type: 'open', id: '1', host: 'a.test', port: 80 }],
  ])('is taken: %s', (_what, report) => {
    const frame = Buffer.from(encodeFrame(report), 'latin1')
    const reader = new FrameReader(readReport)
    const halves = [frame.subarray(0, frame.length - 5), frame.subarray(frame.length - 5)]
    expect(halves.flatMap(half => [...reader.read(half)])).toEqual([report])
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'booted'],
    ['a list', [{ type: 'booted' }]],
    ['an unknown type', { type: 'load' }],
    ['an inherited type', { type: 'constructor' }],
    ['a time that is none', { type: 'ready', initMs: '5' }],
    ['a time without end', { type: 'ready', initMs: null }],
    ['a negative time', { type: 'ready', initMs: -1 }],
    ['a fault that is a text', { type: 'failed', error: 'bad' }],
    ['a fault of no kind', { type: 'failed', error: { ...fault, kind: 'toString' } }],
    ['a fault with an object for its words', { type: 'threw', id: '1', error: { ...fault, message: {} } }],
    ['exports that are no list', { type: 'failed', error: { ...fault, exports: 'abc' } }],
    ['an id that is a number', { type: 'answered', id: 1, result: { ...http, body: '' } }],
    ['an id without end', { type: 'answered', id: 'x'.repeat(65), result: { ...http, body: '' } }],
    ['an answer that is in its head', { type: 'answered', id: '1', result: { kind: 'json', text: '1' } }],
    ['an answer of HTTP that is in its head', { type: 'answered', id: '1', result: http }],
    ['an answer of no kind', { type: 'answered', id: '1', result: { kind: 'file', path: '/a' } }],
    ['headers that are a list', { type: 'answered', id: '1', result: { ...http, headers: ['a'] } }],
    ['a header that is no text', { type: 'answered', id: '1', result: { ...http, headers: { a: 1 } } }],
    ['a body that is no text', { type: 'answered', id: '1', result: { ...http, body: null } }],
    ['a line of no level', { type: 'logged', id: null, level: 'fatal', line: '' }],
    ['a line that is no text', { type: 'logged', id: null, level: 'info', line: {} }],
    ['a host that is no text', { type: 'open', id: '1', host: {}, port: 1 }],
  ])('is refused: %s', (_what, report) => {
    expect(readReport(JSON.stringify(report), '')).toBeNull()
  })

  it.each<[string, string, string]>([
    ['that is empty', 'answered 1', ''],
    ['with an id without end', `answered ${'x'.repeat(65)}`, '1'],
  ])('is refused: an answer %s', (_what, head, text) => {
    expect(readReport(head, text)).toBeNull()
  })

  it.each(['', 'answered', 'call 1 2 ', '{"type":'])('is broken: "%s"', head => {
    expect(() => readReport(head, '1')).toThrow(SyntaxError)
  })

  it('is cut to what a report has', () => {
    const more = { type: 'logged', id: null, level: 'warn', line: 'x'.repeat(20_000), requestId: 'other' }
    expect(readReport(JSON.stringify(more), '')).toEqual({
      type: 'logged',
      id: null,
      level: 'warn',
      line: 'x'.repeat(11_000),
    })
    const port = JSON.stringify({ type: 'open', id: '1', host: 'a', port: 70_000 })
    expect(readReport(port, '')).toMatchObject({ port: 0 })
    const odd = { type: 'answered', id: '1', result: { ...http, body: '', status: 'NaN' } }
    expect(readReport(JSON.stringify(odd), 'x')).toMatchObject({ result: { status: 500, body: 'x' } })
  })
})

describe('what the server says', () => {
  const call = { type: 'call' as const, id: '7-2', event: '{"é":"語"}', caller: null, timeoutMs: 3_000 }
  it.each<[string, Order]>([
    ['a call', call],
    ['a call with a mark', { ...call, mark: '1.22.333.a-b_c' }],
    ['a call of somebody', { ...call, caller: { uid: '1', claims: { role: 'a b' } }, mark: 'm' }],
    ['a delivery', { ...call, delivery: { requestId: '7', attempt: 2, isRepeat: true } }],
    ['that a call is over', { type: 'abort', id: '7' }],
  ])('is taken as it was said: %s', (_what, order) => {
    expect([...new FrameReader(readOrder).read(Buffer.from(encodeFrame(order), 'latin1'))]).toEqual([order])
  })
})
