import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authSettings } from '../../../build/app-auth/settings/contract.ts'
import { accountCalls } from '../../../ground/session/accounts/contract.ts'
import { apps } from '../../apps/contract.ts'
import { storeTests } from '../../store/testing/contract.ts'
import { openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { betaInvitations } from '../invitations/contract.ts'
import { betaTester } from '../tester/contract.ts'
import { betaPeople } from './contract.ts'

const phone = '+493012345678'
let scene: TestScene
let gateway: Server
let heard: { phone: string; text: string }[]
let answer = 200
beforeAll(async () => {
  gateway = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    heard.push(JSON.parse(Buffer.concat(parts).toString()))
    response.writeHead(answer).end()
  })
  await new Promise<void>(done => gateway.listen(0, '127.0.0.1', done))
  scene = await openTestScene({ outboundAllow: [`127.0.0.1:${portOf(gateway)}`] })
})
beforeEach(async () => {
  heard = []
  answer = 200
  await scene.newApp()
})
afterAll(async () => {
  await scene.stage.close()
  gateway.close()
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
const people = async (groupId: string) =>
  (await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId } })).list
const tokenIn = (page: string | null | undefined) =>
  new URLSearchParams(page?.slice(page.indexOf('?'))).get('token') ?? ''
const invite = async (groupId: string) => {
  const reply = await scene.owner.ok(betaInvitations, 'inviteGroup', { params: { groupId } })
  await scene.stage.settle()
  return reply
}
const owned = async (number: string) => {
  const person = await scene.stage.person()
  const { name, language, revision } = await person.ok(accountCalls, 'getProfile', {})
  await person.ok(accountCalls, 'updateProfile', { body: { name, language, phone: number, revision } })
  return person
}

/** The project of the app gets a gateway for text messages. */
async function withGateway(): Promise<void> {
  const { projectId } = await scene.owner.ok(apps, 'getApp', { query: { appId: scene.appId } })
  const {
    hasSmsSecret: _a,
    isSmsDelivered: _b,
    keySetUrl: _c,
    issuer: _d,
    revision: _e,
    ret: _r,
    ...settings
  } = await scene.owner.ok(authSettings, 'getProduct', { query: { projectId } })
  const smsWebhookUrl = `http://127.0.0.1:${portOf(gateway)}/sms`
  await scene.owner.ok(authSettings, 'putProduct', { body: { ...settings, smsEngine: 'webhook', smsWebhookUrl } })
}

