import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserStore, type ForeignHosts, openForeignHosts } from '../../../../testkit/foreign-hosts.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { newClient } from '../../../ground/api-clients/clients.testkit.ts'
import { type AppOnDevice, type Device, openApp } from '../app-auth.testkit.ts'
import { appCallerOf } from '../public.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
let hosts: ForeignHosts
let codes: Server
let prelude: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
  const origin = await stage.listen()
  hosts = await openForeignHosts(path.join(stage.dataDir, 'hosts'), () => origin, [
    'localhost',
    'connect-api.cloud.huawei.com',
    'connect-api.cloud.huawei.com.cn',
  ])
  // What a person would read in the mailbox, or on the phone.
  codes = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://x').searchParams.get('to') ?? ''
    void device.codeFor(address).then(code => response.end(code))
  })
  await new Promise<void>(resolve => codes.listen(0, '127.0.0.1', resolve))
  prelude = `${browserStore}
    const agconnect = require('@agconnect/api').default ?? require('@agconnect/api')
    require('@agconnect/instance')
    require('@agconnect/auth')
    const config = ${JSON.stringify(app.config)}
    agconnect.instance().configInstance(config)
    const auth = agconnect.auth()
    const codeFor = to => fetch('http://127.0.0.1:${(codes.address() as AddressInfo).port}/?to=' + encodeURIComponent(to)).then(one => one.text())
    const failing = work => work().then(() => 'no failure', error => Number(error.code?.code ?? error.code))
    const told = {}
    const main = async run => { try { await run() } catch (error) { told.failed = String(error?.stack ?? JSON.stringify(error)) } console.log(JSON.stringify(told)); process.exit(0) }
  `
})
afterAll(async () => {
  codes.close()
  await hosts.close()
  await stage.close()
})

describe('the public client of the field, unmodified', () => {
  it('registers, signs out and in, reads and changes the user, and deletes it', async () => {
    const told = await hosts.run(`${prelude}
      main(async () => {
        const email = 'sdk@example.com'
        const sent = await auth.requestEmailVerifyCode(email, agconnect.auth.Action.ACTION_REGISTER_LOGIN, 'en_US', 60)
        told.interval = sent.getShortestInterval()
        const made = await auth.createEmailUser(new agconnect.auth.EmailUser(email, 'Correct-horse-9', await codeFor(email)))
        const user = made.getUser()
        told.made = { uid: user.getUid(), email: user.getEmail(), anonymous: user.isAnonymous() }
        await user.updateProfile({ displayName: 'Ada', photoUrl: 'https://example.com/a.png' })
        const extra = await user.getUserExtra()
        told.created = extra.getCreateTime()
        told.token = (await user.getToken(true)).getToken()
        await auth.signOut()
        await new Promise(resolve => setTimeout(resolve, 300))
        told.nobody = await auth.getCurrentUser()
        const wrong = agconnect.auth.EmailAuthProvider.credentialWithPassword(email, 'wrong')
        told.wrong = await failing(() => auth.signIn(wrong))
        const right = agconnect.auth.EmailAuthProvider.credentialWithPassword(email, 'Correct-horse-9')
        told.again = (await auth.signIn(right)).getUser().getDisplayName()
        told.twice = await failing(() => auth.createEmailUser(new agconnect.auth.EmailUser(email, 'x', '000000')))
        await auth.deleteUser()
        told.gone = await failing(() => auth.signIn(right))
      })`)
    expect(told).toMatchObject({
      interval: '60',
      made: { email: 'sdk@example.com', anonymous: false },
      created: expect.stringMatching(/^\d{13}$/),
      nobody: null,
      wrong: 203818004,
      again: 'Ada',
      twice: 5,
      gone: 203818004,
    })
    expect((told as { failed?: string }).failed).toBeUndefined()
  })

  it('signs in without a name, links an address and keeps the uid; fifty refreshes at once are all answered', async () => {
    const told = (await hosts.run(`${prelude}
      main(async () => {
        const email = 'sdk-link@example.com'
        const user = (await auth.signInAnonymously()).getUser()
        told.before = { uid: user.getUid(), anonymous: user.isAnonymous() }
        await auth.requestEmailVerifyCode(email, agconnect.auth.Action.ACTION_REGISTER_LOGIN, 'zh_CN', 60)
        const credential = agconnect.auth.EmailAuthProvider.credentialWithVerifyCode(email, 'Correct-horse-9', await codeFor(email))
        await user.link(credential)
        const now = await auth.getCurrentUser()
        told.after = { uid: now.getUid(), anonymous: now.isAnonymous(), email: now.getEmail() }
        const tokens = await Promise.all(Array.from({ length: 50 }, () => now.getToken(true)))
        told.refreshed = tokens.filter(one => typeof one.getToken() === 'string' && one.getToken() !== '').length
        told.last = await failing(() => now.unlink(12))
        told.token = tokens[49].getToken()
      })`)) as Record<string, { uid: string }>
    expect(told['failed']).toBeUndefined()
    expect(told).toMatchObject({
      before: { anonymous: true },
      after: { anonymous: false, email: 'sdk-link@example.com', uid: told['before']?.uid },
      refreshed: 50,
      last: 203818010,
    })
    const headers = { authorization: `Bearer ${device.clientToken}`, access_token: String(told['token']) }
    expect((await appCallerOf(stage.booted.server, headers)).user?.uid).toBe(told['before']?.uid)
  })

  it('of servers gets the token of an API client', async () => {
    const { clientId, secret } = await newClient(app.owner, { permissions: ['appAuth.server'] })
    const credential = {
      ...{ type: 'project_client_id', project_id: app.projectId, region: 'CN', developer_id: '1' },
      ...{ client_id: clientId, client_secret: secret, configuration_version: '3.0' },
    }
    const told = (await hosts.run(`
      const { writeFileSync } = require('node:fs')
      writeFileSync('credential.json', ${JSON.stringify(JSON.stringify(credential))})
      const { AGCClient, CredentialParser } = require('@agconnect/common-server')
      AGCClient.initialize(CredentialParser.toCredential(require('node:path').resolve('credential.json')), 'server', 'CN')
      AGCClient.getInstance('server').getCredential().getAccessToken()
        .then(token => console.log(JSON.stringify({ token })), error => console.log(JSON.stringify({ failed: String(error.message) })))
        .then(() => process.exit(0))`)) as { token: string; failed?: string }
    expect(told.failed).toBeUndefined()
    const headers = { authorization: `Bearer ${told.token}`, productid: app.projectId }
    expect(await appCallerOf(stage.booted.server, headers)).toMatchObject({ isServer: true, projectId: app.projectId })
  })
})
