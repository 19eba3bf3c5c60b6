import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

const signs = { same: ' ', added: '+', removed: '-' }
const told = (before: string, after: string) =>
  lineDiff(before, after)
    .map(line => signs[line.kind] + line.text)
    .join('|')

describe('the difference of two versions', () => {
  it.each([
    ['the same', 'a\nb', 'a\nb', ' a| b'],
    ['a line added', 'a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a line taken out', 'a\nb\nc', 'a\nc', ' a|-b| c'],
    ['a line changed', 'a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['a line moved', 'a\nb\nc\nd', 'b\nc\na\nd', '-a| b| c|+a| d'],
    ['nothing before', '', 'a', '-|+a'],
    ['other line ends', 'a\r\nb', 'a\nb', ' a| b'],
    ['a line twice', 'a\na', 'a', ' a|-a'],
  ])('%s', (_name, before, after, expected) => expect(told(before, after)).toBe(expected))

  it('of very long texts keeps what is equal at both ends', () => {
    const lines = (from: string) => Array.from({ length: 5_000 }, (_one, at) => `${from} ${at}`).join('\n')
    const diff = lineDiff(`head\n${lines('a')}\ntail`, `head\n${lines('b')}\ntail`)
    expect([diff[0]?.kind, diff.at(-1)?.kind, diff.length]).toEqual(['same', 'same', 10_002])
  })
})
