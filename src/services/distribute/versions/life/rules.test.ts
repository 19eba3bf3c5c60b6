import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import { permissionMatrix, permissionsOf, staffMatrix, staffRoles, teamRoles } from '../../../ground/teams/rules.ts'
import type { factsOf } from '../rules.ts'
import { type VersionAction, type VersionState, versionActions, versionLifeCycle, versionStates } from './rules.ts'

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
  appeal: { from: ['REJECTED'], who: releasers },
  changeTime: { from: ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE'], who: releasers },
  release: { from: ['PENDING_RELEASE'], who: releasers },
  shelfOff: { from: ['ON_SHELF'], who: admins },
  cancelShelfOff: { from: ['SHELF_OFF_REVIEW'], who: admins },
  acknowledgeShelfOff: { from: ['ON_SHELF'], who: admins },
  forceOff: { from: ['ON_SHELF', 'SHELF_OFF_REVIEW', 'PHASED'], who: operators },
  restore: { from: ['OFF_BY_STORE'], who: ['seniorReviewer'] },
  rollBack: { from: ['ON_SHELF', 'PHASED'], who: releasers },
  setMinimum: { from: ['ON_SHELF', 'PHASED'], who: releasers },
}

const systemMoves: Partial<Record<VersionAction, VersionState[]>> = {
  passPrecheck: ['PRECHECK'],
  failPrecheck: ['PRECHECK'],
  releaseOnTime: ['PENDING_RELEASE'],
  releaseTogether: ['PENDING_RELEASE'],
  expire: ['PENDING_RELEASE'],
  supersede: ['ON_SHELF', 'SHELF_OFF_REVIEW', 'PHASED'],
  completePhase: ['PHASED'],
  endPhase: ['PHASED'],
  returnToShelf: ['SUPERSEDED'],
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
