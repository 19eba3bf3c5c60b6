import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { Browser, tokenIn } from '../browser.testkit.ts'
import { session } from '../contract.ts'
import { accountContacts, openSetUp } from '../public.ts'
import { accountCalls } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const password = 'three arches and a well'

describe('an empty installation', () => {
  it('is set up once with the token of its log', async () => {
    const { server } = stage.booted
    server.config.firstRun = 'set-up'
    const spent = tokenIn((await openSetUp(server)) ?? '')
    const token = tokenIn((await openSetUp(server)) ?? '')
    const browser = new Browser(stage.app)
    expect((await browser.call(session, 'signInOptions')).json().needsSetUp).toBe(true)
    const body = { loginName: 'Keeper', name: 'Keeper', password }
    for (const wrong of [spent, 'guessed'.repeat(6)]) {
      expect((await browser.call(accountCalls, 'setUp', { ...body, token: wrong })).statusCode).toBe(400)
    }
    const weak = await browser.call(accountCalls, 'setUp', { ...body, password: 'Loggia99', token })
    expect(weak.json().fields).toMatchObject([{ pointer: '/password', rule: 'product' }])
    const statuses = await Promise.all(
      Array.from({ length: 10 }, () =>
        browser.call(accountCalls, 'setUp', { ...body, token }).then(one => one.statusCode),
      ),
    )
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(await openSetUp(server)).toBeNull()
    expect((await browser.call(session, 'signInOptions')).json().needsSetUp).toBe(false)
    expect((await browser.signIn('keeper', password)).statusCode).toBe(200)
    expect((await browser.call(accountCalls, 'listAccounts')).json()).toMatchObject({ total: 1 })
    server.config.firstRun = 'seed'
  })
})

describe('signing up', () => {
  it('is closed unless the operator opens it', async () => {
    const body = { email: 'new@mail.example' }
    expect((await stage.anybody.call(accountCalls, 'startSignUp', { body })).status).toBe(403)
    const finish = { token: 'x'.repeat(43), name: 'New', password }
    expect((await stage.anybody.call(accountCalls, 'signUp', { body: finish })).status).toBe(403)
  })

  it('makes an account of the mailed link, and says nothing of an address that has one', async () => {
    stage.booted.server.config.signUp = 'open'
    const ask = (email: string) => stage.anybody.ok(accountCalls, 'startSignUp', { body: { email, language: 'ru' } })
    expect(await ask('vera@mail.example')).toEqual({ ret: { code: 0, msg: 'success' } })
    await stage.settle()
    const mail = (await stage.mails()).at(-1)
    expect(mail).toMatchObject({ to: 'vera@mail.example', subject: 'Завершите регистрацию' })
    const token = tokenIn(mail?.text ?? '')
    const body = { token, name: 'Vera', password, language: 'ru' as const }
    const made = await stage.anybody.ok(accountCalls, 'signUp', { body })
    expect(made.loginName).toBe('vera@mail.example')
    expect((await stage.anybody.call(accountCalls, 'signUp', { body })).status).toBe(400)
    const vera = new Browser(stage.app)
    expect((await vera.signIn('VERA@mail.example', password)).statusCode).toBe(200)
    expect((await vera.call(accountCalls, 'getProfile')).json()).toMatchObject({
      email: 'vera@mail.example',
      language: 'ru',
      verifyRealState: 0,
      status: 1,
    })
    expect(await ask('vera@mail.example')).toEqual({ ret: { code: 0, msg: 'success' } })
    await stage.settle()
    const told = (await stage.mails()).at(-1)
    expect(told?.subject).toBe('У вас уже есть учётная запись')
    expect(told?.text).not.toContain('token=')
    stage.booted.server.config.signUp = 'closed'
  })
})

