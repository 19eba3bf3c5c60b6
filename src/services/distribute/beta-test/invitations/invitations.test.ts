import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import type { Person } from '../../../../testkit/stage.ts'
import { day, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { betaPeople } from '../people/contract.ts'
import { limits } from '../rules.ts'
import { betaTester } from '../tester/contract.ts'
import { tokenMailedTo } from '../tokens.testkit.ts'
import { betaInvitations } from './contract.ts'

let scene: TestScene
let anybody: Person
beforeAll(async () => {
  scene = await openTestScene()
  anybody = scene.stage.anybody
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = betaInvitations
const people = async (groupId: string) =>
  (await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId } })).list
const statesOf = async (groupId: string) =>
  Object.fromEntries((await people(groupId)).map(user => [user.account, user.state]))
const mailsTo = async (account: string) => (await scene.stage.mails()).filter(mail => mail.to === account).length
const view = (token: string) => anybody.call(betaTester, 'viewInvitation', { body: { token } })
const accept = (token: string) => anybody.call(betaTester, 'acceptInvitation', { body: { token } })
const linkOf = async (groupId: string, limit = 10, wish = {}) => {
  const link = await scene.owner.ok(betaInvitations, 'createLink', { params: { groupId }, body: { limit, ...wish } })
  return { ...link, token: tokenIn(link.page ?? '') }
}
const tokenIn = (page: string) => new URLSearchParams(page.slice(page.indexOf('?'))).get('token') ?? ''
const askToJoin = (token: string, account: string) =>
  anybody.call(betaTester, 'askToJoin', { body: { token, account, language: 'en' } })
const confirm = (token: string) => anybody.call(betaTester, 'confirmJoin', { body: { token } })
/** Asks, reads the mail, and answers it. */
async function join(token: string, account: string) {
  expect((await askToJoin(token, account)).status).toBe(200)
  await scene.stage.settle()
  return confirm(await tokenMailedTo(scene.stage, account))
}
async function personOf(email: string): Promise<Person> {
  const person = await scene.stage.person()
  await scene.stage.sql('home', 'UPDATE accounts SET email = $2 WHERE account_id = $1', [person.accountId, email])
  return person
}
const invite = async (groupId: string) => {
  const answer = await scene.owner.call(betaInvitations, 'inviteGroup', { params: { groupId } })
  await scene.stage.settle()
  return answer
}

