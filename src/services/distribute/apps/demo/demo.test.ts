import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { store } from '../../store/contract.ts'
import { storeField } from '../../store/field/contract.ts'
import { versions } from '../../versions/contract.ts'
import { apps } from '../contract.ts'
import { demoProject } from './contract.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
})
afterAll(() => stage.close())

const day = 86_400_000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code

describe('the demo project', () => {
  it('is there once somebody asked for it, and is the same for whoever asks again', async () => {
    expect((await owner.ok(demoProject, 'getDemoProject', {})).demo).toBeNull()
    const made = await Promise.all([1, 2, 3].map(() => owner.ok(demoProject, 'makeDemoProject', {})))
    expect(new Set(made.map(one => one.appId)).size).toBe(1)
    const second = await stage.person({ team: owner.teamId, roles: ['developer'] })
    expect((await second.ok(demoProject, 'makeDemoProject', {})).projectId).toBe(made[0]?.projectId)
    expect((await second.ok(demoProject, 'getDemoProject', {})).demo).toMatchObject({ appId: made[0]?.appId })
    const { list } = await owner.ok(projects, 'listProjects', {})
    expect(list.map(project => [project.projectId, project.isDemo])).toEqual([[made[0]?.projectId, true]])
    const reader = await stage.person({ team: owner.teamId, roles: ['analyst'] })
    expect((await reader.call(demoProject, 'makeDemoProject', {})).status).toBe(403)
    const stranger = await stage.person()
    expect((await stranger.ok(demoProject, 'getDemoProject', {})).demo).toBeNull()
  })

  it('has an app with versions and numbers that end yesterday, today and tomorrow', async () => {
    const { appId } = await owner.ok(demoProject, 'makeDemoProject', {})
    await stage.settle()
    const { onShelf } = await owner.ok(versions, 'getVersion', { query: { appId } })
    expect(onShelf).toMatchObject({ state: 'ON_SHELF', versionName: '1.2' })
    const days = async () => {
      const { list } = await owner.ok(store, 'getVersionReach', { query: { appId, days: 30 } })
      return [...new Set(list.filter(row => row.installs > 0).map(row => row.day))].sort()
    }
    const before = await days()
    expect([before.at(-1), before.length]).toEqual([dayOf(stage.clock.now() - day), 29])
    const field = await owner.ok(storeField, 'listFieldVersions', { query: { appId } })
    expect(field.active).toBeGreaterThan(1000)
    expect(field.list.map(one => one.versionName)).toEqual(['1.2', '1.1'])
    stage.clock.turn(day)
    await stage.booted.worker.sweep()
    await stage.settle()
    owner = await stage.person({ team: owner.teamId, roles: ['leader'] })
    expect((await days()).at(-1)).toBe(dayOf(stage.clock.now() - day))
    const { demo } = await owner.ok(demoProject, 'getDemoProject', {})
    expect(dayOf(demo?.dataUntil ?? 0)).toBe(dayOf(stage.clock.now() - day))
  })

  it('is changed by nobody, and says so', async () => {
    const { appId, projectId } = await owner.ok(demoProject, 'makeDemoProject', {})
    const { revision } = await owner.ok(projects, 'getProject', { query: { projectId } })
    const app = await owner.ok(apps, 'getApp', { query: { appId } })
    expect([app.isDemo, app.allowedActions]).toEqual([true, []])
    const wish = { projectId, name: 'Mine', packageType: 'ANDROID' as const, defaultLang: 'enUS', deviceTypes: [4] }
    const replies = [
      await owner.call(projects, 'updateProject', { body: { projectId, name: 'Other', revision } }),
      await owner.call(projects, 'deleteProject', { query: { projectId } }),
      await owner.call(apps, 'createApp', { body: wish }),
      await owner.call(apps, 'updateApp', { body: { appId, developerWebsite: '', revision: app.revision } }),
      await owner.call(apps, 'deleteApp', { query: { appId } }),
      await owner.call(versions, 'createVersion', { body: { appId } }),
    ]
    expect(replies.map(reply => [reply.status, codeOf(reply)])).toEqual(replies.map(() => [403, 204_100_003]))
  })

  it('is shown by no store', async () => {
    const { list } = await owner.ok(store, 'listApps', { query: {} })
    expect(list).toEqual([])
  })
})
