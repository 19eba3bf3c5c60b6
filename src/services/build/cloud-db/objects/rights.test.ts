import { describe, expect, it } from 'vitest'
import { field, key, matrix, typed } from '../cloud-db.testkit.ts'
import { type Right, type Role, rights, roles } from '../schema/rules.ts'
import { mayInsert, mayTouch, reachOf, type Standing } from './rights.ts'

const letters: Record<Right, string> = { Read: 'R', Upsert: 'U', Delete: 'D' }
const callers: Record<string, Standing> = {
  nobody: { isAdministrator: false, uid: null },
  u1: { isAdministrator: false, uid: 'u1' },
  server: { isAdministrator: true },
}

/** The brief's words, said again in another way. */
function expected(
  has: (role: Role, right: Right) => boolean,
  caller: string,
  right: Right,
  creator: string | null,
): boolean {
  if (caller === 'server') return has('Administrator', right)
  if (has('World', right)) return true
  if (caller === 'nobody') return false
  return has('Authenticated', right) || (has('Creator', right) && creator === caller)
}

describe('the rights matrix', () => {
  it('decides every right of every caller over every row, for all 4,096 matrices', () => {
    for (let bits = 0; bits < 4096; bits++) {
      const has = (role: Role, right: Right) => ((bits >> (roles.indexOf(role) * 3 + rights.indexOf(right))) & 1) === 1
      const given = Object.fromEntries(
        roles.map(role => [
          role,
          rights
            .filter(right => has(role, right))
            .map(right => letters[right])
            .join(''),
        ]),
      )
      const type = { ...typed('T', [key('id')]), permissions: matrix(given) }
      for (const [caller, standing] of Object.entries(callers)) {
        for (const right of rights) {
          const reach = reachOf(type, standing, right)
          for (const creator of ['u1', 'u2', null]) {
            const decided = mayTouch(reach, standing, creator)
            if (decided !== expected(has, caller, right, creator)) {
              expect({ given, caller, right, creator, decided }).toBe('as the brief says')
            }
          }
        }
        const inserts =
          caller === 'server'
            ? has('Administrator', 'Upsert')
            : has('World', 'Upsert') ||
              (caller === 'u1' && (has('Authenticated', 'Upsert') || has('Creator', 'Upsert')))
        expect(mayInsert(type, standing)).toBe(inserts)
      }
    }
  })

  it('gives World and Authenticated nothing where a field is encrypted by the app, whatever is written', () => {
    const type = {
      ...typed('T', [key('id'), field('a', 'String', { isNeedEncrypt: true })]),
      permissions: matrix({ World: 'RUD', Authenticated: 'RUD', Creator: 'R' }),
    }
    expect(reachOf(type, callers['nobody'] as Standing, 'Read')).toBe('none')
    expect(reachOf(type, callers['u1'] as Standing, 'Read')).toBe('own')
    expect(reachOf(type, callers['u1'] as Standing, 'Upsert')).toBe('none')
  })
})
