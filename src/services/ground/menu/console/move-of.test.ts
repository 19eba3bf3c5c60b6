import { expect, it } from 'vitest'
import { moveOf } from './move-of.ts'

it.each([
  ['abcd', 'abcd', null],
  ['abcd', 'bacd', { serviceId: 'a', after: 'b' }],
  ['abcd', 'dabc', { serviceId: 'd', after: null }],
  ['abcd', 'bcda', { serviceId: 'a', after: 'd' }],
  ['abcd', 'acbd', { serviceId: 'b', after: 'c' }],
  ['abcd', 'adbc', { serviceId: 'd', after: 'a' }],
  ['abcd', 'acdb', { serviceId: 'b', after: 'd' }],
])('from %s to %s one thing moved', (before, after, move) => expect(moveOf([...before], [...after])).toEqual(move))
