import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { storageDesk } from './contract.ts'

let stage: Stage
let staff: Person
let app: AppOnDevice
let device: Device
let user: DeviceUser
let bucketId: string
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  staff = await stage.person({ staff: ['storeAdministrator', 'seniorReviewer'] })
  app = await openApp(stage)
  projectId = app.projectId
  ;({ bucketId } = await app.owner.ok(storage, 'initData', { body: { projectId, bucketName: 'desk-files' } }))
  device = await app.install()
  user = await device.anonymous()
})
afterAll(() => stage.close())

async function send(method: 'GET' | 'PUT' | 'DELETE', payload?: string) {
  const reply = await stage.app.inject({
    method,
    url: `/v0/${bucketId}/a.txt`,
    headers: {
      authorization: `Bearer ${device.clientToken}`,
      access_token: user.accessToken,
      productid: projectId,
      'content-type': 'text/plain',
    },
    ...(payload === undefined ? {} : { payload }),
  })
  return reply.statusCode
}

const found = async () => {
  const { list } = await staff.ok(storageDesk, 'listServices', { body: { search: projectId } })
  const [row] = list
  if (!row) throw new Error('the project is not listed')
  return row
}
const setLevel = async (level: 'FREE' | 'PAID' | 'SUSPENDED') => {
  const { revision } = await found()
  return staff.ok(storageDesk, 'setLevel', { body: { projectId, level, reason: 'agreed by mail', revision } })
}

describe('the level of a project’s storage', () => {
  it('is free at first, and listed with what is held', async () => {
    expect(await send('PUT', 'hello')).toBe(200)
    expect(await found()).toMatchObject({
      projectId,
      teamId: app.owner.teamId,
      level: 'FREE',
      storedBytes: 5,
      objects: 1,
    })
    const { list } = await staff.ok(storageDesk, 'listServices', { body: { level: 'PAID' } })
    expect(list.map(one => one.projectId)).not.toContain(projectId)
  })

  it('suspended reads as before and writes nothing, until it is another one', async () => {
    expect((await setLevel('SUSPENDED')).level).toBe('SUSPENDED')
    expect(await send('GET')).toBe(200)
    expect([await send('PUT', 'more'), await send('DELETE')]).toEqual([402, 402])
    expect((await setLevel('PAID')).level).toBe('PAID')
    expect(await send('PUT', 'more')).toBe(200)
  })

  it('bites on another process within a second', async () => {
    const other = await stage.another()
    const put = async () =>
      (
        await other.app.inject({
          method: 'PUT',
          url: `/v0/${bucketId}/a.txt`,
          headers: {
            authorization: `Bearer ${device.clientToken}`,
            access_token: user.accessToken,
            productid: projectId,
          },
          payload: 'x',
        })
      ).statusCode
    expect(await put()).toBe(200)
    await setLevel('SUSPENDED')
    const endsAt = performance.now() + 1_000
    while ((await put()) !== 402 && performance.now() < endsAt) await new Promise(resolve => setTimeout(resolve, 10))
    expect(await put()).toBe(402)
    await setLevel('PAID')
  })

  it('is kept with who changed it and why, and told as an event', async () => {
    const audits = await stage.sql<{ before: object; after: object; actor: string }>(
      'CN',
      `SELECT before, after, actor FROM audit WHERE action = 'storage.level' AND entity_id = $1 ORDER BY audit_id`,
      [projectId],
    )
    expect(audits[0]).toMatchObject({
      before: { level: 'FREE' },
      after: { level: 'SUSPENDED', reason: 'agreed by mail' },
    })
    expect(audits[0]?.actor).toContain(staff.accountId)
    const events = await stage.sql<{ data: object }>(
      'CN',
      `SELECT data FROM outbox WHERE type = 'storage.level_changed' AND entity_id = $1 ORDER BY event_id`,
      [projectId],
    )
    expect(events[0]?.data).toMatchObject({ from: 'FREE', to: 'SUSPENDED' })
  })

  it('is not changed over somebody else’s change, where nothing is, or by the team itself', async () => {
    const { revision } = await found()
    const body = { projectId, level: 'FREE' as const, reason: 'agreed by mail', revision: revision - 1 }
    expect((await staff.call(storageDesk, 'setLevel', { body })).status).toBe(409)
    const { projectId: closed } = await app.owner.ok(projects, 'createProject', { body: { name: 'Closed' } })
    expect((await staff.call(storageDesk, 'setLevel', { body: { ...body, projectId: closed } })).status).toBe(404)
    expect((await app.owner.call(storageDesk, 'setLevel', { body: { ...body, revision } })).status).toBe(403)
    expect((await staff.ok(storageDesk, 'listServices', { body: { search: 'x' } })).list).toEqual([])
  })
})
