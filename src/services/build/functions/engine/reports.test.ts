import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameReader, type Report } from './frames.ts'
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
    const frame = encodeFrame(report)
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
    ['an id that is a number', { type: 'answered', id: 1, result: { kind: 'json', text: '1' } }],
    ['an id without end', { type: 'answered', id: 'x'.repeat(65), result: { kind: 'json', text: '1' } }],
    ['an answer without text', { type: 'answered', id: '1', result: { kind: 'json' } }],
    ['an answer with an object for its text', { type: 'answered', id: '1', result: { kind: 'json', text: {} } }],
    ['an answer that is empty', { type: 'answered', id: '1', result: { kind: 'json', text: '' } }],
    ['an answer in the wrong place', { type: 'answered', id: '1', result: { kind: 'json', text: '1' } }],
    ['an answer of no kind', { type: 'answered', id: '1', result: { kind: 'file', path: '/a' } }],
    ['headers that are a list', { type: 'answered', id: '1', result: { ...http, headers: ['a'] } }],
    ['a header that is no text', { type: 'answered', id: '1', result: { ...http, headers: { a: 1 } } }],
    ['a body that is no text', { type: 'answered', id: '1', result: { ...http, body: null } }],
    ['a line of no level', { type: 'logged', id: null, level: 'fatal', line: '' }],
    ['a line that is no text', { type: 'logged', id: null, level: 'info', line: {} }],
    ['a host that is no text', { type: 'open', id: '1', host: {}, port: 1 }],
  ])('is refused: %s', (_what, report) => {
    expect(readReport(report, '')).toBeNull()
  })

  it('is cut to what a report has', () => {
    const more = { type: 'logged', id: null, level: 'warn', line: 'x'.repeat(20_000), requestId: 'other' }
    expect(readReport(more, '')).toEqual({ type: 'logged', id: null, level: 'warn', line: 'x'.repeat(11_000) })
    expect(readReport({ type: 'open', id: '1', host: 'a', port: 70_000 }, '')).toMatchObject({ port: 0 })
    const odd = { type: 'answered', id: '1', result: { ...http, body: '', status: 'NaN' } }
    expect(readReport(odd, 'x')).toMatchObject({ result: { status: 500, body: 'x' } })
  })
})
