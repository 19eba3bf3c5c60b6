import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { developerSupport } from './contract.ts'
import support from './jobs.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

const verify = (who: Person, address: string, code?: string) =>
  who.call(developerSupport, 'verifyContact', { body: { address, ...(code ? { code } : {}) } })

async function mailed(address: string): Promise<string> {
  await stage.settle()
  const mail = (await stage.mails()).filter(one => one.to === address).at(-1)
  return /\b(\d{6})\b/.exec(mail?.subject ?? '')?.[1] ?? ''
}

describe('a contact of the team', () => {
  it('is proven by the code that its address got', async () => {
    expect((await verify(owner, 'Help@Example.com')).body).toMatchObject({ state: 'SENT', address: 'help@example.com' })
    const code = await mailed('help@example.com')
    expect((await verify(owner, 'help@example.com', code)).body).toMatchObject({ state: 'VALID', expiresAt: null })
    expect((await verify(owner, 'help@example.com', code)).body.ret.code).toBe(201150001)
  })

  it('a wrong code costs a try, and after five even the right one is of no use', async () => {
    await verify(owner, 'tries@example.com')
    const code = await mailed('tries@example.com')
    const wrong = code === '000000' ? '000001' : '000000'
    const states = []
    for (let tries = 0; tries < 5; tries++) states.push((await verify(owner, 'tries@example.com', wrong)).body.state)
    expect(states).toEqual(['WRONG', 'WRONG', 'WRONG', 'WRONG', 'USED_UP'])
    expect((await verify(owner, 'tries@example.com', code)).body.state).toBe('USED_UP')
  })

  it('gets a code a minute at most, which holds for ten', async () => {
    await verify(owner, 'often@example.com')
    const again = await verify(owner, 'often@example.com')
    expect([again.status, again.body.ret.code]).toEqual([429, 201150002])
    const code = await mailed('often@example.com')
    stage.clock.turn(10 * 60_000)
    expect((await verify(owner, 'often@example.com', code)).body.ret.code).toBe(201150001)
  })

  it('is of one team: the code of another is none', async () => {
    const other = await stage.person()
    await verify(owner, 'shared@example.com')
    const code = await mailed('shared@example.com')
    expect((await verify(other, 'shared@example.com', code)).body.ret.code).toBe(201150001)
    expect((await verify(owner, 'shared@example.com', code)).body.state).toBe('VALID')
  })

  it('is listed for its team with how far it is proven, the tries left and when the next code can be sent', async () => {
    const team = await stage.person()
    const listed = async (who = team) => {
      const { list, total } = await who.ok(developerSupport, 'listContacts')
      return { total, states: Object.fromEntries(list.map(one => [one.address, one.state])), list }
    }
    for (const address of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
      await verify(team, address)
    }
    await verify(team, 'b@example.com', await mailed('b@example.com'))
    const wrong = (await mailed('c@example.com')) === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries++) await verify(team, 'c@example.com', wrong)
    await verify(team, 'd@example.com', (await mailed('d@example.com')) === '000000' ? '000001' : '000000')
    const now = await listed()
    expect(now).toMatchObject({
      total: 4,
      states: {
        'a@example.com': 'WAITING',
        'b@example.com': 'VERIFIED',
        'c@example.com': 'USED_UP',
        'd@example.com': 'WAITING',
      },
    })
    const d = now.list.find(one => one.address === 'd@example.com')
    expect([d?.triesLeft, (d?.availableAt ?? 0) - (d?.sentAt ?? 0)]).toEqual([4, 60_000])
    expect((await listed(await stage.person())).total).toBe(0)
    stage.clock.turn(10 * 60_000)
    expect((await listed()).states).toMatchObject({ 'a@example.com': 'EXPIRED', 'b@example.com': 'VERIFIED' })
  })

  it('is removed by its team, but not to get a second code within the minute', async () => {
    const team = await stage.person()
    const remove = (who: Person) =>
      who.call(developerSupport, 'removeContact', { query: { address: 'Gone@example.com' } })
    await verify(team, 'gone@example.com')
    expect((await remove(await stage.person())).status).toBe(404)
    const early = await remove(team)
    expect([early.status, early.body.ret.code]).toEqual([429, 201150004])
    stage.clock.turn(60_000)
    expect((await remove(team)).body.address).toBe('gone@example.com')
    expect((await remove(team)).status).toBe(404)
    expect((await team.ok(developerSupport, 'listContacts')).list).toEqual([])
  })

  it('is one of fifty at most', async () => {
    const team = await stage.person()
    for (let at = 0; at < 50; at++) expect((await verify(team, `contact${at}@example.com`)).status).toBe(200)
    const more = await verify(team, 'more@example.com')
    expect([more.status, more.body.ret.code]).toEqual([422, 201150003])
  })

  it('no code stands in the database in plain', async () => {
    await verify(owner, 'sealed@example.com')
    const code = await mailed('sealed@example.com')
    const rows = await stage.sql('CN', 'SELECT * FROM support_contacts')
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`)
  })

  it('goes with the account that gave it', async () => {
    const member = await stage.person({ team: owner.teamId, roles: ['developer'] })
    await verify(member, 'mine@example.com')
    await stage.settle()
    const kept = async () =>
      (await stage.sql('CN', `SELECT address FROM support_contacts WHERE address = 'mine@example.com'`)).length
    expect(await kept()).toBe(1)
    const forget = support.listeners?.[0]
    const event = { eventId: '1', type: 'session.account_forgotten', teamId: null, entity: 'account', actor: 'system' }
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await ctx.transact(inner => forget?.run(inner, { ...event, entityId: member.accountId, data: {}, at: 0 }) as never)
    expect(await kept()).toBe(0)
  })

  it.each(['no address', 'a@b', 'a@b.c\r\nBcc: x@y.z', `${'a'.repeat(250)}@example.com`])(
    '%j is refused',
    async address => {
      expect((await verify(owner, address)).status).toBe(400)
    },
  )
})
