import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contract } from '../../../kernel/contract.ts'
import { reviewDesk } from '../review/desk/contract.ts'
import { versions } from './contract.ts'
import { versionPhased } from './phased/contract.ts'
import { appOnShelf, phasedOnShelf } from './phased/phased.testkit.ts'
import { current, fillDraft, newApp, openScene, putPackage, type Scene } from './versions.testkit.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

/** What a refusal tells besides its number: where the thing stands, what may be done, and in words how to go on. */
async function refused<C extends Contract>(
  contract: C,
  name: keyof C['calls'] & string,
  input: object,
  who = scene.owner,
) {
  const { status, body } = await who.call(contract, name, input as never)
  const { state, allowedActions, fields } = body as { state?: string; allowedActions?: string[]; fields?: unknown[] }
  const says = String(body['title'] ?? body.ret.msg)
  return { status, code: body.ret.code, state, allowedActions, fields, says, body: body as Record<string, unknown> }
}

describe('what is wrong is refused with the state, what is allowed and the way on:', () => {
  it('a share outside 0 to 100, and one that shrinks', async () => {
    const { appId } = await appOnShelf(scene)
    const { versionId } = await phasedOnShelf(scene, appId, 11, { kind: 'PERCENT', percent: '20' })
    const change = (percent: string) => refused(versionPhased, 'updatePhasedRelease', { body: { versionId, percent } })
    for (const percent of ['-1', '100.01', '500']) {
      const { status, fields } = await change(percent)
      expect([status, fields]).toMatchObject([400, [{ pointer: '/percent' }]])
    }
    const less = await change('5')
    expect(less).toMatchObject({ status: 422, code: 202030021, state: 'RELEASE' })
    expect(less.allowedActions).toEqual(expect.arrayContaining(['pause', 'cancel', 'rollBack', 'raise']))
    expect(less.says).toMatch(/20\.00 %.*pause, cancel or roll back/)
  })

  it('a first release in phases', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const first = await refused(versions, 'submitVersion', { body: { versionId, releasePhase: 3 } })
    expect(first).toMatchObject({ status: 422, code: 202030020, state: 'DRAFT' })
    expect(first.allowedActions).toContain('submit')
    expect(first.says).toContain('release this one whole')
  })

  it('a second open version', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const second = await refused(versions, 'createVersion', { body: { appId } })
    expect(second).toMatchObject({ status: 409, code: 202030001, state: 'DRAFT', body: { versionId } })
    expect(second.allowedActions).toEqual(expect.arrayContaining(['edit', 'delete', 'submit']))
    expect(second.says).toContain('go on with it, or delete it')
  })

  it('the release of a failed package', async () => {
    const { appId } = await newApp(scene.owner)
    const pkgId = await putPackage(scene.stage, scene.owner, { appId, versionCode: 10, state: 'FAILED' })
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10, { pkgId })
    const failed = await refused(versions, 'submitVersion', { body: { versionId } })
    expect(failed).toMatchObject({ status: 422, code: 204160003, state: 'DRAFT' })
    expect(failed.allowedActions).toEqual(expect.arrayContaining(['edit', 'delete']))
    expect(failed.body['readiness']).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          rule: 'package.failed',
          severity: 'BLOCK',
          message: expect.stringContaining('Upload another'),
        }),
      ]),
    )
  })

  it('a time in the past', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const onShelfTime = scene.stage.clock.now() - 60_000
    const atSubmit = await refused(versions, 'submitVersion', {
      body: { versionId, releaseMode: 'TIMED', onShelfTime },
    })
    expect(atSubmit).toMatchObject({ status: 422, state: 'DRAFT' })
    expect(atSubmit.body['readiness']).toMatchObject([
      { severity: 'BLOCK', field: '/onShelfTime', message: expect.stringMatching(/10 minutes.*180 days/) },
    ])
    const waiting = await scene.inReview((await newApp(scene.owner)).appId, 10, { releaseMode: 'MANUAL' })
    await scene.approve(waiting.versionId)
    const later = await refused(versions, 'updateReleaseTime', {
      body: { versionId: waiting.versionId, changeType: 3, releaseTime: onShelfTime },
    })
    expect(later).toMatchObject({ status: 422, code: 202030004, state: 'PENDING_RELEASE' })
    expect(later.allowedActions).toEqual(expect.arrayContaining(['release', 'changeTime', 'withdraw']))
    expect(later.says).toMatch(/from \d{4}-.* to \d{4}-/)
  })

  it('a reviewer of the own team', async () => {
    const { appId } = await newApp(scene.owner, { name: 'Own team' })
    await scene.inReview(appId, 10)
    const insider = await scene.stage.person({ staff: ['reviewer'], team: scene.owner.teamId, roles: ['analyst'] })
    const { list } = await insider.ok(reviewDesk, 'listTasks', { query: { search: appId } })
    const taskId = list[0]?.taskId ?? ''
    const claim = await refused(reviewDesk, 'claimTask', { body: { taskId } }, insider)
    expect(claim).toMatchObject({ status: 403, code: 202040004, state: 'QUEUED', allowedActions: [] })
    expect(claim.says).toContain('somebody else must decide')
  })

  it('a certificate of another key', async () => {
    const { appId } = await newApp(scene.owner)
    await scene.onShelf(appId, 10)
    const { versionId } = await fillDraft(scene.stage, scene.owner, appId, 11, { signers: ['bb'.repeat(32)] })
    await scene.owner.call(versions, 'submitVersion', { body: { versionId } })
    await scene.stage.settle()
    const failed = await current(scene.owner, versionId)
    expect(failed).toMatchObject({ state: 'PRECHECK_FAILED', findings: [{ rule: 'package.signer' }] })
    expect(failed.allowedActions).toEqual(expect.arrayContaining(['edit', 'submit']))
    expect(failed.findings[0]?.message).toMatch(/certificate|sign/i)
    expect(JSON.stringify(failed.findings[0])).toContain('aa'.repeat(32))
  })

  it('a stale revision', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId, revision } = await fillDraft(scene.stage, scene.owner, appId, 10)
    const body = { versionId, remark: 'Look at the second screen', revision: 1 }
    const stale = await refused(versions, 'updateVersion', { body })
    expect(stale).toMatchObject({ status: 409, code: 204160002, body: { revision } })
    expect(stale.says).toContain(`the current revision is ${revision}`)
    expect((await current(scene.owner, versionId)).remark).not.toBe(body.remark)
  })
})