describe('an invitation by mail', () => {
  it('goes to everybody of the group once, and is answered with yes or no on its page', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['ann@example.org', 'bob@example.org'])
    expect((await invite(groupId)).body).toMatchObject({ invited: 2 })
    expect(await statesOf(groupId)).toEqual({ 'ann@example.org': 'INVITED', 'bob@example.org': 'INVITED' })
    const [ann, bob] = [
      await tokenMailedTo(scene.stage, 'ann@example.org'),
      await tokenMailedTo(scene.stage, 'bob@example.org'),
    ]
    expect((await view(ann)).body).toMatchObject({ kind: 'person', state: 'INVITED', address: 'an•••@example.org' })
    expect((await statesOf(groupId))['ann@example.org']).toBe('INVITED')
    expect((await accept(ann)).status).toBe(200)
    await anybody.ok(betaTester, 'declineInvitation', { body: { token: bob } })
    expect(await statesOf(groupId)).toEqual({ 'ann@example.org': 'ACCEPTED', 'bob@example.org': 'DECLINED' })
    expect((await accept(bob)).status).toBe(200)
    expect((await statesOf(groupId))['bob@example.org']).toBe('ACCEPTED')
  })

  it('is sent again to who did not answer, not before a day has passed', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['slow@example.org'])
    await invite(groupId)
    const early = await invite(groupId)
    expect([early.status, codeOf(early)]).toEqual([422, errors.nobodyToInvite[0]])
    await scene.turn(limits.inviteAgainMs)
    expect((await invite(groupId)).status).toBe(200)
    expect(await mailsTo('slow@example.org')).toBe(2)
  })

  it('goes to chosen people, and one of another team refuses the whole', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['one@example.org', 'two@example.org'])
    const ids = (await people(groupId)).map(user => user.userId)
    const mixed = await scene.owner.call(betaInvitations, 'inviteUsers', { body: { userIds: [ids[0]!, '999'] } })
    expect(mixed.status).toBe(404)
    await scene.owner.ok(betaInvitations, 'inviteUsers', { body: { userIds: [ids[0]!] } })
    await scene.stage.settle()
    expect([await mailsTo('two@example.org'), await mailsTo('one@example.org')]).toEqual([1, 0])
  })

  it('opens nothing after thirty days, or when its person is taken out or leaves', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['late@example.org', 'out@example.org', 'gone@example.org'])
    await invite(groupId)
    const [late, out, gone] = [
      await tokenMailedTo(scene.stage, 'late@example.org'),
      await tokenMailedTo(scene.stage, 'out@example.org'),
      await tokenMailedTo(scene.stage, 'gone@example.org'),
    ]
    const userId = (await people(groupId)).find(user => user.account === 'out@example.org')?.userId ?? ''
    await scene.owner.ok(betaPeople, 'removeUser', { query: { userId } })
    expect([(await view(out)).status, (await accept(out)).status]).toEqual([404, 404])
    await accept(gone)
    expect(await anybody.ok(betaTester, 'leaveTests', { body: { token: gone } })).toMatchObject({ hasLeft: true })
    expect([(await view(gone)).status, (await accept(gone)).status]).toEqual([404, 404])
    await scene.turn(limits.inviteMs)
    expect([(await view(late)).status, (await accept(late)).status]).toEqual([404, 404])
  })

  it('is accepted by the account of its address alone', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['ann@example.org'])
    await invite(groupId)
    const token = await tokenMailedTo(scene.stage, 'ann@example.org')
    const eve = await personOf('eve@example.org')
    const other = await eve.call(betaInvitations, 'subscribe', { body: { token } })
    expect([other.status, codeOf(other), other.text.includes('ann@example.org')]).toEqual([
      403,
      errors.otherAddress[0],
      false,
    ])
    const nobody = await scene.stage.person()
    expect(codeOf(await nobody.call(betaInvitations, 'subscribe', { body: { token } }))).toBe(errors.noAddress[0])
    const ann = await personOf('Ann@Example.org')
    await ann.ok(betaInvitations, 'subscribe', { body: { token } })
    expect(await statesOf(groupId)).toEqual({ 'ann@example.org': 'ACCEPTED' })
    expect(await eve.ok(betaInvitations, 'unsubscribe', { body: { token } })).toMatchObject({ hasLeft: false })
    expect(await ann.ok(betaInvitations, 'unsubscribe', { body: { token } })).toMatchObject({ hasLeft: true })
    expect(await statesOf(groupId)).toEqual({ 'ann@example.org': 'UNSUBSCRIBED' })
  })

  it('whose account is erased leaves nothing of its person', async () => {
    const groupId = await scene.group('Team', 'EXTERNAL', ['ann@example.org'])
    await invite(groupId)
    const ann = await personOf('ann@example.org')
    const token = await tokenMailedTo(scene.stage, 'ann@example.org')
    await ann.ok(betaInvitations, 'subscribe', { body: { token } })
    await forget(ann.accountId)
    await scene.stage.settle()
    expect(await people(groupId)).toEqual([])
  })
})

/** The event as the session service writes it. */
async function forget(accountId: string): Promise<void> {
  await systemContext(scene.stage.booted.server, 'CN', { name: 'test' }).transact(async inner => {
    inner.emit({ type: 'session.account_forgotten', entity: 'account', entityId: accountId, data: { accountId } })
  })
}

