import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '../../../../kernel/wire.ts'
import type { DatabaseName } from '../../../../server/database/pools.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { invitations } from '../../teams/invitations/contract.ts'
import { members } from '../../teams/members/contract.ts'
import { accountCalls } from '../accounts/contract.ts'
import { Browser, tokenIn } from '../browser.testkit.ts'
import { passwordCalls } from '../passwords/contract.ts'
import { realNameCalls } from '../real-names/contract.ts'
import { deletionCalls } from './contract.ts'
import { deletionGraceMs } from './rules.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  await stage.person({ staff: ['storeAdministrator'] })
})
afterAll(() => stage.close())

const ip = '192.0.2.79'
const former = 'erasable@mail.example'
const address = 'erasable.later@mail.example'
const phone = '+49307654321'
const agent = 'ErasablePhone/1.0'
const password = 'a long enough secret 7'
/** Anything that tells of the person: addresses, names, telephone, documents, devices, network address. */
const traces = /erasable|7654321|C01X00T47|192\.0\.2\.79/i

const dayMs = 86_400_000
const databases: DatabaseName[] = ['home', 'CN', 'DE']

/** Every column of every table, the queue's too, as text: a new table is looked at without being named here. */
async function tablesThatTell(): Promise<string[]> {
  const found: string[] = []
  for (const database of databases) {
    const tables = await stage.sql<{ table: string }>(
      database,
      `SELECT format('%I.%I', n.nspname, c.relname) AS table FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
    )
    for (const { table } of tables) {
      const rows = await stage.sql<{ text: string }>(database, `SELECT to_jsonb(t)::text AS text FROM ${table} t`)
      if (rows.some(row => traces.test(row.text))) found.push(`${database} ${table}`)
    }
  }
  return found.sort()
}

async function sweep(): Promise<void> {
  await stage.booted.worker.sweep()
  await stage.settle()
}

async function mailTo(to: string): Promise<string> {
  await stage.settle()
  return (await stage.mails()).findLast(one => one.to === to)?.text ?? ''
}

const invite = (leader: Person, to: string) =>
  leader.ok(invitations, 'createInvitation', {
    body: { address: to, roles: ['administrator'] },
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
  })
const tokenOf = (text: string) => /#\/invitation\/([\w-]{22})/.exec(text)?.[1] ?? ''

/** Joins by invitation, fills in what can be filled in, works in two zones, and is invited again and again. */
async function live(leader: Person): Promise<{ browser: Browser; accountId: string }> {
  await invite(leader, former)
  const token = tokenOf(await mailTo(former))
  const browser = new Browser(stage.app, ip)
  const joined = await browser.call(invitations, 'acceptWithNewAccount', { token, name: 'Erasable Person', password })
  expect(joined.statusCode).toBe(200)
  await browser.signIn(former, 'wrong')
  const signedIn = await browser.send(
    'POST',
    '/oauth2/v1/login',
    { account: former, password },
    { 'user-agent': agent },
  )
  const { accountId } = signedIn.json()
  const { revision } = (await browser.call(accountCalls, 'getProfile')).json()
  const profile = { name: 'Erasable Person II', phone: '+49 30 7654321', language: 'ru', revision }
  const individual = {
    ...{ fullName: 'Erasable Person', country: 'DE' },
    ...{ documentType: 'passport', documentNumber: 'C01X00T47' },
  }
  const later = { current: password, password: `${password} more` }
  await expectAll([
    await browser.call(accountCalls, 'updateProfile', profile),
    await browser.call(realNameCalls, 'submitRealName', { kind: 'individual', individual, revision: 0 }),
    await browser.call(passwordCalls, 'changePassword', later),
    await browser.call(accountCalls, 'startEmail', { email: address }),
    ...(await Promise.all(['', '/de'].map(zone => addApp(browser, zone, leader.teamId)))),
  ])
  const proof = { token: tokenIn(await mailTo(address)) }
  await expectAll([await browser.call(accountCalls, 'confirmEmail', proof)])
  return { browser, accountId }
}

function addApp(browser: Browser, zone: string, teamId: string) {
  const app = { appName: 'Beacon', icon: '', storeUrl: 'https://example.com/beacon', platform: 'ANDROID' }
  const body = { ...app, packageName: 'com.example.beacon' }
  return browser.send('PUT', `${zone}/amis/non-ag/non-ag-app/v1/update`, body, { [headers.team]: teamId })
}

async function expectAll(replies: readonly { statusCode: number; body: string }[]): Promise<void> {
  expect(replies.filter(reply => reply.statusCode !== 200).map(reply => reply.body)).toEqual([])
}

/** Invitations that nobody took: open, called off, declined, run out, and one to the telephone. */
async function askAgain(): Promise<string[]> {
  const people = (count: number) => Promise.all(Array.from({ length: count }, () => stage.person()))
  const [declined, canceled, expired] = (await people(3)) as [Person, Person, Person]
  await invite(declined, address)
  const token = tokenOf(await mailTo(address))
  await expectAll([await new Browser(stage.app, ip).call(invitations, 'declineInvitation', { token })])
  const { invitation } = await invite(canceled, address.toUpperCase())
  await canceled.ok(invitations, 'cancelInvitation', { query: { invitationId: invitation.invitationId } })
  await invite(expired, address)
  stage.clock.turn(deletionGraceMs - dayMs)
  await sweep()
  const [open, called] = (await people(2)) as [Person, Person]
  await invite(open, address)
  await invite(called, phone)
  return [declined, canceled, expired, open, called].map(leader => leader.teamId)
}

describe('an erased account', () => {
  it('leaves a number behind: no table of any database tells its names, addresses or devices', async () => {
    const leader = await stage.person()
    await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const { browser, accountId } = await live(leader)
    await expectAll([await browser.call(deletionCalls, 'askDeletion')])
    const inviting = await askAgain()
    for (const database of databases)
      await stage.sql(
        database,
        `INSERT INTO idempotency (owner, call, key, body_sha256, answer, expires_at) VALUES ($1, 'c', 'k', '', $2, $3)`,
        [`${ip}:`, { loginName: former }, stage.clock.now() + dayMs],
      )
    await stage.settle()
    expect(await tablesThatTell()).toEqual(
      expect.arrayContaining(['CN public.audit', 'CN public.notices', 'DE public.audit', 'home public.audit']),
    )
    const before = await auditOf(accountId)
    stage.clock.turn(dayMs + 60_000)
    for (let round = 0; round < 2; round++) await sweep()
    expect(await tablesThatTell()).toEqual([])
    const mails = JSON.stringify(await stage.mails())
    expect(mails).not.toMatch(/erasable/i)
    const after = await auditOf(accountId)
    expect(after).toEqual(expect.arrayContaining(before))
    const actions = after.map(row => row.action)
    const kept = ['account.create', 'session.login', 'account.update', 'account.deletion', 'nonAgApp.add']
    expect(actions).toEqual(expect.arrayContaining([...kept, 'account_deletion.erase', 'member.remove']))
    const asked = await stage.sql('home', 'SELECT state, address FROM invitations WHERE team_id = ANY($1)', [inviting])
    expect(asked.map(row => `${row['state']} ${row['address']}`).sort()).toEqual([
      'canceled ',
      'declined ',
      'expired ',
      'expired ',
      'expired ',
    ])
  })

  it('takes no address of others with it, and can be asked for anew', async () => {
    const leader = await stage.person()
    const { browser } = await live(leader)
    await expectAll([await browser.call(deletionCalls, 'askDeletion')])
    stage.clock.turn(deletionGraceMs + 60_000)
    await sweep()
    const others = await stage.sql('home', 'SELECT FROM audit WHERE actor = $1 AND ip IS NOT NULL', [
      `user:${leader.accountId}`,
    ])
    expect(others.length).toBeGreaterThan(0)
    expect((await browser.signIn(former, `${password} more`)).json().ret.code).toBe(204101001)
    const keeper = await stage.person({ team: leader.teamId, roles: ['administrator'] })
    const { list } = await keeper.ok(members, 'listMembers')
    expect(list.map(one => one.accountId)).toEqual([leader.accountId, keeper.accountId])
    expect((await invite(keeper, former)).invitation.address).toBe(former)
  })
})

/** Who did what and when, in every database, without the network addresses. */
async function auditOf(accountId: string): Promise<{ action: string; id: string; actor: string; at: string }[]> {
  const found = await Promise.all(
    databases.map(database =>
      stage.sql<{ action: string; id: string; actor: string; at: string }>(
        database,
        'SELECT audit_id AS id, at, actor, action FROM audit WHERE entity_id = $1 OR actor = $2',
        [accountId, `user:${accountId}`],
      ),
    ),
  )
  return found.flat()
}
