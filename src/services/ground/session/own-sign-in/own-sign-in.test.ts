import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { flip } from '../../menu/switches.testkit.ts'
import { session } from '../contract.ts'
import { providerCalls } from '../providers/contract.ts'
import { closeProviders, openProvider, secret } from '../providers/openid.testkit.ts'
import { putPasskey } from './passkey.testkit.ts'

let stage: Stage
let staff: Person
let person: Person
let providerId: string
beforeAll(async () => {
  const issuer = await openProvider()
  stage = await openStage({ outboundAllow: [new URL(issuer).host] })
  staff = await stage.person({ staff: ['storeAdministrator'] })
  person = await stage.person()
  await staff.ok(session, 'confirm', { body: { password: staff.password } })
  const body = { name: 'Harbour', issuer, clientId: 'loggia', clientSecret: secret }
  providerId = (await staff.ok(providerCalls, 'createProvider', { body })).providerId
})
afterAll(async () => {
  await stage.close()
  closeProviders()
})

const set = async (feature: 'useAgcLoginSwitch' | 'h5UseAgcLoginSwitch', isOn: boolean) =>
  expect((await flip(staff, feature, { isOn })).status).toBe(200)
const signIn = async (who: Person, more: { password?: string; shownAs?: string } = {}) => {
  const body = { account: who.loginName, password: who.password, ...more }
  const { status, body: answer } = await stage.anybody.call(session, 'login', { body })
  return status === 200 ? 200 : answer.ret.code
}
const off = session.errors.ownSignInOff[0]
const wrong = session.errors.badCredentials[0]

describe('useAgcLoginSwitch', () => {
  it('off: account and password are refused on whole pages, and a page that says nothing it knows is one', async () => {
    expect(await signIn(person)).toBe(200)
    await set('useAgcLoginSwitch', false)
    expect(await signIn(person)).toBe(off)
    expect(await signIn(person, { shownAs: 'desktop' })).toBe(off)
    expect(await signIn(person, { shownAs: 'watch' })).toBe(off)
    expect(await signIn(person, { shownAs: 'h5' })).toBe(200)
  })

  it('off: accounts of staff sign in nevertheless, so that nobody is locked out', async () => {
    expect(await signIn(staff)).toBe(200)
  })

  it('off: says the same of a wrong password, a right one, staff and names that nobody has', async () => {
    const nobody = { ...person, loginName: 'nobody-here' }
    const told = [
      await signIn(person),
      await signIn(person, { password: 'not this one' }),
      await signIn(staff, { password: 'not this one' }),
      await signIn(nobody),
    ]
    expect(told).toEqual([off, off, off, off])
  })

  it('off: a passkey alone is refused too, which is the console’s own means, but not that of staff', async () => {
    const enter = async (answer: Awaited<ReturnType<typeof putPasskey>>, shownAs: string) => {
      const { ticket, passkey } = await stage.anybody.ok(session, 'passkeyOptions')
      const body = { ticket, passkey: answer((passkey as { challenge: string }).challenge), shownAs }
      const reply = await stage.anybody.call(session, 'passkeyLogin', { body })
      return reply.status === 200 ? 200 : reply.body.ret.code
    }
    const own = await putPasskey(stage, person.accountId)
    expect([await enter(own, 'desktop'), await enter(own, 'h5')]).toEqual([off, 200])
    expect(await enter(await putPasskey(stage, staff.accountId), 'desktop')).toBe(200)
    await stage.sql('home', 'DELETE FROM passkeys')
  })

  it('off: sessions that are open go on, and the switch takes effect at once both ways', async () => {
    expect((await person.call(session, 'recentOptions')).status).toBe(200)
    await set('useAgcLoginSwitch', true)
    expect(await signIn(person)).toBe(200)
    expect(await signIn(person, { password: 'not this one' })).toBe(wrong)
  })
})

describe('h5UseAgcLoginSwitch', () => {
  it('off: account and password are refused on embedded and narrow pages only', async () => {
    await set('h5UseAgcLoginSwitch', false)
    expect(await signIn(person, { shownAs: 'h5' })).toBe(off)
    expect(await signIn(staff, { shownAs: 'h5' })).toBe(200)
    expect(await signIn(person, { shownAs: 'desktop' })).toBe(200)
  })
})

describe('the last provider', () => {
  it('stays while the own sign-in is off everywhere: nobody but staff could sign in', async () => {
    await set('useAgcLoginSwitch', false)
    await staff.ok(session, 'confirm', { body: { password: staff.password } })
    const params = { providerId }
    const gone = await staff.call(providerCalls, 'deleteProvider', { params })
    expect([gone.status, gone.body.ret.code]).toEqual([422, session.errors.lastProvider[0]])
    const { list } = await staff.ok(providerCalls, 'listProviders')
    const { name, issuer, clientId, revision } = list[0]!
    const body = { name, issuer, clientId, isEnabled: false, revision }
    const disabled = await staff.call(providerCalls, 'updateProvider', { params, body })
    expect([disabled.status, disabled.body.ret.code]).toEqual([422, session.errors.lastProvider[0]])
    await set('useAgcLoginSwitch', true)
    expect((await staff.call(providerCalls, 'deleteProvider', { params })).status).toBe(200)
  })
})
