import { describe, expect, it } from 'vitest'
import { compileSource } from '../compile.ts'
import type { RuleRequest } from '../engine-types.ts'
import { decideWith, isGrantedUnseen } from './evaluate.ts'

const request: RuleRequest = {
  method: 'create',
  path: ['b', 'x'],
  auth: { uid: 'u1', provider: 1, anonymous: false, token: {} },
  app: null,
  ip: null,
  time: 1_700_000_000_000,
  requestResource: { size: 5, owner: 'u1' },
}
const programOf = (allows: string) => {
  const { program, problems } = compileSource(
    `agc.cloud.storage[ match: /{bucket}/{path=**} { ${allows} } ]`,
    'agc.cloud.storage',
  )
  expect(problems).toEqual([])
  return program
}
const thereNow = [null, { size: 1, owner: 'u1' }, { size: 900, owner: 'u2' }]

describe('a write is granted without a look at what stands there', () => {
  it.each([
    ['allow write;', true],
    ['allow create: if request.auth != null;', true],
    ['allow create: if request.resource.size < 10 && path == "x";', true],
    ['allow create: if resource == null;', false],
    ['allow create: if request.auth != null && resource.owner == request.auth.uid;', false],
    ['allow create: if resource.size > 1; allow create: if request.auth.uid == "u1";', true],
    ['allow create: if request.resource.size > 10;', false],
    ['allow create: if request.auth.token.missing == 1;', false],
    ['allow create: if storage.exists(/b/other);', false],
    ['allow update;', false],
  ])('%s %s', (allows, expected) => {
    const program = programOf(allows)
    expect(isGrantedUnseen(program, request)).toBe(expected)
    if (!expected) return
    for (const resource of thereNow) expect(decideWith(program, { ...request, resource }, null).allowed).toBe(true)
  })

  it('and is counted nowhere', () => {
    const program = programOf('allow create: if request.auth != null;')
    isGrantedUnseen(program, request)
    expect(program.tallies).toEqual({ evaluated: [0], granted: [0], errors: [0] })
  })
})
