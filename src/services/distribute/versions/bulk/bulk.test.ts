import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { versions } from '../contract.ts'
import { fillDraft, newApp, openScene, type Scene } from '../versions.testkit.ts'
import { versionBulks } from './contract.ts'
import { runBulk } from './run.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.stage.close())

const report = (bulkId: string) => scene.owner.ok(versionBulks, 'getBulk', { query: { bulkId } })

/** As after a crash: the job is delivered once more. */
async function runAgain(bulkId: string) {
  const { teamId } = scene.owner
  const [job] = await scene.stage.sql<{ input: Record<string, unknown> }>(
    'CN',
    'SELECT input FROM jobs WHERE job_id = $1',
    [bulkId],
  )
  const ctx = systemContext(scene.stage.booted.server, 'CN', { name: 'versions.bulk', teamId })
  const { signal } = new AbortController()
  const run = { jobId: bulkId, input: job?.input ?? {}, teamId, zone: 'CN' as const, attempt: 2, signal }
  await runBulk(ctx, { ...run, progress: async () => {} })
}

async function drafts(count: number) {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { appId } = await newApp(scene.owner)
    ids.push((await fillDraft(scene.stage, scene.owner, appId, 10)).versionId)
  }
  return ids
}

describe('an action on many versions', () => {
  it('is a job that says what became of each, and refusals hold nobody else up', async () => {
    const [one, two] = (await drafts(2)) as [string, string]
    const { appId } = await newApp(scene.owner)
    const { open } = await scene.owner.ok(versions, 'getVersion', { query: { appId } })
    const bare = open!.versionId
    const { bulkId } = await scene.owner.ok(versionBulks, 'submitVersions', { body: { versionIds: [one, bare, two] } })
    expect((await report(bulkId)).list.map(item => item.versionId)).toEqual([one, bare, two])
    await scene.stage.settle()
    const done = await report(bulkId)
    expect(done).toMatchObject({ action: 'submit', state: 'done', percent: 100, total: 3, done: 2, refused: 1 })
    expect(done.list.map(item => item.result)).toEqual(['DONE', 'REFUSED', 'DONE'])
    expect(done.list[1]).toMatchObject({ code: 204160003 })
    expect(await scene.state(one)).toBe('IN_REVIEW')
    const taken = await scene.owner.ok(versionBulks, 'withdrawVersions', { body: { versionIds: [one, two] } })
    await scene.stage.settle()
    expect((await report(taken.bulkId)).list.map(item => item.state)).toEqual(['WITHDRAWN', 'WITHDRAWN'])
    const { list, total } = await scene.owner.ok(versionBulks, 'listBulks', { query: { pageSize: 1 } })
    expect([list[0]?.bulkId, total >= 2]).toEqual([taken.bulkId, true])
    const [who] = await scene.stage.sql<{ actor: string }>(
      'CN',
      "SELECT actor FROM audit WHERE entity_id = $1 AND action = 'version.submit'",
      [one],
    )
    expect(who?.actor).toBe(`user:${scene.owner.accountId}`)
  })

  it('takes apps off the shelf with one reason', async () => {
    const { appId } = await newApp(scene.owner)
    const { versionId } = await scene.onShelf(appId)
    const body = { versionIds: [versionId], reason: 'The product line has ended.' }
    const { bulkId } = await scene.owner.ok(versionBulks, 'shelfOffVersions', { body })
    await scene.stage.settle()
    expect((await report(bulkId)).list[0]).toMatchObject({ result: 'DONE', state: 'OFF_BY_DEVELOPER' })
  })

  it('is the same job for the same Idempotency-Key', async () => {
    const versionIds = await drafts(1)
    const headers = { 'idempotency-key': `bulk-${versionIds[0]}` }
    const [first, second] = await Promise.all(
      [1, 2].map(() => scene.owner.ok(versionBulks, 'submitVersions', { body: { versionIds }, headers })),
    )
    expect(first?.bulkId).toBe(second?.bulkId)
    await scene.stage.settle()
    expect((await report(first!.bulkId)).done).toBe(1)
  })

  it('goes on after a crash with what was not tried yet', async () => {
    const [one, two] = (await drafts(2)) as [string, string]
    const { bulkId } = await scene.owner.ok(versionBulks, 'submitVersions', { body: { versionIds: [one, two] } })
    await scene.stage.settle()
    await scene.stage.sql(
      'CN',
      "UPDATE version_bulk_items SET result = 'WAITING' WHERE bulk_id = $1 AND position = 1",
      [bulkId],
    )
    await runAgain(bulkId)
    const again = await report(bulkId)
    expect(again.list.map(item => item.result)).toEqual(['DONE', 'REFUSED'])
  })

  it('does nothing in the name of who lost the right meanwhile', async () => {
    const versionIds = await drafts(1)
    const helper = await scene.stage.person({ team: scene.owner.teamId, roles: ['operations'] })
    const { bulkId } = await helper.ok(versionBulks, 'submitVersions', { body: { versionIds } })
    await scene.stage.settle()
    await scene.owner.ok(versions, 'withdrawVersion', { body: { versionId: versionIds[0]! } })
    await scene.stage.sql('CN', "UPDATE version_bulk_items SET result = 'WAITING' WHERE bulk_id = $1", [bulkId])
    await scene.stage.sql('home', "UPDATE members SET roles = '{analyst}' WHERE account_id = $1", [helper.accountId])
    await runAgain(bulkId)
    expect((await report(bulkId)).list[0]).toMatchObject({ result: 'REFUSED', code: 204160004 })
    expect(await scene.state(versionIds[0]!)).toBe('WITHDRAWN')
  })

  it('refuses a foreign version and what the role may not do, before anything is written', async () => {
    const versionIds = await drafts(1)
    const stranger = await scene.stage.person()
    expect((await stranger.call(versionBulks, 'submitVersions', { body: { versionIds } })).status).toBe(404)
    const operations = await scene.stage.person({ team: scene.owner.teamId, roles: ['operations'] })
    expect((await operations.call(versionBulks, 'withdrawVersions', { body: { versionIds } })).status).toBe(403)
    const many = Array.from({ length: 101 }, (_, index) => String(index + 1))
    expect((await scene.owner.call(versionBulks, 'submitVersions', { body: { versionIds: many } })).status).toBe(400)
  })
})
