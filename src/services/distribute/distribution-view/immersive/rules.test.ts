import { describe, expect, it } from 'vitest'
import { moveFor } from '../../../../kernel/life-cycle.ts'
import { permissionMatrix, permissionsOf, staffMatrix } from '../../../ground/teams/rules.ts'
import { immersiveActions, immersiveCycle, immersiveStates, pictureMisfit } from './rules.ts'

const allowed: Record<string, string> = {
  'DRAFT edit': 'DRAFT',
  'DRAFT submit': 'AUDITING',
  'AUDITING approve': 'APPROVED',
  'AUDITING reject': 'REJECTED',
  'APPROVED edit': 'DRAFT',
  'REJECTED edit': 'DRAFT',
}

describe('an immersive picture', () => {
  it.each(immersiveStates.flatMap(state => immersiveActions.map(action => [state, action] as const)))(
    'in %s: %s is as the table says',
    (state, action) => {
      const move = moveFor(immersiveCycle, state, action, () => true)
      expect(move?.to).toBe(allowed[`${state} ${action}`])
    },
  )

  it.each([
    ['operations', ['edit', 'submit']],
    ['appAdmin', ['edit', 'submit']],
    ['developer', []],
    ['finance', []],
  ])('of a team is prepared by %s: %j', (role, actions) => {
    const held = permissionsOf([role], permissionMatrix)
    const mine = immersiveActions.filter(action =>
      immersiveStates.some(state => moveFor(immersiveCycle, state, action, may => held.has(may))),
    )
    expect(mine).toEqual(actions)
  })

  it('is decided by reviewers only', () => {
    const held = permissionsOf(['reviewer'], staffMatrix)
    expect(moveFor(immersiveCycle, 'AUDITING', 'approve', may => held.has(may))?.to).toBe('APPROVED')
    const operator = permissionsOf(['storeOperator'], staffMatrix)
    expect(moveFor(immersiveCycle, 'AUDITING', 'approve', may => operator.has(may))).toBeUndefined()
  })

  const fit = { mime: 'image/png', sizeBytes: 1000, width: 1080, height: 1440 }
  it.each([
    [fit, null],
    [{ ...fit, mime: 'image/webp', width: 2160, height: 3840 }, null],
    [{ ...fit, width: 1440, height: 1440 }, null],
    [{ ...fit, width: 1079 }, '1079x1440'],
    [{ ...fit, height: 1439 }, '1080x1439'],
    [{ ...fit, width: 2000, height: 1500 }, '2000x1500'],
    [{ ...fit, height: 4097 }, '1080x4097'],
    [{ ...fit, width: null, height: null }, '?x?'],
    [{ ...fit, mime: 'image/gif' }, 'image/gif'],
    [{ ...fit, sizeBytes: 5_242_881 }, '5242881 bytes'],
  ])('%j is told as %s', (picture, actual) => {
    expect(pictureMisfit(picture)?.actual ?? null).toBe(actual)
  })
})
