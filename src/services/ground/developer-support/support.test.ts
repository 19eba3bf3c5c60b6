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
