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
const runAgain = (bulkId: string) => run(bulkId)

const leaseMs = 60_000

/** An action that a process has taken the moment it was asked for: no other runs it while its lease lasts. */
async function taken(versionIds: string[]): Promise<string> {
  const { stage, owner } = scene
  const leaseUntil = stage.clock.now() + leaseMs
  await stage.sql(
    'CN',
    `CREATE FUNCTION take() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.state := 'running'; NEW.owner := 'dead'; NEW.attempts := 1; NEW.lease_until := ${leaseUntil}; RETURN NEW; END $$`,
  )
  await stage.sql(
    'CN',
    "CREATE TRIGGER take BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.kind = 'versions.bulk') EXECUTE FUNCTION take()",
  )
  const { bulkId } = await owner.ok(versionBulks, 'submitVersions', { body: { versionIds } })
  await stage.sql('CN', 'DROP TRIGGER take ON jobs')
  await stage.sql('CN', 'DROP FUNCTION take')
  return bulkId
}

const over = (bulkId: string) => scene.stage.sql('CN', "UPDATE jobs SET state = 'done' WHERE job_id = $1", [bulkId])

/** How often each version was submitted. */
async function submits(ids: readonly string[]): Promise<number[]> {
  const rows = await scene.stage.sql<{ entity_id: string; times: string }>(
    'CN',
    "SELECT entity_id, count(*) AS times FROM outbox WHERE type = 'version.submitted' AND entity_id = ANY($1) GROUP BY 1",
    [ids],
  )
  return ids.map(id => Number(rows.find(row => row.entity_id === id)?.times ?? 0))
}

async function run(bulkId: string, progress: (step: string) => Promise<void> = async () => {}) {
  const { teamId } = scene.owner
  const [job] = await scene.stage.sql<{ input: Record<string, unknown> }>(
    'CN',
    'SELECT input FROM jobs WHERE job_id = $1',
    [bulkId],
  )
  const ctx = systemContext(scene.stage.booted.server, 'CN', { name: 'versions.bulk', teamId })
  const { signal } = new AbortController()
  const delivered = { jobId: bulkId, input: job?.input ?? {}, teamId, zone: 'CN' as const, attempt: 2, signal }
  await runBulk(ctx, { ...delivered, progress })
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

  it('whose process was killed between two versions is taken over when its lease has run out: none twice, none lost', async () => {
    const ids = await drafts(3)
    const bulkId = await taken(ids)
    const dies = run(bulkId, async step => {
      if (step === '2/3') throw new Error('killed')
    })
    await expect(dies).rejects.toThrow('killed')
    expect((await report(bulkId)).list.map(item => item.result)).toEqual(['DONE', 'WAITING', 'WAITING'])
    const { stage } = scene
    const deliver = () =>
      systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
        stage.booted.server.deliver('CN', bulkId, (text, values) => ctx.transaction('CN').query(text, values)),
      )
    await deliver()
    expect((await report(bulkId)).list.map(item => item.result)).toEqual(['DONE', 'WAITING', 'WAITING'])
    stage.clock.turn(leaseMs + 1000)
    await deliver()
    await stage.settle()
    const after = await report(bulkId)
    expect([after.state, after.list.map(item => item.result)]).toEqual(['done', ['DONE', 'DONE', 'DONE']])
    expect(await submits(ids)).toEqual([1, 1, 1])
  })

  it('killed in the middle of a version leaves nothing of it, and does it once when it runs again', async () => {
    const ids = await drafts(2)
    const bulkId = await taken(ids)
    // The database refuses the last write of the first version's transaction, as a connection that is cut does.
    await scene.stage.sql(
      'CN',
      `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut'; END $$`,
    )
    await scene.stage.sql('CN', 'CREATE TRIGGER cut BEFORE UPDATE ON version_bulk_items EXECUTE FUNCTION cut()')
    await expect(run(bulkId)).rejects.toThrow()
    expect(await Promise.all(ids.map(id => scene.state(id)))).toEqual(['DRAFT', 'DRAFT'])
    await scene.stage.sql('CN', 'DROP TRIGGER cut ON version_bulk_items')
    await runAgain(bulkId)
    expect((await report(bulkId)).list.map(item => item.result)).toEqual(['DONE', 'DONE'])
    expect(await submits(ids)).toEqual([1, 1])
    await over(bulkId)
  })

  it('run by two processes at once, as when one only seemed dead, does each version once', async () => {
    const ids = await drafts(3)
    const bulkId = await taken(ids)
    await Promise.all([runAgain(bulkId), runAgain(bulkId)])
    const both = await report(bulkId)
    expect(both.list.map(item => [item.result, item.code])).toEqual(ids.map(() => ['DONE', null]))
    expect(await submits(ids)).toEqual([1, 1, 1])
    await over(bulkId)
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
