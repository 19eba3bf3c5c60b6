import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { versions } from '../contract.ts'
import { fillDraft, newApp, openScene, type Scene, submitted } from '../versions.testkit.ts'
import { versionDeclarations } from './contract.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

describe('what the next version declares about AI', () => {
  it('goes into the version with the submit, and stays in it', async () => {
    const { appId } = await newApp(scene.owner)
    const query = { appId }
    expect(await scene.owner.ok(versionDeclarations, 'getAiContent', { query })).toMatchObject({
      involved: false,
      types: [],
      updatedAt: null,
    })
    const declare = (body: object) =>
      scene.owner.call(versionDeclarations, 'updateAiContent', { body: { appId, ...body } as never })
    const bare = await declare({ involved: true, types: [] })
    expect([bare.status, bare.body.ret.code]).toEqual([400, 202030014])
    expect((await declare({ involved: true, types: [9], providerNames: 'Own' })).status).toBe(400)
    const said = await declare({ involved: true, types: [1, 2], providerNames: 'Own model', algorithmFilingNo: 'F-1' })
    expect(said.body).toMatchObject({ involved: true, types: [1, 2], revision: 1 })
    const stale = await declare({ involved: false, types: [], revision: 7 })
    expect([stale.status, stale.body['revision']]).toEqual([409, 1])
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const version = await submitted(scene.stage, scene.owner, versionId)
    expect(version.aiContent).toEqual({
      involved: true,
      types: [1, 2],
      providerNames: 'Own model',
      algorithmFilingNo: 'F-1',
    })
  })
})

describe('the contact for reviewers', () => {
  it('is proven by a code that is mailed', async () => {
    const { appId } = await newApp(scene.owner, { name: 'Letters' })
    const address = 'Dev@Example.com'
    const ask = (code?: string) =>
      scene.owner.call(versionDeclarations, 'validateContact', { body: { appId, address, ...(code ? { code } : {}) } })
    expect((await ask('123456')).body.ret.code).toBe(202030013)
    expect((await ask()).body).toMatchObject({ state: 'SENT', address: 'dev@example.com', triesLeft: 5 })
    expect((await ask()).status).toBe(429)
    await scene.stage.settle()
    const [mail] = (await scene.stage.mails()).filter(one => one.to === 'dev@example.com')
    const code = /\d{6}/.exec(mail?.subject ?? '')?.[0] ?? ''
    expect(mail?.text).toContain(code)
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await ask(wrong)).body).toMatchObject({ state: 'WRONG', triesLeft: 4 })
    const right = await ask(code)
    expect(right.body).toMatchObject({ state: 'VALID', expiresAt: null })
    expect((await ask(code)).body.ret.code).toBe(202030013)
  })

  it('takes five tries and ten minutes', async () => {
    const { appId } = await newApp(scene.owner)
    const ask = (code?: string) =>
      scene.owner.call(versionDeclarations, 'validateContact', {
        body: { appId, address: 'five@example.com', ...(code ? { code } : {}) },
      })
    await ask()
    const [row] = await scene.stage.sql<{ address: string }>(
      'CN',
      'SELECT address FROM version_contacts WHERE app_id = $1',
      [appId],
    )
    expect(row?.address).toBe('five@example.com')
    await scene.stage.settle()
    const [mail] = (await scene.stage.mails()).filter(one => one.to === 'five@example.com')
    const code = /\d{6}/.exec(mail?.subject ?? '')?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    const states = []
    for (let tries = 0; tries < 6; tries++) states.push((await ask(wrong)).body.state)
    expect(states).toEqual(['WRONG', 'WRONG', 'WRONG', 'WRONG', 'USED_UP', 'USED_UP'])
    expect((await ask(code)).body.state).toBe('USED_UP')
    await scene.turn(600_001)
    expect((await ask(code)).body.ret.code).toBe(202030013)
    expect((await ask()).body.state).toBe('SENT')
  })
})

describe('what a form is drawn from', () => {
  it('has the limits of the contracts and asks for a package only where there is one', async () => {
    const fieldsOf = async (appId: string) =>
      new Map(
        (await scene.owner.ok(versionDeclarations, 'getFormModel', { query: { appId } })).list.map(one => [
          one.key,
          one,
        ]),
      )
    const android = await fieldsOf((await newApp(scene.owner)).appId)
    expect(android.get('appName')).toMatchObject({ section: 'listing', type: 'text', required: true, maxLen: 64 })
    expect(android.get('testAccount')?.visibleWhen).toEqual({ key: 'loginRequired', equals: 'true' })
    expect(android.get('releaseMode')?.options).toEqual(['AUTO', 'MANUAL', 'TIMED'])
    expect(android.get('pkgId')?.required).toBe(true)
    const page = await fieldsOf((await newApp(scene.owner, { packageType: 'NO_PACKAGE' })).appId)
    expect(page.get('pkgId')?.required).toBe(false)
  })
})

describe('agreements', () => {
  it('are checked as readiness checks them', async () => {
    const { appId } = await newApp(scene.owner)
    const check = () => scene.owner.ok(versionDeclarations, 'checkAgreements', { body: { appId } })
    const bare = await check()
    expect([bare.isPassed, bare.list.map(one => one.rule)]).toEqual([false, ['privacy.url']])
    await fillDraft(scene.stage, scene.owner, appId, 10)
    expect(await check()).toMatchObject({ isPassed: true, list: [] })
  })
})

describe('a submit that waits for its package', () => {
  it('offers to be taken back, and is a draft again', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10, { state: 'PARSING' })
    const body = { versionId, submitWhenReady: true }
    const { version } = await scene.owner.ok(versions, 'submitVersion', { body })
    expect([version.isSubmitQueued, version.allowedActions.includes('withdraw')]).toEqual([true, true])
    const operations = await scene.stage.person({ team: scene.owner.teamId, roles: ['operations'] })
    const seen = await operations.ok(versions, 'getVersion', { query: { appId } })
    expect(seen.version?.allowedActions).not.toContain('withdraw')
    const after = await scene.owner.ok(versions, 'withdrawVersion', { body: { versionId } })
    expect([after.state, after.isSubmitQueued, after.allowedActions.includes('withdraw')]).toEqual([
      'DRAFT',
      false,
      false,
    ])
  })
})
