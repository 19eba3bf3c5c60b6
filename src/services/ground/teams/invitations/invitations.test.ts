import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { session } from '../../session/contract.ts'
import { members } from '../members/contract.ts'
import { invitations, invitationsV2 } from './contract.ts'
import { maskedAddress } from './rules.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
})
afterAll(() => stage.close())

let made = 0
const freshAddress = () => `guest${++made}@invited.example`

async function tokenMailedTo(address: string): Promise<string> {
  await stage.settle()
  const link = /#\/invitation\/([A-Za-z0-9_-]{22})/
  const mail = (await stage.mails()).findLast(one => one.to === address && link.test(one.text))
  return link.exec(mail?.text ?? '')?.[1] ?? ''
}

async function invited(address = freshAddress(), roles = ['developer']) {
  const { invitation } = await leader.ok(invitations, 'createInvitation', { body: { address, roles } })
  return { address, invitation, token: await tokenMailedTo(address) }
}

/** Somebody with an account of that very address, made by the invitation of yet another team. */
async function personAt(address: string): Promise<Person> {
  const { member, firstPassword } = await (await stage.person()).ok(members, 'addMember', {
    body: { loginName: address, name: 'Invited', roles: ['analyst'] },
  })
  const reply = await stage.app.inject({
    method: 'POST',
    url: '/oauth2/v1/login',
    payload: { account: address, password: firstPassword },
  })
  const cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
  const nobody = await stage.person()
  const who = { ...nobody, accountId: member.accountId, cookie, csrfToken: reply.json().csrfToken, teamId: '' }
  return stage.at(stage.booted, who)
}