describe('a profile', () => {
  it('takes over an address only when its mail was read, and right after a proof', async () => {
    const person = await stage.person()
    const email = 'moved@mail.example'
    await person.ok(accountCalls, 'startEmail', { body: { email } })
    await stage.settle()
    expect((await person.ok(accountCalls, 'getProfile')).email).toBeNull()
    const token = tokenIn((await stage.mails()).at(-1)?.text ?? '')
    expect((await stage.anybody.ok(accountCalls, 'confirmEmail', { body: { token } })).email).toBe(email)
    expect((await stage.anybody.call(accountCalls, 'confirmEmail', { body: { token } })).status).toBe(400)
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const contacts = await ctx.transact(inner => accountContacts(inner, [person.accountId, '42']))
    expect(contacts).toEqual([
      { accountId: person.accountId, email, phone: null, name: person.loginName, language: 'en' },
    ])
    stage.clock.turn(5 * 60_000 + 1)
    expect((await person.call(accountCalls, 'startEmail', { body: { email } })).status).toBe(403)
  })

  it('tells the address it had before that mails go elsewhere now', async () => {
    const person = await stage.person()
    const move = async (email: string) => {
      await person.ok(accountCalls, 'startEmail', { body: { email } })
      await stage.settle()
      const proof = (await stage.mails()).findLast(mail => mail.to.includes(email))
      await stage.anybody.ok(accountCalls, 'confirmEmail', { body: { token: tokenIn(proof?.text ?? '') } })
      await stage.settle()
    }
    const told = async () => (await stage.mails()).filter(mail => mail.subject === 'Your address was changed')
    const toldBefore = (await told()).length
    await move('first@mail.example')
    expect(await told()).toHaveLength(toldBefore)
    await move('second@mail.example')
    const mails = (await told()).slice(toldBefore)
    expect(mails.map(mail => mail.to)).toEqual(['first@mail.example'])
    expect(mails[0]?.text).toContain(person.loginName)
  })

  it('changes by revision, and takes no fields it does not name', async () => {
    const person = await stage.person()
    const { revision } = await person.ok(accountCalls, 'getProfile')
    const body = { name: 'Mira', language: 'zh' as const, phone: '+49 30 1234567', revision }
    expect(await person.ok(accountCalls, 'updateProfile', { body })).toMatchObject({
      name: 'Mira',
      revision: revision + 1,
    })
    expect((await person.call(accountCalls, 'updateProfile', { body })).status).toBe(409)
    for (const field of ['status', 'staffRoles', 'verifyRealState', 'passwordHash', 'accountId', 'email']) {
      const more = { ...body, revision: revision + 1, [field]: 'x' } as never
      expect((await person.call(accountCalls, 'updateProfile', { body: more })).status).toBe(400)
    }
  })
})

describe('an account that staff close', () => {
  it.each([
    [2, 403, 201010007],
    [3, 403, 201010009],
    [4, 403, 201010008],
    [6, 200, 0],
  ])('with status %i is out at once, and a sign-in answers %i', async (status, answer, code) => {
    const staff = await stage.person({ staff: ['storeAdministrator'] })
    const person = await stage.person({ team: (await stage.person()).teamId })
    const { list } = await staff.ok(accountCalls, 'listAccounts', { query: { search: person.loginName } })
    expect(list).toHaveLength(1)
    const input = { params: { accountId: person.accountId }, body: { status, revision: list[0]?.revision ?? 1 } }
    await staff.ok(accountCalls, 'setAccountStatus', input)
    const refused = await person.call(accountCalls, 'getProfile')
    expect([refused.status, refused.headers['x-auth-reason']]).toEqual([401, 'accessToken invalid'])
    const reply = await new Browser(stage.app).signIn(person.loginName, person.password)
    expect([reply.statusCode, reply.json().ret.code]).toEqual([answer, code])
    expect((await new Browser(stage.app).signIn(person.loginName, 'wrong')).json().ret.code).toBe(204101001)
    expect((await staff.call(accountCalls, 'setAccountStatus', input)).status).toBe(409)
  })

  it('is never the own one, nor done by who may not', async () => {
    const staff = await stage.person({ staff: ['storeAdministrator'] })
    const own = { params: { accountId: staff.accountId }, body: { status: 2, revision: 1 } }
    expect((await staff.call(accountCalls, 'setAccountStatus', own)).status).toBe(422)
    const reviewer = await stage.person({ staff: ['reviewer'] })
    expect((await reviewer.call(accountCalls, 'setAccountStatus', own)).status).toBe(403)
  })
})
