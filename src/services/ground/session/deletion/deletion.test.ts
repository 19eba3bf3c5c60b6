import { generate, generateSecret } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { transfer } from '../../teams/transfer/contract.ts'
import { accountCalls } from '../accounts/contract.ts'
import { Browser } from '../browser.testkit.ts'
import { session } from '../contract.ts'
import { passwordCalls } from '../passwords/contract.ts'
import { accountContacts, accountsOf } from '../public.ts'
import { deletionCalls } from './contract.ts'
import { deletionGraceMs, heldUpMs } from './rules.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  // Somebody stays who administers, whoever leaves.
  await administrator()
})
afterAll(() => stage.close())

const administrator = () => stage.person({ staff: ['storeAdministrator'] })
const leader = () => stage.person()
/** Somebody who leads nothing. */
const member = async () => stage.person({ team: (await leader()).teamId, roles: ['developer'] })
const statusOf = async (person: Person) =>
  (
    await stage.sql<{ status: number }>('home', 'SELECT status FROM accounts WHERE account_id = $1', [person.accountId])
  )[0]?.status
const sweep = async () => {
  await stage.booted.worker.sweep()
  await stage.settle()
}
const told = (person: Person) =>
  stage.sql<{ type: string; data: Record<string, unknown> }>(
    'home',
    `SELECT type, data FROM outbox WHERE type ~ '^session.(deletion|account)' AND data->>'accountId' = $1 ORDER BY event_id`,
    [person.accountId],
  )
const signIn = (person: Person) => new Browser(stage.app, '192.0.2.77').signIn(person.loginName, person.password)

describe('asking for the deletion of one’s account', () => {
  it('ends every session at once, tells, and is refused without a fresh proof', async () => {
    const person = await member()
    const other = new Browser(stage.app)
    await other.signIn(person.loginName, person.password)
    stage.clock.turn(5 * 60_000 + 1)
    const late = await person.call(deletionCalls, 'askDeletion')
    expect([late.status, late.body.ret.code]).toEqual([403, 201010004])
    expect(await statusOf(person)).toBe(1)
    await person.ok(session, 'confirm', { body: { password: person.password } })
    const { erasesAt } = await person.ok(deletionCalls, 'askDeletion')
    expect(Math.abs(erasesAt - stage.clock.now() - deletionGraceMs)).toBeLessThan(60_000)
    expect(await statusOf(person)).toBe(3)
    expect([(await person.call(accountCalls, 'getProfile')).status, await other.isSignedIn()]).toEqual([401, false])
    expect(await told(person)).toMatchObject([{ type: 'session.deletion_asked', data: { by: 'self', erasesAt } }])
  })

  it('is refused while a team is led, names it, and is possible once the team was handed over', async () => {
    const person = await leader()
    const heir = await stage.person({ team: person.teamId, roles: ['administrator'] })
    const before = await person.ok(deletionCalls, 'getDeletion')
    expect(before).toMatchObject({ graceMs: deletionGraceMs, isLastAdministrator: false })
    expect(before.teamsLed).toEqual([{ teamId: person.teamId, name: `team ${person.loginName}` }])
    const refused = await person.call(deletionCalls, 'askDeletion')
    expect([refused.status, refused.body.ret.code]).toEqual([422, 201010024])
    expect(refused.body.ret.msg).toContain(`team ${person.loginName}`)
    expect([await statusOf(person), await told(person)]).toEqual([1, []])
    await person.ok(transfer, 'changeMainUser', { body: { action: 'offer', accountId: heir.accountId } })
    await heir.ok(transfer, 'changeMainUser', { body: { action: 'accept' } })
    expect((await person.ok(deletionCalls, 'getDeletion')).teamsLed).toEqual([])
    await person.ok(deletionCalls, 'askDeletion')
  })

  it('is not possible for the only administrator, nor for two at once who would leave none', async () => {
    await stage.sql('home', `UPDATE accounts SET staff_roles = '{}'`)
    const one = await administrator()
    const refused = await one.call(deletionCalls, 'askDeletion')
    expect([refused.status, refused.body.ret.code]).toEqual([422, 201010025])
    expect(await one.ok(deletionCalls, 'getDeletion')).toMatchObject({ isLastAdministrator: true, teamsLed: [] })
    const two = await administrator()
    const statuses = await Promise.all(
      [one, two].map(who => who.call(deletionCalls, 'askDeletion').then(r => r.status)),
    )
    expect(statuses.sort()).toEqual([200, 422])
  })

  it('mails no new password meanwhile, but what happens to the account still reaches its owner', async () => {
    const person = await member()
    await stage.sql('home', `UPDATE accounts SET email = 'leaving@mail.example' WHERE account_id = $1`, [
      person.accountId,
    ])
    await person.ok(deletionCalls, 'askDeletion')
    await stage.anybody.ok(passwordCalls, 'forgotPassword', { body: { account: 'leaving@mail.example' } })
    await stage.settle()
    expect((await stage.mails()).filter(mail => mail.text.includes('/#/reset?'))).toEqual([])
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const contacts = await ctx.transact(inner => accountContacts(inner, [person.accountId]))
    expect(contacts.map(one => one.email)).toEqual(['leaving@mail.example'])
  })
})