describe('an invitation by mail', () => {
  it('reaches the invited person alone: nothing of the token is answered or kept', async () => {
    const address = freshAddress()
    const sent = await leader.call(invitations, 'createInvitation', { body: { address, roles: ['developer'] } })
    expect(sent.body.link).toBeNull()
    const token = await tokenMailedTo(address)
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    expect(sent.text).not.toContain(token)
    const tables = ['invitations', 'jobs', 'outbox', 'audit', 'idempotency']
    for (const table of tables) {
      const rows = await stage.sql('home', `SELECT to_jsonb(t)::text AS text FROM ${table} t`)
      expect(rows.some(row => row['text'].includes(token))).toBe(false)
    }
  })

  it('carries the address that is configured, whatever Host was sent', async () => {
    const address = freshAddress()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await leader.ok(invitations, 'createInvitation', { body: { address, roles: ['developer'] }, headers })
    await stage.settle()
    const text = (await stage.mails()).findLast(one => one.to === address)?.text ?? ''
    expect(text).toContain('http://localhost:8080/#/invitation/')
    expect(text).not.toContain('evil')
  })

  it.each([
    ['zh', '邀请您加入团队', '七天内有效'],
    ['en', 'invites you to the team', 'within seven days'],
    ['ru', 'приглашает вас в команду', 'в течение семи дней'],
  ] as const)('is written in %s when the inviter chooses so', async (language, subject, text) => {
    const address = freshAddress()
    await leader.ok(invitations, 'createInvitation', { body: { address, roles: ['developer'], language } })
    await stage.settle()
    const mail = (await stage.mails()).findLast(one => one.to === address)
    expect(mail?.subject).toContain(subject)
    expect(mail?.text).toContain(text)
    expect(mail?.text).toMatch(/http:\/\/localhost:8080\/#\/invitation\/[\w-]{22}\n/)
  })

  it('is written as the invited person chose for mails, else as the inviter did', async () => {
    const [inviter, address, known] = [await stage.person(), freshAddress(), freshAddress()]
    const choose = (accountId: string, language: string) =>
      stage.sql('home', 'UPDATE accounts SET language = $2 WHERE account_id = $1', [accountId, language])
    await choose(inviter.accountId, 'ru')
    await choose((await personAt(known)).accountId, 'zh')
    const languageOf = async (to: string) =>
      (await inviter.ok(invitations, 'createInvitation', { body: { address: to, roles: ['analyst'] } })).invitation
        .language
    expect([await languageOf(address), await languageOf(known)]).toEqual(['ru', 'zh'])
    await stage.settle()
    const subjects = (await stage.mails()).filter(one => one.text.includes('/#/invitation/') && one.to === address)
    expect(subjects.map(one => one.subject)).toEqual([
      `${inviter.loginName} приглашает вас в команду «team ${inviter.loginName}»`,
    ])
  })

  it('tells who holds it what it is about, and no more', async () => {
    const { token, address } = await invited()
    const told = await stage.anybody.ok(invitations, 'readInvitation', { body: { token } })
    expect(told).toMatchObject({
      address: maskedAddress(address),
      roles: ['developer'],
      state: 'open',
      hasAccount: false,
    })
    const guessed = await stage.anybody.call(invitations, 'readInvitation', { body: { token: 'A'.repeat(22) } })
    expect(guessed.status).toBe(404)
  })

  it('lets somebody without an account make one and join', async () => {
    const { token, address } = await invited()
    const body = { token, name: 'Newcomer', password: 'a long enough secret 7' }
    const joined = await stage.anybody.ok(invitations, 'acceptWithNewAccount', { body })
    expect(joined).toMatchObject({ teamId: leader.teamId, loginName: address })
    const signedIn = await stage.anybody.ok(session, 'login', { body: { account: address, password: body.password } })
    expect(signedIn.teamId).toBe(leader.teamId)
    const { list } = await leader.ok(members, 'listMembers', { query: { search: 'Newcomer' } })
    expect(list[0]).toMatchObject({ roles: ['developer'], status: 'active' })
  })

  it('is accepted by the invited address and by nobody else who holds the link', async () => {
    const address = freshAddress()
    const guest = await personAt(address)
    const { token } = await invited(address)
    const thief = await stage.person()
    const stolen = await thief.call(invitations, 'acceptInvitation', { body: { token } })
    expect([stolen.status, stolen.body.ret.code]).toEqual([403, 204111009])
    const body = { token, name: 'Thief', password: 'a long enough secret 7' }
    const made = await stage.anybody.call(invitations, 'acceptWithNewAccount', { body })
    expect(made.body.ret.code).toBe(204111020)
    expect(await guest.ok(invitations, 'acceptInvitation', { body: { token } })).toMatchObject({
      teamId: leader.teamId,
    })
  })

  it('is accepted once in a burst of forty', async () => {
    const address = freshAddress()
    const guest = await personAt(address)
    const { token } = await invited(address)
    const other = stage.at(await stage.another(), guest)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? guest : other).call(invitations, 'acceptInvitation', { body: { token } }),
      ),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(reply => reply.status !== 200).map(reply => reply.body.ret.code))).toEqual(
      new Set([204111008]),
    )
    const joins = await stage.sql<{ n: number }>(
      'home',
      "SELECT count(*)::int AS n FROM outbox WHERE type = 'team.member_joined' AND entity_id = $1 AND team_id = $2",
      [guest.accountId, leader.teamId],
    )
    expect(joins[0]?.n).toBe(1)
  })

  it('ends after seven days', async () => {
    const { token, invitation } = await invited()
    stage.clock.turn(7 * 86_400_000 + 1)
    leader = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const body = { token, name: 'Late', password: 'a long enough secret 7' }
    const late = await stage.anybody.call(invitations, 'acceptWithNewAccount', { body })
    expect([late.status, late.body.ret.code]).toEqual([422, 204111003])
    const told = await stage.anybody.ok(invitations, 'readInvitation', { body: { token } })
    expect(told.state).toBe('expired')
    await stage.booted.worker.sweep()
    const [row] = await stage.sql('home', 'SELECT state FROM invitations WHERE invitation_id = $1', [
      invitation.invitationId,
    ])
    expect(row?.['state']).toBe('expired')
  })

  it('that is sent again has another link, and the one before ends', async () => {
    const { token, address, invitation } = await invited()
    const { invitationId } = invitation
    const hasty = await leader.call(invitations, 'resendInvitation', { body: { invitationId } })
    expect([hasty.status, hasty.body.ret.code]).toEqual([429, 204111019])
    stage.clock.turn(31_000)
    await leader.ok(invitationsV2, 'resendInvitation', { body: { invitationId } })
    const second = await tokenMailedTo(address)
    expect(second).not.toBe(token)
    expect((await stage.anybody.call(invitations, 'readInvitation', { body: { token } })).status).toBe(404)
    expect((await stage.anybody.ok(invitations, 'readInvitation', { body: { token: second } })).state).toBe('open')
  })

  it('is sent only to who is neither invited nor a member', async () => {
    const { address } = await invited()
    const again = await leader.call(invitations, 'createInvitation', {
      body: { address: address.toUpperCase(), roles: ['analyst'] },
    })
    expect([again.status, again.body.ret.code]).toEqual([409, 204111012])
    const wrong = await leader.call(invitations, 'createInvitation', {
      body: { address: 'nowhere', roles: ['analyst'] },
    })
    expect([wrong.status, wrong.body.fields?.[0]?.pointer]).toEqual([400, '/address'])
  })

  it('brings a removed member back', async () => {
    const address = freshAddress()
    const guest = await personAt(address)
    const first = await invited(address)
    await guest.ok(invitations, 'acceptInvitation', { body: { token: first.token } })
    await leader.ok(members, 'removeMember', { query: { accountId: guest.accountId } })
    const second = await invited(address, ['analyst'])
    await guest.ok(invitations, 'acceptInvitation', { body: { token: second.token } })
    const { list } = await leader.ok(members, 'listMembers', { query: { search: address, pageSize: 100 } })
    expect(list.find(one => one.accountId === guest.accountId)).toMatchObject({ status: 'active', roles: ['analyst'] })
  })
})