describe('a link', () => {
  it('lets people in whose address is proven by a mail, as many as it may', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId, 2)
    expect((await view(token)).body).toMatchObject({ kind: 'link', state: null, address: null })
    await askToJoin(token, 'fay@example.org')
    await scene.stage.settle()
    expect(await people(groupId)).toEqual([])
    const joined = await confirm(await tokenMailedTo(scene.stage, 'fay@example.org'))
    expect(joined.body).toMatchObject({ token: expect.stringMatching(/^u/) })
    expect((await view(joined.body.token)).body).toMatchObject({ kind: 'person', state: 'ACCEPTED' })
    expect((await join(token, 'gus@example.org')).status).toBe(200)
    const full = await join(token, 'hal@example.org')
    expect([full.status, codeOf(full)]).toEqual([422, 101])
    expect((await view(token)).status).toBe(422)
    expect(await statesOf(groupId)).toEqual({ 'fay@example.org': 'ACCEPTED', 'gus@example.org': 'ACCEPTED' })
  })

  it('lets in no more than its places when many answer at once', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId, 3)
    const accounts = Array.from({ length: 8 }, (_, at) => `r${at}@example.org`)
    for (const account of accounts) await askToJoin(token, account)
    await scene.stage.settle()
    const tokens = await Promise.all(accounts.map(account => tokenMailedTo(scene.stage, account)))
    const replies = await Promise.all(tokens.map(confirm))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(3)
    expect(await people(groupId)).toHaveLength(3)
  })

  it('’s mail is answered once: of many answers at once one is taken, and none later', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId)
    await askToJoin(token, 'fay@example.org')
    await scene.stage.settle()
    const mailed = await tokenMailedTo(scene.stage, 'fay@example.org')
    const replies = await Promise.all(Array.from({ length: 10 }, () => confirm(mailed)))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect((await confirm(mailed)).status).toBe(404)
    expect((await scene.owner.ok(betaInvitations, 'listLinks', { params: { groupId } })).list[0]?.used).toBe(1)
  })

  it('answers the same for whoever asks, and mails nobody twice at once', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', ['known@example.org', 'outed@example.org'])
    const out = (await people(groupId)).find(user => user.account === 'outed@example.org')?.userId ?? ''
    await scene.owner.ok(betaPeople, 'removeUser', { query: { userId: out } })
    const { token } = await linkOf(groupId)
    const accounts = ['known@example.org', 'outed@example.org', 'new@example.org', 'new@example.org', 'NEW@example.org']
    const replies = []
    for (const account of accounts) replies.push(await askToJoin(token, account))
    await scene.stage.settle()
    const said = replies.map(({ status, body }) => JSON.stringify([status, body]))
    expect(new Set(said).size).toBe(1)
    const counts = await Promise.all(['known@example.org', 'outed@example.org', 'new@example.org'].map(mailsTo))
    expect(counts).toEqual([1, 0, 1])
  })

  it('mails one address five times a day at most, over all links', async () => {
    for (let at = 0; at < 7; at++) {
      const { token } = await linkOf(await scene.group(`Group ${at}`, 'EXTERNAL', []))
      expect((await askToJoin(token, 'victim@example.org')).status).toBe(200)
    }
    await scene.stage.settle()
    expect(await mailsTo('victim@example.org')).toBe(limits.joinMailsOfAddress)
  })

  it('leads to this server alone, whatever the request says of its host', async () => {
    const { token } = await linkOf(await scene.group('Friends', 'EXTERNAL', []))
    const body = { token, account: 'host@example.org' }
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp', forwarded: 'host=evil.example' }
    await anybody.ok(betaTester, 'askToJoin', { body, headers: { ...headers, host: 'evil.example' } })
    await scene.stage.settle()
    const mail = (await scene.stage.mails()).findLast(one => one.to === 'host@example.org')
    expect(mail?.text).toContain('http://localhost:8080/#/app/openTest?')
    expect(mail?.text).not.toContain('evil')
  })

  it('takes no more requests than five hundred that nobody has answered', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId, 10_000)
    const now = scene.stage.clock.now()
    await scene.stage.sql(
      'CN',
      `INSERT INTO beta_joins (join_id, team_id, app_id, group_id, account, nickname, language, mails, mailed_at, expires_at)
      SELECT $5::bigint + n, $1, $2, $3, 'flood' || n || '@example.org', '', 'en', 1, $4::bigint, $4::bigint + 60000 FROM generate_series(1, 500) n`,
      [scene.owner.teamId, scene.appId, groupId, now, scene.stage.booted.server.ids.next()],
    )
    const more = await askToJoin(token, 'fay@example.org')
    expect([more.status, codeOf(more)]).toEqual([429, errors.joinsMany[0]])
    await scene.turn(2 * day)
    expect(await scene.stage.sql('CN', 'SELECT 1 FROM beta_joins WHERE group_id = $1', [groupId])).toEqual([])
    expect((await askToJoin(token, 'fay@example.org')).status).toBe(200)
  })

  it('lets in no more than its places over two processes', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId, 2)
    const accounts = Array.from({ length: 6 }, (_, at) => `s${at}@example.org`)
    for (const account of accounts) await askToJoin(token, account)
    await scene.stage.settle()
    const there = scene.stage.at(await scene.stage.another(), anybody)
    const tokens = await Promise.all(accounts.map(account => tokenMailedTo(scene.stage, account)))
    const replies = await Promise.all(
      tokens.map((mailed, at) =>
        (at % 2 ? there : anybody).call(betaTester, 'confirmJoin', { body: { token: mailed } }),
      ),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(2)
    expect(await people(groupId)).toHaveLength(2)
  })

  it('does not bring back whom the developer took out', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId)
    await askToJoin(token, 'eve@example.org')
    await scene.stage.settle()
    const mailed = await tokenMailedTo(scene.stage, 'eve@example.org')
    await scene.owner.ok(betaPeople, 'addGroupUsers', {
      params: { groupId },
      body: { users: [{ account: 'eve@example.org' }] },
    })
    const userId = (await people(groupId))[0]?.userId ?? ''
    await scene.owner.ok(betaPeople, 'removeUser', { query: { userId } })
    expect(codeOf(await confirm(mailed))).toBe(errors.wasRemoved[0])
    const eve = await personOf('eve@example.org')
    expect(codeOf(await eve.call(betaInvitations, 'subscribe', { body: { token } }))).toBe(errors.wasRemoved[0])
  })

  it('takes in who has an account without a mail, with his own address', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const { token } = await linkOf(groupId, 1)
    const ida = await personOf('ida@example.org')
    const first = await ida.ok(betaInvitations, 'subscribe', { body: { token } })
    const again = await ida.ok(betaInvitations, 'subscribe', { body: { token } })
    expect(again.token).toBe(first.token)
    expect((await scene.owner.ok(betaInvitations, 'listLinks', { params: { groupId } })).list[0]?.used).toBe(1)
  })

  it('is one at a time, of an external group, for thirty days at most', async () => {
    const inside = await scene.group('Team', 'INTERNAL', [])
    const call = (groupId: string, body: { limit: number; expiresAt?: number }) =>
      scene.owner.call(betaInvitations, 'createLink', { params: { groupId }, body })
    expect(codeOf(await call(inside, { limit: 5 }))).toBe(errors.internalByLink[0])
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const expiresAt = scene.stage.clock.now() + limits.inviteMs + 1000
    expect(codeOf(await call(groupId, { limit: 5, expiresAt }))).toBe(errors.tooLong[0])
    expect((await call(groupId, { limit: 10_001 })).status).toBe(400)
    const replies = await Promise.all(Array.from({ length: 5 }, () => call(groupId, { limit: 5 })))
    expect(replies.map(codeOf).sort((a, b) => a - b)).toEqual([0, 100, 100, 100, 100])
  })

  it('that was ended or whose time has passed opens nothing, and another can be made', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', [])
    const first = await linkOf(groupId)
    const params = { groupId }
    await scene.owner.ok(betaInvitations, 'revokeLink', { params, query: { linkId: first.linkId } })
    expect([(await view(first.token)).status, (await askToJoin(first.token, 'fay@example.org')).status]).toEqual([
      404, 404,
    ])
    const twice = await scene.owner.call(betaInvitations, 'revokeLink', { params, query: { linkId: first.linkId } })
    expect(twice.status).toBe(422)
    const second = await linkOf(groupId, 5, { expiresAt: scene.stage.clock.now() + day })
    await scene.turn(day)
    expect((await view(second.token)).status).toBe(404)
    const third = await linkOf(groupId)
    const { list } = await scene.owner.ok(betaInvitations, 'listLinks', { params })
    expect(list.map(one => [one.linkId, one.state, one.allowedActions])).toEqual([
      [third.linkId, 'LIVE', ['revoke']],
      [second.linkId, 'EXPIRED', []],
      [first.linkId, 'REVOKED', []],
    ])
  })
})

