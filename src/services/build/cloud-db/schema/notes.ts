import { mayInsert, reachOf, type Standing } from '../objects/rights.ts'
import type { ObjectType } from './contract.ts'
import { rights } from './rules.ts'

const callers: readonly { who: string; standing: Standing }[] = [
  { who: 'nobody signed in', standing: { isAdministrator: false, uid: null } },
  { who: 'a signed-in user', standing: { isAdministrator: false, uid: 'u' } },
  { who: 'servers and the console', standing: { isAdministrator: true } },
]

const over = { all: 'all rows', own: 'own rows', none: 'no row' } as const

/** What the matrix comes to, caller by caller: `a signed-in user: Read all rows, Upsert own rows, Delete own rows`. */
export function notesOf(type: ObjectType): string[] {
  return callers.map(({ who, standing }) => {
    const parts = rights.map(right => `${right} ${over[reachOf(type, standing, right)]}`)
    return `${who}: ${parts.join(', ')}${mayInsert(type, standing) ? '' : '; adds none'}`
  })
}
