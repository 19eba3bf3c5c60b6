import { expect, it } from 'vitest'
import { foldedDiffOf } from './folded-diff.ts'
import { callOf, callText } from './process-calls.ts'

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