describe('a guessed token', () => {
  it('opens nothing, of whichever kind, and looks like one that has ended', async () => {
    const groupId = await scene.group('Friends', 'EXTERNAL', ['ann@example.org'])
    await invite(groupId)
    const { token, linkId } = await linkOf(groupId)
    const own = await tokenMailedTo(scene.stage, 'ann@example.org')
    const mac = own.slice(own.indexOf('-') + 1)
    const userId = own.slice(1, own.indexOf('-'))
    const guesses = [
      `l${linkId}-${mac}`,
      `u${linkId}-${token.slice(token.indexOf('-') + 1)}`,
      `j${userId}-${mac}`,
      `o${userId}-${mac}`,
      `u${Number(BigInt(userId) % 1_000_000n)}-${mac}`,
      `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`,
      'a1',
      'u',
      '__proto__',
    ]
    const replies = await Promise.all(
      guesses.flatMap(guess => [view(guess), accept(guess), confirm(guess), askToJoin(guess, 'eve@example.org')]),
    )
    for (const reply of replies) expect([400, 404]).toContain(reply.status)
    const said = (await Promise.all(guesses.slice(0, 6).map(view))).map(reply => [reply.status, codeOf(reply)])
    expect(new Set(said.map(one => one.join(' '))).size).toBe(1)
    expect(await statesOf(groupId)).toEqual({ 'ann@example.org': 'INVITED' })
  })
})
