import { expect, it } from 'vitest'
import type { Contract } from '../../../kernel/contract.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { members } from '../../ground/teams/members/contract.ts'

/** What would be sent to each call about one app. */
export type Asked = Readonly<Record<string, { query?: object; body?: object; params?: object }>>

/** Somebody of the leader's team with every right of an administrator, who reaches only these apps. */
export async function scopedMember(stage: Stage, leader: Person, apps: string[]): Promise<Person> {
  const person = await stage.person({ team: leader.teamId, roles: ['administrator'] })
  await stage.settle()
  const scope = { projects: [], apps }
  const body = { accountId: person.accountId, roles: ['administrator'], scope, revision: 1 }
  await leader.ok(members, 'setUserPermission', { body })
  return person
}

/**
 * One sentence a call: about an app out of reach it answers as about another team's. A call of the team that is neither
 * here nor among the `others`, which name no app, fails.
 */
export function refusesOutOfReach(contract: Contract, asked: () => { person: Person; calls: Asked }, others: string[]) {
  const names = Object.keys(contract.calls).filter(name => contract.calls[name]?.who === 'cp' && !others.includes(name))
  it.each(names)('%s', async name => {
    const { person, calls } = asked()
    expect(Object.keys(calls)).toContain(name)
    const reply = await person.call(contract, name, calls[name] as never)
    expect([name, reply.status]).toEqual([name, 404])
  })
}
