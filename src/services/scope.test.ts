import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../testkit/stage.ts'
import { apps } from './distribute/apps/contract.ts'
import { packages } from './distribute/packages/contract.ts'
import { newApp, uploadBytes } from './distribute/packages/packages.testkit.ts'
import { versions } from './distribute/versions/contract.ts'
import { projects } from './ground/projects/contract.ts'
import { members } from './ground/teams/members/contract.ts'
import { scopes } from './ground/teams/scopes/contract.ts'

/** A member's scope holds on every call, whichever service answers it. */
let stage: Stage
let leader: Person
/** May administer one project; of another, one app only. */
let limited: Person
interface Things {
  projectId: string
  appId: string
  pkgId: string
  versionId: string
}
let inside: Things
let single: Things
let outside: Things

async function things(name: string): Promise<Things> {
  const { appId, projectId } = await newApp(leader, name)
  const objectId = await uploadBytes(stage, leader, Buffer.from('PK no real package'))
  const { pkgId } = await leader.ok(packages, 'createPackage', { body: { appId, objectId } })
  const { versionId } = await leader.ok(versions, 'createVersion', { body: { appId } })
  return { projectId, appId, pkgId, versionId }
}

beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  limited = await stage.person({ team: leader.teamId, roles: ['administrator'] })
  inside = await things('Inside')
  single = await things('Single')
  outside = await things('Outside')
  await stage.settle()
  const scope = { projects: [inside.projectId], apps: [single.appId] }
  const body = { accountId: limited.accountId, roles: ['administrator'], scope, revision: 1 }
  await leader.ok(members, 'setUserPermission', { body })
})
afterAll(() => stage.close())

const reads = (of: Things) => [
  limited.call(apps, 'getApp', { query: { appId: of.appId } }),
  limited.call(packages, 'getPackage', { query: { pkgId: of.pkgId } }),
  limited.call(versions, 'getVersion', { query: { appId: of.appId, versionId: of.versionId } }),
]

describe('a member whose rights hold for a project and an app', () => {
  it('reaches what is in them', async () => {
    const replies = await Promise.all([...reads(inside), ...reads(single)])
    expect(replies.map(reply => reply.status)).toEqual([200, 200, 200, 200, 200, 200])
    expect((await limited.call(projects, 'getProject', { query: { projectId: inside.projectId } })).status).toBe(200)
  })

  it('finds nothing else, as if it were of another team', async () => {
    const { appId, projectId, versionId } = outside
    const replies = await Promise.all([
      ...reads(outside),
      limited.call(projects, 'getProject', { query: { projectId } }),
      limited.call(projects, 'updateProject', { body: { projectId, name: 'Mine', revision: 1 } }),
      limited.call(projects, 'deleteProject', { query: { projectId } }),
      limited.call(apps, 'listAppsByProject', { query: { projectId } }),
      limited.call(apps, 'updateApp', { body: { appId, developerNameEn: 'Mine', revision: 1 } }),
      limited.call(apps, 'deleteApp', { query: { appId } }),
      limited.call(versions, 'createVersion', { body: { appId } }),
      limited.call(versions, 'deleteVersion', { query: { versionId } as never }),
    ])
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
  })

  it('sees them in no list', async () => {
    const listed = await limited.ok(apps, 'listApps', { query: { pageSize: 100 } })
    expect(listed.list.map(one => one.appId).sort()).toEqual([inside.appId, single.appId].sort())
    expect(listed.total).toBe(2)
    const own = await limited.ok(projects, 'listProjects')
    expect([own.total, own.list.map(one => one.projectId)]).toEqual([1, [inside.projectId]])
    const granted = await limited.ok(scopes, 'listScopes')
    expect(granted.list.map(one => one.id).sort()).toEqual([inside.projectId, inside.appId, single.appId].sort())
  })

  it('makes apps in the project, and no projects', async () => {
    const body = { name: 'New', packageType: 'ANDROID' as const, defaultLang: 'enUS', deviceTypes: [4] }
    const made = await limited.call(apps, 'createApp', { body: { ...body, projectId: inside.projectId } })
    expect(made.status).toBe(200)
    const { appId } = made.body
    expect((await limited.call(versions, 'createVersion', { body: { appId } })).status).toBe(200)
    expect((await limited.call(apps, 'createApp', { body: { ...body, projectId: outside.projectId } })).status).toBe(
      404,
    )
    const project = await limited.call(projects, 'createProject', { body: { name: 'Beyond' } })
    expect([project.status, project.body.ret.code]).toEqual([403, 200000014])
  })

  it('gets and loses an app with one call, at once', async () => {
    const query = { appId: outside.appId }
    const before = await leader.ok(scopes, 'getAppPermission', { query })
    expect(before.list.map(one => one.accountId)).toEqual([leader.accountId])
    const { list } = await leader.ok(members, 'listMembers', { query: { pageSize: 100 } })
    const { revision = 0 } = list.find(one => one.accountId === limited.accountId) ?? {}
    const change = { appId: outside.appId, accountId: limited.accountId }
    const given = await leader.ok(scopes, 'setAppPermission', { body: { ...change, isReached: true, revision } })
    expect((await limited.call(apps, 'getApp', { query })).status).toBe(200)
    const reached = await leader.ok(scopes, 'getAppPermission', { query })
    expect(reached.list.find(one => one.accountId === limited.accountId)?.via).toBe('app')
    await leader.ok(scopes, 'setAppPermission', { body: { ...change, isReached: false, revision: given.revision } })
    expect((await limited.call(apps, 'getApp', { query })).status).toBe(404)
    const byProject = await leader.call(scopes, 'setAppPermission', {
      body: { ...change, appId: inside.appId, isReached: false, revision: given.revision + 1 },
    })
    expect([byProject.status, byProject.body.ret.code]).toEqual([422, 204111018])
  })

  it('has it refused to widen his own rights', async () => {
    const { list } = await limited.ok(members, 'listMembers', { query: { pageSize: 100 } })
    const { revision = 0 } = list.find(one => one.accountId === limited.accountId) ?? {}
    const widen = { accountId: limited.accountId, roles: ['administrator'], scope: { all: true }, revision }
    expect((await limited.call(members, 'setUserPermission', { body: widen })).status).toBe(403)
    const reach = { appId: outside.appId, accountId: limited.accountId, isReached: true, revision }
    expect((await limited.call(scopes, 'setAppPermission', { body: reach })).status).toBe(404)
  })
})
