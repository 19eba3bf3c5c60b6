import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { teams } from '../contract.ts'
import { members } from '../members/contract.ts'
import { transfer, transferV2 } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function scene() {
  const leader = await stage.person()
  const heir = await stage.person({ team: leader.teamId, roles: ['developer'] })
  const other = await stage.person({ team: leader.teamId, roles: ['administrator'] })
  return { leader, heir, other }
}

const change = (who: Person, action: 'offer' | 'cancel' | 'accept' | 'decline', accountId?: string) =>
  who.call(transfer, 'changeMainUser', { body: { action, ...(accountId && { accountId }) } })

describe('the lead of a team', () => {
  it('goes to who accepts it, and the old leader becomes an administrator', async () => {
    const { leader, heir } = await scene()
    const offered = await change(leader, 'offer', heir.accountId)
    expect(offered.body.offer).toMatchObject({ toAccountId: heir.accountId, allowedActions: ['cancel'] })
    const seen = await heir.ok(transferV2, 'getMainUser')
    expect(seen.offer?.allowedActions).toEqual(['accept', 'decline'])
    const accepted = await change(heir, 'accept')
    expect(accepted.body).toMatchObject({ leader: { accountId: heir.accountId }, offer: null })
    expect((await heir.ok(teams, 'getUserPermission')).userPermission['teams.delete']).toBe('Y')
    expect((await leader.ok(teams, 'getUserPermission')).userRoles).toEqual(['administrator'])
    expect((await leader.call(teams, 'deleteTeam')).status).toBe(403)
    await leader.ok(members, 'leaveTeam')
  })

  it('is held out by the leader alone, after a fresh sign-in', async () => {
    const { leader, heir, other } = await scene()
    expect((await change(other, 'offer', heir.accountId)).status).toBe(403)
    stage.clock.turn(6 * 60_000)
    expect((await change(leader, 'offer', heir.accountId)).status).toBe(403)
    expect((await leader.ok(transfer, 'getMainUser')).offer).toBeNull()
  })

  it('is accepted by nobody but who it is held out to', async () => {
    const { leader, heir, other } = await scene()
    await change(leader, 'offer', heir.accountId)
    for (const who of [leader, other]) expect((await change(who, 'accept')).status).toBe(403)
    expect((await change(other, 'cancel')).status).toBe(403)
    expect((await change(other, 'decline')).status).toBe(403)
  })

  it('is held out to one member at a time, who is active and of the team', async () => {
    const { leader, heir, other } = await scene()
    const stranger = await stage.person()
    expect((await change(leader, 'offer', stranger.accountId)).status).toBe(404)
    expect((await change(leader, 'offer', leader.accountId)).body.ret.code).toBe(204111021)
    expect((await change(leader, 'offer')).status).toBe(400)
    await change(leader, 'offer', heir.accountId)
    const second = await change(leader, 'offer', other.accountId)
    expect([second.status, second.body.ret.code]).toEqual([409, 204111013])
  })

  it('stays after 72 hours without an answer', async () => {
    const { leader, heir } = await scene()
    await change(leader, 'offer', heir.accountId)
    // The session of twelve hours would be over; the offer is put back instead of the clock forward.
    await stage.sql('home', 'UPDATE leader_offers SET expires_at = $1 WHERE team_id = $2', [
      stage.clock.now() - 1,
      leader.teamId,
    ])
    const late = await change(heir, 'accept')
    expect([late.status, late.body.ret.code]).toEqual([422, 204111014])
    await stage.booted.worker.sweep()
    const rows = await stage.sql('home', 'SELECT state FROM leader_offers WHERE team_id = $1', [leader.teamId])
    expect(rows).toEqual([{ state: 'expired' }])
  })

  it.each(['accept', 'decline', 'cancel'] as const)('is not to be answered after %s', async first => {
    const { leader, heir } = await scene()
    await change(leader, 'offer', heir.accountId)
    expect((await change(first === 'cancel' ? leader : heir, first)).status).toBe(200)
    for (const action of ['accept', 'decline', 'cancel'] as const) {
      for (const who of [leader, heir]) expect((await change(who, action)).body.ret.code).toBe(204111014)
    }
  })

  it('is never lost: who hands over, leaves and is handed to at once leave one leader', async () => {
    const { leader, heir } = await scene()
    await change(leader, 'offer', heir.accountId)
    const replies = await Promise.all([
      change(heir, 'accept'),
      heir.call(members, 'leaveTeam'),
      leader.call(members, 'leaveTeam'),
      change(heir, 'accept'),
      heir.call(members, 'leaveTeam'),
    ])
    expect(replies.filter(reply => reply.status >= 500)).toEqual([])
    const [row] = await stage.sql<{ status: string }>(
      'home',
      `SELECT m.status FROM teams t JOIN members m ON m.team_id = t.team_id AND m.account_id = t.leader_account_id
        WHERE t.team_id = $1`,
      [leader.teamId],
    )
    expect(row?.status).toBe('active')
  })
})
