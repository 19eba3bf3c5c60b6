import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import { permissionMatrix, permissionsOf, staffMatrix, staffRoles, teamRoles } from '../../ground/teams/rules.ts'
import { blockedWordIn, nameKey } from './listing/rules.ts'
import {
  factsOf,
  isCountry,
  isReleaseTime,
  limits,
  releaseStateOf,
  releasesAtOnce,
  slaDueAt,
  urgeAvailableAt,
  type VersionAction,
  type VersionState,
  versionActions,
  versionLifeCycle,
  versionStates,
} from './rules.ts'

const editors = ['leader', 'administrator', 'appAdmin', 'developer', 'operations']
const releasers = ['leader', 'administrator', 'appAdmin', 'operations']
const admins = ['leader', 'administrator', 'appAdmin']
const reviewers = ['reviewer', 'seniorReviewer']
const operators = ['storeOperator', 'seniorReviewer']

/** Written down a second time on purpose: who may do what where, by distribution.md 3.6 and 0.1. */
const expected: Partial<Record<VersionAction, { from: VersionState[]; who: string[] }>> = {
  edit: { from: ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED'], who: editors },
  delete: { from: ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED'], who: editors },
  submit: { from: ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED', 'OFF_BY_DEVELOPER'], who: releasers },
  // Of what is not with the store, a submit that waits for its package.
  withdraw: {
    from: ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED', 'PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE'],
    who: admins,
  },
  urge: { from: ['PRECHECK', 'IN_REVIEW'], who: releasers },
  approve: { from: ['IN_REVIEW', 'SHELF_OFF_REVIEW'], who: reviewers },
  reject: { from: ['IN_REVIEW', 'SHELF_OFF_REVIEW'], who: reviewers },
  ask: { from: ['IN_REVIEW'], who: reviewers },
  changeTime: { from: ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE'], who: releasers },
  release: { from: ['PENDING_RELEASE'], who: releasers },
  shelfOff: { from: ['ON_SHELF'], who: admins },
  cancelShelfOff: { from: ['SHELF_OFF_REVIEW'], who: admins },
  acknowledgeShelfOff: { from: ['ON_SHELF'], who: admins },
  forceOff: { from: ['ON_SHELF', 'SHELF_OFF_REVIEW'], who: operators },
  restore: { from: ['OFF_BY_STORE'], who: ['seniorReviewer'] },
}

const systemMoves: Partial<Record<VersionAction, VersionState[]>> = {
  passPrecheck: ['PRECHECK'],
  failPrecheck: ['PRECHECK'],
  releaseOnTime: ['PENDING_RELEASE'],
  releaseTogether: ['PENDING_RELEASE'],
  expire: ['PENDING_RELEASE'],
  supersede: ['ON_SHELF', 'SHELF_OFF_REVIEW'],
}

describe('the life cycle of a version', () => {
  const holders = [
    ...teamRoles.map(role => [role, permissionsOf([role], permissionMatrix)] as const),
    ...staffRoles.map(role => [role, permissionsOf([role], staffMatrix)] as const),
  ]

  for (const state of versionStates) {
    it(`allows from ${state} exactly what the table says, to every role`, () => {
      for (const [role, permissions] of holders) {
        const allowed = allowedActions(versionLifeCycle, state, permission => permissions.has(permission))
        for (const action of versionActions) {
          const rule = expected[action]
          const isExpected = (rule?.from.includes(state) && rule.who.includes(role)) ?? false
          expect([role, action, allowed.includes(action)]).toEqual([role, action, isExpected])
        }
      }
    })

    it(`leaves to the system what is the system's from ${state}`, () => {
      for (const action of versionActions) {
        const move = moveFor(versionLifeCycle, state, action, permission => permission === 'system')
        expect([action, move !== undefined]).toEqual([action, systemMoves[action]?.includes(state) ?? false])
      }
    })
  }

  it('lets nobody release, or set a time for, what goes on shelf together with others', () => {
    const held = { goesAlone: false } as ReturnType<typeof factsOf>
    const facts = new Proxy(held, { get: (target, name) => name !== 'goesAlone' || target.goesAlone })
    const allowed = versionStates.flatMap(state => allowedActions(versionLifeCycle, state, () => true, facts))
    for (const action of ['release', 'changeTime'] as const) expect(allowed).not.toContain(action)
    expect(allowed).toContain('withdraw')
    const needs = (action: VersionAction) => moveFor(versionLifeCycle, 'PENDING_RELEASE', action, () => true)?.needs
    expect([needs('releaseOnTime'), needs('releaseTogether')]).toEqual([['goesAlone'], undefined])
  })

  it('leads from every state only to known ones, and reaches every state from DRAFT', () => {
    const reached = new Set<VersionState>(['DRAFT'])
    for (let size = 0; size < reached.size; ) {
      size = reached.size
      for (const move of versionLifeCycle.moves) {
        if (!move.from.some(from => reached.has(from))) continue
        for (const holds of [true, false]) {
          const facts = new Proxy({} as ReturnType<typeof factsOf>, { get: () => holds })
          const to = typeof move.to === 'function' ? move.to(facts) : move.to
          if (to !== null) reached.add(to)
        }
      }
    }
    expect([...reached].sort()).toEqual([...versionStates].sort())
  })
})

describe('the number older tools know', () => {
  const none = { open: null, onShelf: null, isShelfOffRefused: false, off: null }
  const cases: [string, Parameters<typeof releaseStateOf>[0], number | null][] = [
    ['nothing', none, null],
    ['the first draft', { ...none, open: 'DRAFT' }, 7],
    ['a draft beside what is on shelf', { ...none, open: 'DRAFT', onShelf: 'ON_SHELF' }, 0],
    ['a draft after what was on shelf', { ...none, open: 'DRAFT', off: 'OFF_BY_DEVELOPER' }, 10],
    ['pre-check', { ...none, open: 'PRECHECK' }, 12],
    ['pre-check failed', { ...none, open: 'PRECHECK_FAILED', onShelf: 'ON_SHELF' }, 13],
    ['the first in review', { ...none, open: 'IN_REVIEW' }, 4],
    ['an upgrade in review', { ...none, open: 'IN_REVIEW', onShelf: 'ON_SHELF' }, 5],
    ['the first rejected', { ...none, open: 'REJECTED' }, 1],
    ['an upgrade rejected', { ...none, open: 'REJECTED', onShelf: 'ON_SHELF' }, 8],
    ['waiting for release', { ...none, open: 'PENDING_RELEASE' }, 3],
    ['withdrawn', { ...none, open: 'WITHDRAWN' }, 11],
    ['on shelf', { ...none, onShelf: 'ON_SHELF' }, 0],
    ['shelf-off in review', { ...none, onShelf: 'SHELF_OFF_REVIEW' }, 6],
    ['shelf-off refused', { ...none, onShelf: 'ON_SHELF', isShelfOffRefused: true }, 9],
    ['off by the developer', { ...none, off: 'OFF_BY_DEVELOPER' }, 10],
    ['off by the store', { ...none, off: 'OFF_BY_STORE' }, 2],
  ]
  it.each(cases)('%s', (_, picture, code) => expect(releaseStateOf(picture)).toBe(code))

  it('is 7 for a draft beside what is on shelf when the open version is asked for', () => {
    expect(releaseStateOf({ ...none, open: 'DRAFT', onShelf: 'ON_SHELF' }, true)).toBe(7)
  })
})

describe('times', () => {
  const friday = Date.UTC(2026, 10, 20, 12)
  const day = 86_400_000

  const sent = { submittedAt: friday, isFirst: false, reviewDueAt: null, reviewPausedAt: null, lastUrgedAt: null }

  it('counts working days of the zone: three for a first version, one for an update', () => {
    expect(slaDueAt(sent, 'DE')).toBe(Date.UTC(2026, 10, 23, 12))
    expect(slaDueAt({ ...sent, isFirst: true }, 'DE')).toBe(Date.UTC(2026, 10, 25, 12))
    // Friday noon UTC is after hours in China.
    expect(slaDueAt(sent, 'CN')).toBe(Date.UTC(2026, 10, 23, 10))
    expect(slaDueAt({ ...sent, reviewDueAt: 5 }, 'CN')).toBe(5)
  })

  it('lets a review be urged when it is overdue, then once a day, and not while it waits for the developer', () => {
    const due = slaDueAt(sent, 'DE')
    expect(urgeAvailableAt(sent, 'DE')).toBe(due)
    expect(urgeAvailableAt({ ...sent, lastUrgedAt: due + 1000 }, 'DE')).toBe(due + 1000 + day)
    expect(urgeAvailableAt({ ...sent, reviewPausedAt: due }, 'DE')).toBeNull()
  })

  it('takes a release time from 10 minutes to 180 days ahead', () => {
    for (const [ahead, isRight] of [
      [600_000, true],
      [599_999, false],
      [180 * day, true],
      [180 * day + 1, false],
    ] as const) {
      expect(isReleaseTime(friday + ahead, friday)).toBe(isRight)
    }
  })

  it('releases at once what is automatic or whose time has passed', () => {
    expect(releasesAtOnce({ releaseMode: 'AUTO', onShelfTime: null, heldBy: null }, friday)).toBe(true)
    expect(releasesAtOnce({ releaseMode: 'MANUAL', onShelfTime: null, heldBy: null }, friday)).toBe(false)
    expect(releasesAtOnce({ releaseMode: 'TIMED', onShelfTime: friday, heldBy: null }, friday)).toBe(true)
    expect(releasesAtOnce({ releaseMode: 'TIMED', onShelfTime: friday + 1, heldBy: null }, friday)).toBe(false)
    expect(releasesAtOnce({ releaseMode: 'AUTO', onShelfTime: null, heldBy: '7' }, friday)).toBe(false)
  })

  it('lets a version go on shelf again for 90 days, and be urged three times', () => {
    const version = {
      ...sent,
      submittedAt: null,
      urgeCount: limits.urgesOfSubmission,
      onShelfAt: friday,
      offShelfAt: friday,
      releaseMode: 'AUTO' as const,
      onShelfTime: null,
      heldBy: null,
      lastShelfOff: null,
      submitQueuedBy: null,
    }
    expect(factsOf(version, friday + 90 * day - 1, 'DE').isRecent).toBe(true)
    expect(factsOf(version, friday + 90 * day, 'DE').isRecent).toBe(false)
    expect(factsOf(version, friday, 'DE').hasUrgesLeft).toBe(false)
  })
})

describe('words', () => {
  it('knows countries from other pairs of letters', () => {
    expect(['CN', 'DE', 'RU', 'US', 'HK'].every(isCountry)).toBe(true)
    expect(['XX', 'ZZ', 'EU', 'de', 'D', 'DEU', ''].some(isCountry)).toBe(false)
  })

  it('compares names by what a person sees', () => {
    expect(nameKey('  Ｌｏｇｇｉａ   Notes ')).toBe(nameKey('loggia notes'))
    expect(blockedWordIn('The LOGGIA  Store')).toBe('loggia store')
    expect(blockedWordIn('Notes')).toBeNull()
  })
})
