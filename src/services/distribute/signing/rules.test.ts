import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import {
  limits,
  nextRotationAt,
  type ProfileFact,
  profileCycle,
  profileStates,
  uploadCycle,
  uploadStates,
  weaknessOf,
} from './rules.ts'

const day = 86_400_000
const now = 2_000 * day
const long = { notBefore: now - day, notAfter: now - day + limits.certificateMs }

describe('a key that may sign an app', () => {
  it.each([
    ['RSA of 4096 bits', { keyAlgorithm: 'RSA', keyBits: 4096, ...long }, null],
    ['RSA of 2048 bits', { keyAlgorithm: 'RSA', keyBits: 2048, ...long }, null],
    ['RSA of 1024 bits', { keyAlgorithm: 'RSA', keyBits: 1024, ...long }, 'the RSA key has 1024 bits'],
    ['EC P-256', { keyAlgorithm: 'EC', keyBits: 256, ...long }, null],
    ['EC of an unknown curve', { keyAlgorithm: 'EC', keyBits: null, ...long }, 'of EC keys P-256'],
    ['DSA', { keyAlgorithm: 'DSA', keyBits: 2048, ...long }, 'keys of kind DSA'],
    [
      'one whose certificate ends a day too early',
      { keyAlgorithm: 'RSA', keyBits: 2048, ...long, notAfter: long.notAfter - day },
      'valid for 9124 days',
    ],
    ['one that ran out', { keyAlgorithm: 'RSA', keyBits: 2048, notBefore: 0, notAfter: now - 1 }, 'ran out'],
    ['one of tomorrow', { keyAlgorithm: 'RSA', keyBits: 2048, ...long, notBefore: now + day }, 'not valid yet'],
  ])('%s', (_says, facts, wanted) => {
    const reason = weaknessOf(facts, 'APP', now)
    if (wanted === null) expect(reason).toBe(null)
    else expect(reason).toContain(wanted)
  })

  it('lives 25 years at least, which an upload certificate need not', () => {
    const short = { keyAlgorithm: 'RSA', keyBits: 2048, notBefore: now - day, notAfter: now + 365 * day }
    expect(weaknessOf(short, 'UPLOAD', now)).toBe(null)
    expect(weaknessOf(short, 'APP', now)).toContain('25 years')
  })

  it('is rotated once in 365 days', () => {
    expect(nextRotationAt(null)).toBe(null)
    expect(nextRotationAt(now)).toBe(now + 365 * day)
  })
})

describe('every state times every action', () => {
  const facts = (...held: ProfileFact[]) => ({
    isNew: held.includes('isNew'),
    isCalm: held.includes('isCalm'),
    isRotationDue: held.includes('isRotationDue'),
    isUnused: held.includes('isUnused'),
    hasDeveloperKey: held.includes('hasDeveloperKey'),
  })
  const allowed = (may: string[], given: Record<ProfileFact, boolean>) =>
    Object.fromEntries(
      profileStates.map(state => [
        state,
        allowedActions(profileCycle, state, permission => may.includes(permission), given),
      ]),
    )

  it('of who signs: only who manages keys moves it, nothing leads back from a key in use', () => {
    expect(allowed(['signing.manage'], facts('isNew', 'isCalm', 'isRotationDue', 'isUnused'))).toEqual({
      NONE: ['generate', 'import'],
      DEVELOPER: ['generate', 'import'],
      STORE: ['rotate', 'discard'],
    })
    expect(allowed(['signing.manage'], facts())).toEqual({ NONE: ['import'], DEVELOPER: ['import'], STORE: [] })
    expect(allowed(['signing.read'], facts('isNew', 'isCalm', 'isRotationDue', 'isUnused'))).toEqual({
      NONE: [],
      DEVELOPER: [],
      STORE: [],
    })
  })

  it('of an upload certificate: a leader approves, who manages keys cancels, and only while it waits', () => {
    const of = (may: string) =>
      uploadStates.map(state => allowedActions(uploadCycle, state, permission => permission === may))
    expect(of('signing.approve')).toEqual([['approve'], [], [], []])
    expect(of('signing.manage')).toEqual([['cancel'], [], [], []])
  })
})
