import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, byPassword, type Device, openApp, password, userOfReply } from '../app-auth.testkit.ts'
import { authSettings } from '../settings/contract.ts'
import { appUserDesk } from './contract.ts'

let stage: Stage
let app: AppOnDevice
let device: Device
let owner: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  device = await app.install()
  owner = app.owner
  projectId = app.projectId
})
afterAll(() => stage.close())

describe('users in the console', () => {
  it('are made, found by how they begin, changed with the revision that was read, and let out', async () => {
    const made = await owner.ok(appUserDesk, 'createUser', {
      body: { projectId, displayName: 'Ada Lane', email: 'ADA@example.com', phone: '+49-0301234567', password },
    })
    expect(made).toMatchObject({
      email: 'ada@example.com',
      emailVerified: false,
      phone: '+49-301234567',
      providers: [12, 11],
    })
    for (const query of [made.uid, 'ada@', 'ADA', 'ada l', '+49-30'])
      expect((await owner.ok(appUserDesk, 'listUsers', { query: { projectId, query } })).total).toBe(1)
    for (const query of ['%', '_da', "x' OR '1'='1", 'lane'])
      expect((await owner.ok(appUserDesk, 'listUsers', { query: { projectId, query } })).total).toBe(0)
    const user = userOfReply(await device.send('POST', '/user-signin', byPassword('ada@example.com')))
    const { uid, revision } = made
    const body = { projectId, uid, disabled: true, revision }
    const off = await owner.ok(appUserDesk, 'updateUser', { body })
    expect(off.state).toBe('DISABLED')
    expect((await owner.call(appUserDesk, 'updateUser', { body })).status).toBe(409)
    expect((await device.send('GET', '/user-profile', undefined, { user: user.accessToken })).status).toBe(401)
    expect((await device.send('POST', '/user-signin', byPassword('ada@example.com'))).body.ret.code).toBe(203818012)
    expect(
      (await device.send('POST', '/user-auth/refresh-token', { refreshToken: user.refreshToken })).body.ret.code,
    ).toBe(203818014)
    const whole = await owner.ok(appUserDesk, 'getUser', { query: { projectId, uid } })
    expect(whole.sessions).toMatchObject([{ endedBecause: 'DISABLED' }])
  })

  it('get claims that tokens carry, of at most a kilobyte and without reserved names', async () => {
    const { uid, accessToken } = await device.signUp('claims@example.com')
    const patch = (claims: Record<string, unknown>) =>
      owner.call(appUserDesk, 'modifyUser', { body: { projectId, uid, patch: { claims } } })
    expect((await patch({ sub: 'x' })).body.ret.code).toBe(204020001)
    expect((await patch({ a: 'x'.repeat(1100) })).body.ret.code).toBe(204020001)
    expect((await patch({ role: 'editor' })).status).toBe(200)
    const again = userOfReply(await device.send('POST', '/user-signin', byPassword('claims@example.com')))
    expect(JSON.parse(Buffer.from(again.accessToken.split('.')[1] ?? '', 'base64url').toString()).role).toBe('editor')
    const body = { projectId, uid, patch: {}, revokeTokens: true }
    await owner.ok(appUserDesk, 'modifyUser', { body })
    for (const user of [accessToken, again.accessToken])
      expect((await device.send('GET', '/user-profile', undefined, { user })).status).toBe(401)
  })

  it('are deleted with an event for what others keep of them; the missing are told', async () => {
    const one = await device.signUp('del1@example.com')
    const two = await device.signUp('del2@example.com')
    const answer = await owner.ok(appUserDesk, 'deleteUsers', {
      body: { projectId, uids: [one.uid, two.uid, '17'], eraseData: true },
    })
    expect(answer).toMatchObject({ deleted: 2, missing: ['17'] })
    const events = await stage.sql<{ data: object }>(
      'CN',
      `SELECT data FROM outbox WHERE type = 'app_auth.user_deleted' AND entity_id = ANY($1)`,
      [[one.uid, two.uid]],
    )
    expect(events.map(row => row.data)).toEqual(expect.arrayContaining([{ projectId, uid: one.uid, eraseData: true }]))
    const audits = await stage
      .sql('CN', `SELECT after::text FROM audit_log WHERE after::text LIKE '%del1@%'`)
      .catch(() => [])
    expect(audits).toEqual([])
    await stage.clock.turn(31 * 86_400_000)
    await stage.booted.worker.sweep()
    expect(await stage.sql('CN', 'SELECT uid FROM app_users WHERE uid = $1', [one.uid])).toEqual([])
  })

  it('are exported with cells that no program runs', async () => {
    const person = await stage.person({ team: owner.teamId, roles: ['administrator'] })
    await person.ok(appUserDesk, 'createUser', {
      body: { projectId, displayName: '=1+1', email: 'formula@example.com' },
    })
    const file = await person.call(appUserDesk, 'exportUsers', { query: { projectId, format: 'csv', language: 'zh' } })
    expect(file.text).toContain('formula@example.com')
    expect(file.text).not.toMatch(/(^|,)"?=1\+1/m)
    const sheet = await person.call(appUserDesk, 'exportUsers', { query: { projectId, format: 'xlsx' } })
    expect(sheet.status).toBe(200)
  })

  it('are counted by day and way in', async () => {
    const person = await stage.person({ team: owner.teamId, roles: ['administrator'] })
    device = await app.install()
    await device.signUp('today@example.com')
    await device.anonymous()
    const summary = await person.ok(appUserDesk, 'getUserSummary', { query: { projectId, days: 7 } })
    expect(summary).toMatchObject({ dau: 2, anonymous: 1 })
    expect(summary.newToday).toBe(3)
    expect(summary.byDay).toHaveLength(7)
    expect(summary.byDay.at(-1)).toMatchObject({ made: 3, active: 2 })
    expect(summary.byProvider.find(one => one.provider === 0)?.users).toBe(1)
  })

  it('of another team are not there, and need the right', async () => {
    const stranger = await stage.person()
    expect((await stranger.call(appUserDesk, 'listUsers', { query: { projectId } })).status).toBe(404)
    const analyst = await stage.person({ team: owner.teamId, roles: ['analyst'] })
    expect((await analyst.call(appUserDesk, 'listUsers', { query: { projectId } })).status).toBe(403)
    expect((await analyst.call(appUserDesk, 'getUserSummary', { query: { projectId } })).status).toBe(200)
  })
})

describe('settings', () => {
  let leader: Person
  beforeAll(async () => {
    leader = await stage.person({ team: owner.teamId, roles: ['administrator'] })
  })

  it('turned off let nobody in', async () => {
    const product = await leader.ok(authSettings, 'getProduct', { query: { projectId } })
    const {
      hasSmsSecret: _a,
      isSmsDelivered: _b,
      keySetUrl: _c,
      issuer: _d,
      revision: _e,
      ret: _r,
      ...settings
    } = product
    const first = await leader.ok(authSettings, 'putProduct', { body: { ...settings, enabled: false } })
    expect((await device.send('POST', '/user-signin-anonymous', {})).body.ret.code).toBe(203818018)
    expect((await leader.call(authSettings, 'putProduct', { body: settings })).status).toBe(409)
    await leader.ok(authSettings, 'putProduct', { body: { ...settings, revision: first.product.revision } })
    expect((await device.send('POST', '/user-signin-anonymous', {})).body.ret.code).toBe(0)
  })

  it('take origins as they are and no address that is not public', async () => {
    const product = await leader.ok(authSettings, 'getProduct', { query: { projectId } })
    const { hasSmsSecret: _a, isSmsDelivered: _b, keySetUrl: _c, issuer: _d, ret: _r, ...settings } = product
    const put = (change: object) => leader.call(authSettings, 'putProduct', { body: { ...settings, ...change } })
    for (const origin of ['https://a.example/', 'javascript:alert(1)', 'null', '*'])
      expect((await put({ allowedOrigins: [origin] })).body.ret.code).toBe(204020010)
    for (const smsWebhookUrl of [
      'http://127.0.0.1:1',
      'https://[::1]/',
      'https://169.254.169.254/',
      'http://example.com',
    ])
      expect((await put({ smsEngine: 'webhook', smsWebhookUrl })).status).toBe(400)
    expect((await put({ accessSeconds: 172_801 })).status).toBe(400)
  })

  it('fill templates, show them, send them to try, and go back to the default', async () => {
    const said = {
      projectId,
      kind: 'VERIFY_EMAIL',
      language: 'en',
      subject: 'Hi',
      body: 'Take {{code}} for {{app}}',
    } as const
    const put = (change: object) => leader.call(authSettings, 'putTemplate', { body: { ...said, ...change } })
    expect((await put({ body: 'no code' })).body.ret.code).toBe(204020002)
    expect((await put({ body: '{{constructor}} {{code}}' })).body.ret.code).toBe(204020002)
    const preview = await put({ action: 'PREVIEW' })
    expect(preview.body).toMatchObject({ template: { isDefault: true }, preview: { text: 'Take 123456 for App' } })
    const host = {
      enabled: true,
      appName: '<b>Beacon</b>',
      logoUrl: '',
      color: '#0a59f7',
      supportMail: '',
      termsUrl: '',
      privacyUrl: '',
    }
    const { revision } = await leader.ok(authSettings, 'getHost', { query: { projectId } })
    await leader.ok(authSettings, 'updateHost', { body: { projectId, ...host, revision } })
    expect((await put({ action: 'SAVE' })).body).toMatchObject({ template: { isDefault: false, revision: 1 } })
    await leader.ok(authSettings, 'testTemplate', {
      body: { ...said, to: 'try@example.com', subject: undefined, body: undefined } as never,
    })
    await stage.settle()
    const mail = (await stage.mails()).findLast(one => one.to === 'try@example.com')
    expect(mail?.text).toContain('Take 123456 for <b>Beacon</b>')
    expect(mail?.html).not.toContain('<b>Beacon</b>')
    expect((await put({ action: 'RESET', revision: 1 })).body).toMatchObject({ template: { isDefault: true } })
  })

  it('stop a country that is being pumped for an hour, and tell', async () => {
    const ask = (at: number, ip: string) =>
      device.send('POST', '/verify-code', { phone: `+371-2000${String(at).padStart(4, '0')}`, action: 1001 }, { ip })
    for (let at = 0; at < 20; at++) expect((await ask(at, `198.51.100.${at}`)).body.ret.code).toBe(0)
    expect((await ask(99, '198.51.100.99')).body.ret.code).toBe(203818013)
    const usage = await leader.ok(authSettings, 'getSmsUsage', { query: { projectId } })
    expect(usage.blocked).toMatchObject([{ country: '+371' }])
    const other = await device.send('POST', '/verify-code', { phone: '+49-1711111111', action: 1001 })
    expect(other.body.ret.code).toBe(0)
    await stage.settle()
    const events = await stage.sql('CN', `SELECT 1 FROM outbox WHERE type = 'app_auth.sms_pumping'`)
    expect(events).toHaveLength(1)
  })
})
