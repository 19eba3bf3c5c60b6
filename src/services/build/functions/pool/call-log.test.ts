import { expect, it } from 'vitest'
import { CallLog, type LogLine } from './call-log.ts'

const line = (text: string): LogLine => ({ at: 1, level: 'info', line: text })
const leftOut = { at: 1, level: 'warn', line: 'the lines after this one are left out' }

it.each([
  ['a thousand lines', 'x', 1000],
  ['a million characters', 'x'.repeat(10_000), 100],
])('a call keeps %s, and says that more were left out', (_what, text, kept) => {
  const log = new CallLog()
  for (let n = 0; n < kept; n++) log.add(line(text))
  expect(log.lines).toHaveLength(kept)
  expect(log.lines.at(-1)).toEqual(line(text))
  for (let n = 0; n < 5; n++) log.add(line(text))
  expect(log.lines).toHaveLength(kept + 1)
  expect(log.lines.at(-1)).toEqual(leftOut)
})
