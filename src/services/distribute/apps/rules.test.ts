import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import { permissionMatrix, permissionsOf, staffMatrix } from '../../ground/teams/rules.ts'
import { isGameKind, isTag, kinds, lineOf } from './kinds.ts'
import {
  type AppState,
  appFacts,
  appLifeCycle,
  developStatusOf,
  isPackageName,
  ownBlocks,
  type PackageType,
  targetBlocks,
} from './rules.ts'

describe('package names', () => {
  const cases: [PackageType, string, boolean][] = [
    ['ANDROID', 'org.example.notes', true],
    ['ANDROID', 'a.b', true],
    ['ANDROID', 'org', false],
    ['ANDROID', 'org.1example', false],
    ['ANDROID', 'org..example', false],
    ['ANDROID', 'org.example.', false],
    ['ANDROID', `a.${'b'.repeat(253)}`, true],
    ['ANDROID', `a.${'b'.repeat(254)}`, false],
    ['HARMONY', 'org.abc', true],
    ['HARMONY', 'orgabc', false],
    ['HARMONY', '1rg.abc', false],
    ['HARMONY', `a${'b'.repeat(126)}`, true],
    ['HARMONY', `a${'b'.repeat(127)}`, false],
    ['ATOMIC_SERVICE', 'org.abc.hmservice', true],
    ['QUICK_APP', 'org.quick1', true],
    ['QUICK_APP', 'orgquick', false],
    ['NO_PACKAGE', 'org.example', false],
  ]
  it.each(cases)('%s %s', (type, name, isRight) => expect(isPackageName(type, name)).toBe(isRight))
})

describe('the life cycle of an app', () => {
  const leader = permissionsOf(['leader'], permissionMatrix)
  const developer = permissionsOf(['developer'], permissionMatrix)
  const operator = permissionsOf(['storeOperator'], staffMatrix)
  const actions = (
    state: AppState,
    held: ReadonlySet<string>,
    facts = appFacts({ lastShelf: null, openVersionState: null }),
  ) => allowedActions(appLifeCycle, state, permission => held.has(permission), facts)

  it('lets developers edit, leaders delete, and the store freeze', () => {
    expect(actions('ACTIVE', leader)).toEqual(['edit', 'delete'])
    expect(actions('ACTIVE', developer)).toEqual(['edit'])
    expect(actions('ACTIVE', operator)).toEqual(['freeze'])
    expect(actions('FROZEN', leader)).toEqual([])
    expect(actions('FROZEN', operator)).toEqual(['unfreeze'])
    expect([leader, developer, operator].map(held => actions('DELETED', held))).toEqual([[], [], []])
  })

  it('keeps an app that was on shelf or has a version with the store', () => {
    const shelf = { lastShelf: {}, openVersionState: null }
    expect(actions('ACTIVE', leader, appFacts(shelf))).toEqual(['edit'])
    for (const openVersionState of ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE']) {
      expect(actions('ACTIVE', leader, appFacts({ lastShelf: null, openVersionState }))).toEqual(['edit'])
    }
    expect(actions('ACTIVE', leader, appFacts({ lastShelf: null, openVersionState: 'DRAFT' }))).toContain('delete')
  })

  it('says how far an app is', () => {
    const app = { shelf: null, developStatusSaid: null, packageNameSettled: false, openVersionId: null }
    expect(developStatusOf(app)).toBe('NOT_STARTED')
    expect(developStatusOf({ ...app, openVersionId: '1' })).toBe('DEVELOPING')
    expect(developStatusOf({ ...app, packageNameSettled: true })).toBe('DEVELOPING')
    expect(developStatusOf({ ...app, developStatusSaid: 'TESTING', openVersionId: '1' })).toBe('TESTING')
    expect(developStatusOf({ ...app, developStatusSaid: 'TESTING', shelf: {} })).toBe('ON_SHELF')
  })

  it('says what keeps it from another project', () => {
    const app = { state: 'ACTIVE' as const, openVersionState: 'DRAFT', isDemo: false }
    expect(ownBlocks(app)).toEqual([])
    expect(ownBlocks({ state: 'FROZEN', openVersionState: 'IN_REVIEW', isDemo: true })).toEqual([
      'DEMO',
      'FROZEN',
      'SUBMITTED',
    ])
    expect(targetBlocks({ projectId: '1' }, { projectId: '2', isSameZone: true })).toEqual([])
    expect(targetBlocks({ projectId: '1' }, null)).toEqual(['NO_SUCH_PROJECT'])
    expect(targetBlocks({ projectId: '1' }, { projectId: '1', isSameZone: false })).toEqual([
      'SAME_PROJECT',
      'OTHER_ZONE',
    ])
  })
})

describe('the category tree', () => {
  it('has unique ids, known parents, names in three languages and three levels', () => {
    expect(new Set(kinds.map(kind => kind.id)).size).toBe(kinds.length)
    for (const kind of kinds) {
      expect([kind.zh, kind.en, kind.ru].every(name => name.length > 0)).toBe(true)
      expect(lineOf(kind.id)?.length).toBeLessThanOrEqual(3)
      if (kind.parentId !== null) expect(lineOf(kind.parentId)).toBeDefined()
    }
  })

  it('tells games from apps and tags from categories', () => {
    expect([isGameKind(20101), isGameKind(10101), isTag(20101), isTag(201), isTag(2), isTag(99)]).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
    ])
  })
})
