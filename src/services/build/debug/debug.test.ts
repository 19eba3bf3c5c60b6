import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { session } from '../../ground/session/contract.ts'
import { members } from '../../ground/teams/members/contract.ts'
import { cloudSwitches, debugging } from './contract.ts'
import { stateOf } from './rules.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const read = (token: string) => stage.anybody.call(debugging, 'readDebugToken', bearer(token))

describe('a debugging token', () => {
  it('says whose it is for fifteen minutes, and its uses are counted', async () => {
    const { token, expiresIn, scopes } = await leader.ok(debugging, 'issueDebugToken', { query: { target: 'phone-1' } })
    expect([expiresIn, scopes]).toEqual([900, ['functions.debug', 'device.debug', 'logs.tail']])
    expect((await read(token)).body).toMatchObject({
      accountId: leader.accountId,
      teamId: leader.teamId,
      target: 'phone-1',
    })
    const { list } = await leader.ok(debugging, 'listDebugSessions', { query: { state: 'OPEN' } })
    expect(list).toMatchObject([{ target: 'phone-1', uses: 1, state: 'OPEN', isOwn: true }])
    await stage.clock.turn(901_000)
    expect((await read(token)).body.ret.code).toBe(330401001)
    expect((await leader.ok(debugging, 'listDebugSessions', { query: { state: 'EXPIRED' } })).total).toBe(1)
  })

  it('is one for a target: the one before ends, of forty at once one is left', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 40 }, () => leader.ok(debugging, 'issueDebugToken', { query: { target: 'race' } })),
    )
    const good = await Promise.all(tokens.map(async one => (await read(one.token)).status))
    expect(good.filter(status => status === 200)).toHaveLength(1)
  })

  it('forged, of nobody or ended is refused in one and the same words', async () => {
    const { token, sessionId } = await leader.ok(debugging, 'issueDebugToken', { query: { target: 'forged' } })
    const sum = token.split('_').at(-1) ?? ''
    for (const bad of ['', 'x', `lgd_17_${sum}`, `lgd_${sessionId}_${'A'.repeat(43)}`, token.toUpperCase()])
      expect((await read(bad)).body.ret.code).toBe(330401001)
    const other = await stage.person()
    expect((await other.call(debugging, 'endDebugSession', { query: { sessionId } })).status).toBe(404)
    await leader.ok(debugging, 'endDebugSession', { query: { sessionId } })
    expect((await read(token)).body.ret.code).toBe(330401001)
  })

  it('ends with the sign-out, and when rights change', async () => {
    const member = await stage.person({ team: leader.teamId, roles: ['developer'] })
    const { token } = await member.ok(debugging, 'issueDebugToken', {})
    const { list } = await leader.ok(members, 'listMembers', { query: {} })
    expect(list.length).toBeGreaterThan(1)
    await member.ok(session, 'logout')
    await stage.settle()
    expect((await read(token)).body.ret.code).toBe(330401001)
  })

  it('is refused above twenty open ones', async () => {
    const busy = await stage.person()
    for (let at = 0; at < 20; at++) await busy.ok(debugging, 'issueDebugToken', { query: { target: `t${at}` } })
    expect((await busy.call(debugging, 'issueDebugToken', { query: { target: 'more' } })).body.ret.code).toBe(330429001)
  })
})

it('the switches of a zone are read by members, and by tools with a token for them alone', async () => {
  const own = await leader.ok(cloudSwitches, 'readCloudSwitches')
  expect(own).toMatchObject({ zone: 'CN', switches: { storageSwitch: expect.any(Boolean) } })
  const { token } = await leader.ok(cloudSwitches, 'issueSwitchToken')
  const tool = await stage.anybody.ok(cloudSwitches, 'readSwitchesByToken', bearer(token))
  expect(tool.switches).toEqual(own.switches)
  const { token: other } = await leader.ok(debugging, 'issueDebugToken', {})
  const wrong = await stage.anybody.call(cloudSwitches, 'readSwitchesByToken', bearer(other))
  expect(wrong.body.ret.code).toBe(330401001)
})

it.each([
  [null, 2, 'OPEN'],
  [null, 1, 'EXPIRED'],
  [1, 2, 'CLOSED'],
] as const)('a session ended at %s that runs to %d is %s at 1', (endedAt, expiresAt, state) =>
  expect(stateOf({ endedAt, expiresAt }, 1)).toBe(state),
)
