import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../projects/contract.ts'
import { members } from '../teams/members/contract.ts'
import { files } from './contract.ts'
import { partUploads } from './parts/contract.ts'
import { holdObjects, objectOf, releaseObjects } from './public.ts'
import { credentials, pngHead, send } from './sender.testkit.ts'
import { fileTasks } from './tasks/contract.ts'

/** A member whose rights hold for one project reaches its files and his own, and no others of the team. */
let stage: Stage
let address: string
let leader: Person
let limited: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  address = await stage.listen()
  leader = await stage.person()
  limited = await stage.person({ team: leader.teamId, roles: ['administrator'] })
  projectId = (await leader.ok(projects, 'createProject', { body: { name: 'Inside' } })).projectId
  await stage.settle()
  const scope = { projects: [projectId], apps: [] }
  const body = { accountId: limited.accountId, roles: ['administrator'], scope, revision: 1 }
  await leader.ok(members, 'setUserPermission', { body })
})
afterAll(() => stage.close())

let made = 0
async function sent(by: Person): Promise<string> {
  const reply = await send(address, `${files.prefix}/upload/object?fileName=${++made}.png`, {
    method: 'POST',
    body: pngHead(64, made),
    headers: credentials(by),
  })
  return reply.json.urlsInfo[0].objectId
}

const asTeam = <T>(work: (ctx: ReturnType<typeof systemContext>) => Promise<T>) =>
  systemContext(stage.booted.server, 'CN', { name: 'test', teamId: leader.teamId }).transact(work)
async function heldFor(app: { appId: string; projectId: string }): Promise<string> {
  const objectId = await sent(leader)
  await asTeam(ctx => holdObjects(ctx, [objectId], app))
  return objectId
}

const listed = async (by: Person, query = {}) =>
  (await by.ok(files, 'listObjects', { query: { pageSize: 100, ...query } })).list.map(one => one.objectId)

describe('a member whose rights hold for one project', () => {
  it('lists and reads files of its apps and those he sent, and no others', async () => {
    const inside = await heldFor({ appId: '11', projectId })
    const outside = await heldFor({ appId: '12', projectId: '13' })
    const unbound = await sent(leader)
    const own = await sent(limited)
    expect(await listed(limited)).toEqual([own, inside])
    expect((await listed(leader)).sort()).toEqual([inside, outside, unbound, own].sort())
    expect(await listed(leader, { appId: '12' })).toEqual([outside])
    const { list } = await limited.ok(files, 'listObjects', {})
    expect(list.map(one => [one.appId, one.isHeld])).toEqual([
      [null, false],
      ['11', true],
    ])
    expect(await listed(limited, { appId: '12' })).toEqual([])
    for (const [objectId, status] of [
      [inside, 200],
      [own, 200],
      [outside, 404],
      [unbound, 404],
    ] as const) {
      const replies = [
        await limited.call(files, 'makeDownloadAddress', { body: { objectId } }),
        await limited.call(files, 'makeDownloadAddresses', { body: { objectIds: [own, objectId] } }),
        await limited.call(fileTasks, 'getCheckDetails', { query: { objectId } }),
        await limited.call(fileTasks, 'startCheck', { body: { objectIds: [objectId] } }),
      ]
      expect(replies.map(reply => reply.status)).toEqual(replies.map(() => status))
    }
    for (const objectId of [outside, unbound]) {
      expect((await limited.call(files, 'deleteObjects', { body: { objectIds: [objectId] } })).status).toBe(404)
    }
    expect((await limited.call(files, 'deleteObjects', { body: { objectIds: [own] } })).status).toBe(200)
  })

  it('cannot go on with, join or end an upload of somebody else, nor look at his work', async () => {
    const upload = await leader.ok(partUploads, 'beginUpload', { body: { fileName: 'a.apk', size: 10 } })
    const key = { objectId: upload.objectId, nspUploadId: upload.nspUploadId }
    const objectId = await sent(leader)
    const task = await leader.ok(fileTasks, 'startCheck', { body: { objectIds: [objectId] } })
    const replies = [
      await limited.call(partUploads, 'listParts', { query: key }),
      await limited.call(partUploads, 'makePartAddresses', { body: { ...key, partNumbers: [1] } }),
      await limited.call(partUploads, 'compose', { query: key, body: { '1': { etag: 'x' } } }),
      await limited.call(partUploads, 'abortUpload', { body: key }),
      await limited.call(fileTasks, 'getChecked', { query: { taskId: task.taskId } }),
    ]
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
    expect((await leader.call(fileTasks, 'getChecked', { query: { taskId: task.taskId } })).status).toBe(200)
    expect((await leader.call(partUploads, 'abortUpload', { body: key })).status).toBe(200)
  })

  it('loses what he sent to the app it is used for, and keeps it where he reaches that', async () => {
    const [kept, lost] = [await sent(limited), await sent(limited)]
    await asTeam(ctx => holdObjects(ctx, [kept], { appId: '11', projectId }))
    await asTeam(ctx => holdObjects(ctx, [lost], { appId: '12', projectId: '13' }))
    expect(await listed(limited)).toContain(kept)
    expect(await listed(limited)).not.toContain(lost)
    await asTeam(ctx => releaseObjects(ctx, [lost]))
    expect(await listed(limited)).not.toContain(lost)
    await asTeam(ctx => holdObjects(ctx, [lost], { appId: '11', projectId }))
    expect(await listed(limited)).toContain(lost)
    expect((await asTeam(ctx => objectOf(ctx, lost))).state).toBe('NORMAL')
  })
})