describe('somebody known by a phone number', () => {
  it('gets what his group tests, by the page that is passed on to him', async () => {
    const groupId = await scene.group('Phones', 'INTERNAL', [phone])
    const { versionId } = await scene.running([groupId], { notify: true })
    await invite(groupId).catch(() => undefined)
    await scene.stage.settle()
    expect((await scene.stage.mails()).filter(mail => mail.to === phone)).toEqual([])
    const [person] = await people(groupId)
    expect(person?.state).toBe('INVITED')
    const token = tokenIn(person?.page)
    const { anybody } = scene.stage
    const view = await anybody.ok(betaTester, 'viewInvitation', { body: { token } })
    expect(view).toMatchObject({ kind: 'person', address: '+49•••78' })
    const packages = [{ packageName: `com.example.a${scene.appId}`, versionCode: '1' }]
    const updates = () => anybody.ok(storeTests, 'queryTestUpdates', { body: { token, deviceId: 'one', packages } })
    expect((await updates()).packages[0]).toMatchObject({ result: 'UPDATE', versionId, forced: false })
    expect((await people(groupId))[0]?.state).toBe('ACCEPTED')
    await scene.owner.ok(betaPeople, 'removeGroupUser', {
      params: { groupId },
      query: { userId: person?.userId ?? '' },
    })
    const gone = await anybody.call(storeTests, 'queryTestUpdates', { body: { token, deviceId: 'one', packages } })
    expect(gone.status).toBe(404)
  })

  it('is sent a text message where the project has a gateway, and one that fails holds up nobody', async () => {
    await withGateway()
    const groupId = await scene.group('Texts', 'EXTERNAL', [phone, 'ann@example.org'])
    expect(await invite(groupId)).toMatchObject({ invited: 2 })
    expect(heard.map(one => one.phone)).toEqual([phone])
    const found = await people(groupId)
    expect(heard[0]?.text).toContain(found.find(one => one.account === phone)?.page)
    answer = 400
    const other = await scene.group('More', 'EXTERNAL', ['+493012345679', 'bob@example.org'])
    await invite(other)
    expect((await people(other)).map(one => one.state)).toEqual(['INVITED', 'INVITED'])
    expect((await scene.stage.mails()).map(mail => mail.to)).toEqual(
      expect.arrayContaining(['ann@example.org', 'bob@example.org']),
    )
  })

  it('comes in by a file and goes out by one, whatever a spreadsheet makes of the +', async () => {
    const groupId = await scene.group('File', 'INTERNAL', [])
    const load = async (csv: string, into: string) => {
      const { bulkId } = await scene.owner.ok(betaPeople, 'importGroupUsers', {
        params: { groupId: into },
        body: { csv },
      })
      await scene.stage.settle()
      return scene.owner.ok(betaPeople, 'getImport', { query: { bulkId } })
    }
    const csv = `account,nickname\n+49 (30) 12345678,Ben\n${phone},Again\n03012345678,Local`
    expect((await load(csv, groupId)).list.map(item => item.result)).toEqual(['DONE', 'REFUSED', 'REFUSED'])
    const query = { appId: scene.appId, groupId, format: 'csv' as const, language: 'en' as const }
    const { text } = await scene.owner.call(betaPeople, 'exportUsers', { query })
    expect(text).toContain('/#/app/openTest?')
    for (const cell of text.replace(/^\uFEFF/, '').split(/,|\r\n/)) expect(cell).not.toMatch(/^"?[=+\-@]/)
    const back = await scene.group('Back', 'INTERNAL', [])
    await load(text, back)
    expect((await people(back)).map(user => [user.account, user.nickname])).toEqual([[phone, 'Ben']])
  })

  it('says yes and leaves with the account that has the number, and nobody else does for him', async () => {
    const groupId = await scene.group('Accounts', 'EXTERNAL', [phone])
    await invite(groupId)
    const token = tokenIn((await people(groupId))[0]?.page)
    const [other, own] = [await owned('+49 30 99999999'), await owned('+49 30 12345678')]
    const wrong = await other.call(betaInvitations, 'subscribe', { body: { token } })
    expect([wrong.status, wrong.body.ret.code]).toEqual([403, betaInvitations.errors.otherAddress[0]])
    expect((await own.call(betaInvitations, 'subscribe', { body: { token } })).status).toBe(200)
    expect((await people(groupId))[0]?.state).toBe('ACCEPTED')
    // Whoever writes a number into his account has not proven it: a link that anybody has does not take its owner out.
    const link = await scene.owner.ok(betaInvitations, 'createLink', { params: { groupId }, body: { limit: 5 } })
    const by = tokenIn(link.page)
    const tried = await own.call(betaInvitations, 'unsubscribe', { body: { token: by } })
    expect([tried.status === 200 && tried.body.hasLeft, (await people(groupId))[0]?.state]).toEqual([false, 'ACCEPTED'])
    expect(await other.ok(betaInvitations, 'unsubscribe', { body: { token } })).toMatchObject({ hasLeft: false })
    expect(await own.ok(betaInvitations, 'unsubscribe', { body: { token } })).toMatchObject({ hasLeft: true })
  })

  it('joins by a link with a mail address only, for nothing proves a number', async () => {
    const groupId = await scene.group('Door', 'EXTERNAL', [])
    const link = await scene.owner.ok(betaInvitations, 'createLink', { params: { groupId }, body: { limit: 5 } })
    const body = { token: tokenIn(link.page), account: phone, language: 'en' as const }
    expect((await scene.stage.anybody.call(betaTester, 'askToJoin', { body })).status).toBe(400)
  })
})
