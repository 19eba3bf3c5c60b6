import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { memberLifeCycle } from '../rules.ts'
import { members } from './contract.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

const actions = ['change', 'suspend', 'restore', 'remove', 'leave'] as const

async function memberIn(state: 'active' | 'suspended' | 'removed') {
  const person = await stage.person({ team: leader.teamId, roles: ['developer'] })
  await stage.sql('home', 'UPDATE members SET status = $1 WHERE account_id = $2', [state, person.accountId])
  stage.booted.server.signals.tellHere('home', 'teams', person.accountId)
  return person
}

function act(person: Person, action: (typeof actions)[number]) {
  const { accountId } = person
  const revision = 1
  if (action === 'leave') return person.call(members, 'leaveTeam')
  if (action === 'remove') return leader.call(members, 'removeMember', { query: { accountId } })
  const change =
    action === 'change'
      ? { roles: ['analyst'] }
      : { status: action === 'suspend' ? ('suspended' as const) : ('active' as const) }
  return leader.call(members, 'updateMember', { body: { accountId, revision, ...change } })
}

describe('each state and action of a member', () => {
  const cases = memberLifeCycle.states.flatMap(state => actions.map(action => [action, state] as const))
  it.each(cases)('%s when %s', async (action, state) => {
    const person = await memberIn(state)
    const reply = await act(person, action)
    const may = (right: string) => right !== 'system'
    const move = memberLifeCycle.moves.find(
      one => one.action === action && (one.from as readonly string[]).includes(state),
    )
    const isRepeat = (action === 'suspend' && state === 'suspended') || (action === 'restore' && state === 'active')
    // Who is suspended or removed reaches no call of the team any more, leaving included.
    const expected = action === 'leave' && state !== 'active' ? 403 : move || isRepeat ? 200 : 422
    expect([reply.status, allowedActions(memberLifeCycle, state, may).includes(action)]).toEqual([
      expected,
      move !== undefined,
    ])
    const [row] = await stage.sql<{ status: string }>('home', 'SELECT status FROM members WHERE account_id = $1', [
      person.accountId,
    ])
    expect(row?.status).toBe(expected === 200 && move ? move.to : state)
  })
})
