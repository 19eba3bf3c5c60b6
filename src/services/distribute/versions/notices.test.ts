import { afterAll, beforeAll, expect, it } from 'vitest'
import { notices } from '../../ground/notices/contract.ts'
import { versions } from './contract.ts'
import { recordInstalls } from './public.ts'
import { versionShelf } from './shelf/contract.ts'
import { fillDraft, newApp, openScene, type Scene, submitted } from './versions.testkit.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

/** Kinds and mails about a version, the newest first. */
async function told(versionId: string, kind: string) {
  await scene.stage.settle()
  const { list } = await scene.owner.ok(notices, 'listNotices', { query: { pageSize: 100 } })
  return list.filter(one => one.entityId === versionId && one.kind === kind)
}

const address = () => `${scene.owner.loginName}@team.example`
const mailsTo = async () => (await scene.stage.mails()).filter(mail => mail.to === address())
const giveAddress = () =>
  scene.stage.sql('home', 'UPDATE accounts SET email = $2, language = $3 WHERE account_id = $1', [
    scene.owner.accountId,
    address(),
    'en',
  ])

it('a precheck that fails is told to those who may submit, in the inbox and by mail, with the page that says why', async () => {
  await giveAddress()
  const analyst = await scene.stage.person({ team: scene.owner.teamId, roles: ['analyst'] })
  const { appId } = await newApp(scene.owner, { name: 'Lantern' })
  await scene.onShelf(appId)
  const next = await fillDraft(scene.stage, scene.owner, appId, 11, { signers: ['bb'.repeat(32)] })
  expect((await submitted(scene.stage, scene.owner, next.versionId)).state).toBe('PRECHECK_FAILED')
  const [notice] = await told(next.versionId, 'version.precheck.failed')
  expect(notice).toMatchObject({ category: 'review', href: `/apps/${appId}/version/${next.versionId}` })
  expect([notice?.title.zh, notice?.title.ru].every(title => title?.includes('Lantern'))).toBe(true)
  const mail = (await mailsTo()).find(one => one.subject.includes('did not pass the precheck'))
  expect(mail?.text).toContain(`/#/apps/${appId}/version/${next.versionId}`)
  const { list } = await analyst.ok(notices, 'listNotices', { query: {} })
  expect(list.filter(one => one.entityId === next.versionId)).toEqual([])
})

it('what the store does with what is on shelf is told: taken off, put back, a shelf-off refused and granted', async () => {
  const operator = await scene.stage.person({ staff: ['storeOperator'] })
  const senior = await scene.stage.person({ staff: ['seniorReviewer'] })
  const { appId } = await newApp(scene.owner, { name: 'Torch' })
  const { versionId } = await scene.onShelf(appId)
  await operator.ok(versionShelf, 'forceOffVersion', {
    body: { versionId, reasonCode: 'POLICY', notice: 'It shows what it must not.' },
  })
  expect(await told(versionId, 'version.forced_off')).toHaveLength(1)
  // The one event of leaving the shelf is no second notice.
  expect(await told(versionId, 'version.off_shelf')).toEqual([])
  await senior.ok(versionShelf, 'restoreVersion', { body: { versionId, notice: 'The appeal was right.' } })
  expect(await told(versionId, 'version.restored')).toHaveLength(1)
  await scene.system().transact(ctx => recordInstalls(ctx, { appId, teamId: scene.owner.teamId }, 10_001))
  const ask = () =>
    scene.owner.ok(versionShelf, 'shelfOffVersion', { body: { versionId, reason: 'The product line has ended.' } })
  await ask()
  await scene.decide({ versionId, verdict: 'reject', note: 'Too many have it.' })
  expect(await told(versionId, 'version.shelfoff.refused')).toHaveLength(1)
  await ask()
  await scene.decide({ versionId, verdict: 'approve' })
  expect(await told(versionId, 'version.off_shelf')).toHaveLength(1)
})

it('a queued submit that comes to nothing, and an approval that nobody used, are told', async () => {
  const { appId } = await newApp(scene.owner, { name: 'Queue' })
  const draft = await fillDraft(scene.stage, scene.owner, appId, 10, { state: 'PARSING' })
  const { versionId } = draft
  const body = { versionId, submitWhenReady: true }
  expect((await scene.owner.ok(versions, 'submitVersion', { body })).isQueued).toBe(true)
  await scene.stage.sql('CN', "UPDATE packages SET state = 'FAILED' WHERE pkg_id = $1", [draft.pkgId])
  await scene.stage.booted.worker.sweep()
  expect(await told(versionId, 'version.submit.failed')).toHaveLength(1)

  const other = await newApp(scene.owner, { name: 'Forgotten' })
  const waiting = await scene.inReview(other.appId, 10, { releaseMode: 'MANUAL' })
  await scene.approve(waiting.versionId)
  const before = scene.owner
  await scene.turn(181 * 86_400_000)
  await scene.stage.booted.worker.sweep()
  expect(await scene.state(waiting.versionId)).toBe('WITHDRAWN')
  await scene.stage.settle()
  const rows = await scene.stage.sql<{ kind: string }>(
    'CN',
    'SELECT kind FROM notices WHERE entity_id = $1 AND account_id = $2 AND kind = $3',
    [waiting.versionId, before.accountId, 'version.expired'],
  )
  expect(rows).toHaveLength(1)
})