describe('an invitation by phone', () => {
  it('gives its link to the inviter once, for there is nobody else to send it', async () => {
    const sent = await leader.ok(invitations, 'createInvitation', {
      body: { address: '+4915112345678', roles: ['analyst'] },
    })
    expect(sent.link).toMatch(/^http:\/\/localhost:8080\/#\/invitation\/[A-Za-z0-9_-]{22}$/)
    expect(sent.invitation).toMatchObject({ channel: 'phone', sent: 1 })
  })
})

describe('invitations', () => {
  it('are at most fifty open ones in a team, however many are sent at once', async () => {
    const owner = await stage.person()
    const burst = (size: number) =>
      Promise.all(
        Array.from({ length: size }, () =>
          owner.call(invitations, 'createInvitation', { body: { address: freshAddress(), roles: ['analyst'] } }),
        ),
      )
    const replies = [...(await burst(15)), ...(await burst(15)), ...(await burst(15)), ...(await burst(15))]
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(50)
    expect(replies.filter(reply => reply.body.ret.code === 204110026)).toHaveLength(10)
    const { list } = await owner.ok(invitations, 'listInvitations', { query: { state: 'open', pageSize: 1 } })
    await owner.ok(invitations, 'cancelInvitation', { query: { invitationId: list[0]?.invitationId ?? '' } })
    await owner.ok(invitations, 'createInvitation', { body: { address: freshAddress(), roles: ['analyst'] } })
  })

  it('grant nothing that their sender lacks', async () => {
    const administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const body = { address: freshAddress(), roles: ['leader'] }
    expect((await administrator.call(invitations, 'createInvitation', { body })).body.ret.code).toBe(204111002)
    const developer = await stage.person({ team: leader.teamId, roles: ['developer'] })
    expect((await developer.call(invitations, 'createInvitation', { body })).status).toBe(403)
  })

  it('of another team are neither seen nor canceled', async () => {
    const { invitation } = await invited()
    const { invitationId } = invitation
    const stranger = await stage.person()
    expect((await stranger.ok(invitations, 'listInvitations')).total).toBe(0)
    expect((await stranger.call(invitations, 'cancelInvitation', { query: { invitationId } })).status).toBe(404)
    expect((await stranger.call(invitations, 'resendInvitation', { body: { invitationId } })).status).toBe(404)
  })
})

describe('the life of an invitation', () => {
  const bodyOf = { token: '', name: 'Anybody', password: 'a long enough secret 7' }
  const act = {
    resend: (invitationId: string) => leader.call(invitations, 'resendInvitation', { body: { invitationId } }),
    cancel: (invitationId: string) => leader.call(invitations, 'cancelInvitation', { query: { invitationId } }),
    accept: (_: string, token: string) =>
      stage.anybody.call(invitations, 'acceptWithNewAccount', { body: { ...bodyOf, token } }),
    decline: (_: string, token: string) => stage.anybody.call(invitations, 'declineInvitation', { body: { token } }),
  }
  const ends = { accepted: 'accept', declined: 'decline', canceled: 'cancel' } as const
  const actions = Object.keys(act) as (keyof typeof act)[]

  it.each(actions)('lets an open one be %s', async action => {
    const { token, invitation } = await invited()
    stage.clock.turn(31_000)
    expect((await act[action](invitation.invitationId, token)).status).toBe(200)
  })

  it.each(
    (Object.keys(ends) as (keyof typeof ends)[]).flatMap(state => actions.map(action => [state, action] as const)),
  )('refuses of one that was %s to %s it', async (state, action) => {
    const { token, invitation } = await invited()
    await act[ends[state]](invitation.invitationId, token)
    const reply = await act[action](invitation.invitationId, token)
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204111008])
  })
})