describe('an account that is to be deleted', () => {
  it('is kept by who proves to be its owner, and by nobody who only knows its name', async () => {
    const person = await member()
    const { erasesAt } = await person.ok(deletionCalls, 'askDeletion')
    const wrong = await new Browser(stage.app, '192.0.2.78').signIn(person.loginName, 'wrong')
    expect(wrong.json().ret.code).toBe(204101001)
    const refused = await signIn(person)
    expect([refused.statusCode, refused.json().ret.code, refused.json().erasesAt]).toEqual([403, 201010009, erasesAt])
    expect(refused.cookies.filter(cookie => cookie.name.endsWith('agc_sid'))).toEqual([])
    const body = { ticket: refused.json().ticket }
    expect((await stage.anybody.call(deletionCalls, 'keepAccount', { body: { ticket: 'guessed' } })).status).toBe(400)
    const used = await Promise.all(
      Array.from({ length: 10 }, () => stage.anybody.call(deletionCalls, 'keepAccount', { body }).then(r => r.status)),
    )
    expect(used.filter(status => status === 200)).toHaveLength(1)
    expect(await statusOf(person)).toBe(1)
    expect((await signIn(person)).statusCode).toBe(200)
    expect((await told(person)).map(event => event.type)).toEqual([
      'session.deletion_asked',
      'session.deletion_cancelled',
    ])
    stage.clock.turn(deletionGraceMs + 1)
    await sweep()
    expect(await statusOf(person)).toBe(1)
  })

  it('asks for the second factor before it can be kept', async () => {
    const person = await member()
    const secret = generateSecret()
    const sealed = stage.booted.server.masterKey.seal('authenticator', person.accountId, secret)
    await person.ok(deletionCalls, 'askDeletion')
    await stage.sql('home', 'INSERT INTO authenticators (account_id, secret, created_at) VALUES ($1, $2, 0)', [
      person.accountId,
      sealed,
    ])
    const step = (await signIn(person)).json()
    expect([step.ret.code, step.erasesAt]).toEqual([201010001, undefined])
    const code = await generate({ secret, epoch: Math.floor(stage.clock.now() / 1000) })
    const refused = await stage.anybody.call(session, 'secondFactor', { body: { ticket: step.ticket, code } })
    expect([refused.status, refused.body.ret.code]).toEqual([403, 201010009])
    const { ticket } = refused.body as unknown as { ticket: string }
    await stage.anybody.ok(deletionCalls, 'keepAccount', { body: { ticket } })
    expect(await statusOf(person)).toBe(1)
  })

  it('is seen by staff and kept by them; who is no staff sees nothing', async () => {
    const staff = await administrator()
    const person = await member()
    await person.ok(deletionCalls, 'askDeletion')
    const { list, total } = await staff.ok(deletionCalls, 'listDeletions', { query: { state: 'asked', pageSize: 100 } })
    const walked: string[] = []
    for (let cursor: string | undefined; walked.length < 50; ) {
      const page = await staff.ok(deletionCalls, 'listDeletions', { query: { pageSize: 2, ...(cursor && { cursor }) } })
      walked.push(...page.list.map(one => one.accountId))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(walked.slice(0, total)).toEqual(list.map(one => one.accountId))
    expect(new Set(walked).size).toBe(walked.length)
    expect((await staff.call(deletionCalls, 'listDeletions', { query: { cursor: 'x' } })).status).toBe(400)
    const row = list.find(one => one.accountId === person.accountId)
    expect(row).toMatchObject({ name: person.loginName, isAskedBySelf: true, allowedActions: ['cancel'] })
    expect((await (await leader()).call(deletionCalls, 'listDeletions')).status).toBe(403)
    const input = { params: { accountId: person.accountId }, body: { revision: row?.revision ?? 0 } }
    expect((await staff.call(deletionCalls, 'cancelDeletion', { ...input, body: { revision: 99 } })).status).toBe(409)
    expect(await staff.ok(deletionCalls, 'cancelDeletion', input)).toMatchObject({ state: 'cancelled' })
    expect((await staff.call(deletionCalls, 'cancelDeletion', input)).status).toBe(404)
    expect((await signIn(person)).statusCode).toBe(200)
  })

  it('that staff marked is no owner’s to keep, and is kept when staff open it', async () => {
    const staff = await administrator()
    const [person, lead] = [await member(), await leader()]
    const change = (who: Person, status: number, revision: number) =>
      staff.call(accountCalls, 'setAccountStatus', { params: { accountId: who.accountId }, body: { status, revision } })
    expect((await change(lead, 3, 1)).body.ret.code).toBe(201010024)
    expect(await statusOf(lead)).toBe(1)
    expect((await change(person, 3, 1)).status).toBe(200)
    const refused = (await signIn(person)).json()
    expect([refused.ret.code, refused.ticket]).toEqual([201010009, undefined])
    expect((await change(person, 1, 2)).status).toBe(200)
    expect((await told(person)).map(event => [event.type, event.data['by']])).toEqual([
      ['session.deletion_asked', 'staff'],
      ['session.deletion_cancelled', 'staff'],
    ])
    expect((await signIn(person)).statusCode).toBe(200)
  })
})

describe('when the grace is over', () => {
  it('an account that leads a team again is held up, until the team is handed over', async () => {
    const person = await member()
    await person.ok(deletionCalls, 'askDeletion')
    const lead = (accountId: string) =>
      stage.sql('home', 'UPDATE teams SET leader_account_id = $2 WHERE team_id = $1', [person.teamId, accountId])
    const [{ leader_account_id: before = '' } = {}] = await stage.sql<{ leader_account_id: string }>(
      'home',
      'SELECT leader_account_id FROM teams WHERE team_id = $1',
      [person.teamId],
    )
    await lead(person.accountId)
    stage.clock.turn(deletionGraceMs + 1)
    await sweep()
    expect(await statusOf(person)).toBe(3)
    const rows = () => stage.sql('home', 'SELECT * FROM account_deletions WHERE account_id = $1', [person.accountId])
    expect(await rows()).toMatchObject([{ state: 'asked', is_held_up: true }])
    await lead(before)
    stage.clock.turn(heldUpMs + 1)
    await sweep()
    expect(await rows()).toMatchObject([{ state: 'erased', asked_by: person.accountId }])
    expect(await statusOf(person)).toBeUndefined()
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    expect(await ctx.transact(inner => accountsOf(inner, [person.accountId]))).toEqual([])
  })

  it('accounts that were marked before this was kept wait their time from now on', async () => {
    const person = await member()
    await stage.sql('home', 'UPDATE accounts SET status = 3 WHERE account_id = $1', [person.accountId])
    await sweep()
    expect(await statusOf(person)).toBe(3)
    stage.clock.turn(deletionGraceMs + 1)
    await sweep()
    expect(await statusOf(person)).toBeUndefined()
  })
})
