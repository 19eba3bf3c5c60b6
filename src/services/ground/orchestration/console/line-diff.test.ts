import { expect, it } from 'vitest'
import { diffOf, foldedDiffOf } from './line-diff.ts'
import { callOf, callText } from './process-calls.ts'

it.each([
  ['a\nb\nc', 'a\nc', ' a -b  c'],
  ['a\nc', 'a\nb\nc', ' a +b  c'],
  ['a', 'b', '-a +b'],
  ['a\nb', 'a\nb', ' a  b'],
])('%j against %j', (before, after, told) => {
  const marks = { same: ' ', added: '+', removed: '-', folded: '…' }
  expect(
    diffOf(before, after)
      .map(line => marks[line.kind] + line.text)
      .join(' '),
  ).toBe(told)
})

it.each(['distribute/apps getApp', 'distribute/material GET /mts/material-test/list', 'Menu.queryMenu'])(
  'the call %s is written and read the same',
  text => {
    expect(callText({ id: 'one', ...callOf(text) })).toBe(text)
  },
)

it('what is far from every change is folded', () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')
  const kinds = foldedDiffOf(before, before.replace('line 15', 'other')).map(line => line.kind)
  expect(kinds.filter(kind => kind === 'folded')).toHaveLength(2)
  expect(kinds.filter(kind => kind === 'same')).toHaveLength(6)
})
