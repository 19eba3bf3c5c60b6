import { describe, expect, it } from 'vitest'
import { planOf, strangerIn } from './rules.ts'

const member = (name: string, version: string | null, newest: string | null) => ({
  ...{ functionId: name, functionName: name, version, newest },
})
const members = [member('a', '1', '3'), member('b', null, '2'), member('c', null, null)]
const versionsOf = (choice: Parameters<typeof planOf>[1]) => planOf(members, choice).map(one => one.version)

describe('a release', () => {
  it('takes the newest of each when nothing is chosen', () => {
    expect(versionsOf({ kind: 'newest' })).toEqual(['3', '2', null])
  })

  it('takes what is named; the others keep what they have, and one that has nothing gets its newest', () => {
    expect(versionsOf({ kind: 'named', versions: { b: '1' } })).toEqual(['1', '1', null])
    expect(versionsOf({ kind: 'named', versions: { c: '7' } })).toEqual(['1', '2', '7'])
  })

  it('takes those of an older one, also where the function was renamed since', () => {
    const versions = [{ functionId: 'a', functionName: 'was-a', version: '2' }]
    expect(versionsOf({ kind: 'again', versions })).toEqual(['2', '2', null])
  })

  it('is asked for no function that is none of the group', () => {
    expect(strangerIn(members, { kind: 'named', versions: { a: '1', d: '1' } })).toBe('d')
    expect(strangerIn(members, { kind: 'named', versions: { a: '1' } })).toBeNull()
  })
})
