import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../contract.ts'
import { devProjects } from '../members/contract.ts'
import { projectSettings } from './contract.ts'

let stage: Stage
let leader: Person
let stranger: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  stranger = await stage.person()
  projectId = (await leader.ok(projects, 'createProject', { body: { name: 'Notes' } })).projectId
})
afterAll(() => stage.close())

describe('properties of a project', () => {
  it('are set and removed by who read the project last', async () => {
    const set = (properties: { name: string; value: string | null }[], revision: number) =>
      leader.call(projectSettings, 'setProperties', { body: { projectId, properties, revision } })
    const made = await set(
      [
        { name: 'support.phone', value: '123' },
        { name: 'channel', value: 'beta' },
      ],
      1,
    )
    expect(made.body).toMatchObject({
      revision: 2,
      list: [{ name: 'channel' }, { name: 'support.phone', value: '123' }],
    })
    expect((await set([{ name: 'channel', value: 'x' }], 1)).status).toBe(409)
    const removed = await set(
      [
        { name: 'channel', value: null },
        { name: 'support.phone', value: '456' },
      ],
      2,
    )
    expect(removed.body.list.map(one => [one.name, one.value])).toEqual([['support.phone', '456']])
    const one = await leader.ok(projectSettings, 'getProperties', { query: { projectId, name: 'support.phone' } })
    expect([one.list.length, one.revision]).toEqual([1, 3])
  })

  it('are at most a hundred, and a name that no SDK could say is refused', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ name: `p${n}`, value: 'v' }))
    const body = { projectId, properties: many, revision: 3 }
    expect((await leader.call(projectSettings, 'setProperties', { body })).body.ret.code).toBe(201030020)
    const wrong = { projectId, properties: [{ name: '1 x', value: '' }], revision: 3 }
    const reply = await leader.call(projectSettings, 'setProperties', { body: wrong })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/properties/0/name'])
    expect((await leader.ok(projectSettings, 'getProperties', { query: { projectId } })).list).toHaveLength(1)
  })
})

describe('what a project is called elsewhere', () => {
  const there = { system: 'jira', externalId: 'NOTES' }

  it('is found both ways, and one name there is of one project only', async () => {
    await leader.ok(projectSettings, 'changeMappings', {
      body: { projectId, add: [there, { system: 'git', externalId: 'a' }] },
    })
    const found = await leader.ok(projectSettings, 'listMappings', { query: there })
    expect(found.list).toMatchObject([{ projectId }])
    const other = await leader.ok(projects, 'createProject', { body: { name: 'Other' } })
    const taken = await leader.call(projectSettings, 'changeMappings', {
      body: { projectId: other.projectId, add: [there] },
    })
    expect([taken.status, taken.body.ret.code, taken.body.projectId]).toEqual([409, 201030021, projectId])
    const left = await leader.ok(projectSettings, 'changeMappings', { body: { projectId, remove: [there] } })
    expect(left.list.map(one => one.system)).toEqual(['git'])
    expect((await stranger.ok(projectSettings, 'listMappings')).list).toEqual([])
  })
})

describe('the project of a team', () => {
  it('is none until one is chosen, and of the team’s own projects', async () => {
    expect(await leader.ok(projectSettings, 'getTeamProject')).toMatchObject({ project: null })
    expect((await stranger.call(projectSettings, 'setTeamProject', { body: { projectId } })).status).toBe(404)
    await leader.ok(projectSettings, 'setTeamProject', { body: { projectId } })
    expect(await leader.ok(projectSettings, 'getTeamProject')).toMatchObject({ project: { projectId, siteId: 1 } })
    const gone = await leader.ok(projects, 'createProject', { body: { name: 'Short' } })
    await leader.ok(projectSettings, 'setTeamProject', { body: { projectId: gone.projectId } })
    await leader.ok(projects, 'deleteProject', { query: { projectId: gone.projectId } })
    expect(await leader.ok(projectSettings, 'getTeamProject')).toMatchObject({ project: null })
  })
})

describe('a project and its people', () => {
  it('is owned by who made it, and listed for those who are in it', async () => {
    const made = await leader.ok(devProjects, 'createDevProject', {
      body: { name: 'With people', description: 'ours' },
    })
    expect(made).toMatchObject({ description: 'ours', memberCount: 1, role: 'owner' })
    const helper = await stage.person({ team: leader.teamId, roles: ['developer'] })
    expect((await helper.ok(devProjects, 'getDevProject')).list).toEqual([])
    const { accountId } = helper
    const body = { projectId: made.projectId, members: [{ accountId, role: 'developer' as const }] }
    expect((await leader.ok(devProjects, 'addProjectMembers', { body })).list.map(one => one.name)).toEqual([
      leader.loginName,
      helper.loginName,
    ])
    expect((await leader.call(devProjects, 'addProjectMembers', { body })).body.ret.code).toBe(201030031)
    const seen = await helper.ok(devProjects, 'getDevProject')
    expect(seen).toMatchObject({ total: 1, list: [{ projectId: made.projectId, role: 'developer', memberCount: 2 }] })
    const { projectId: id } = made
    const last = { projectId: id, accountId: leader.accountId }
    expect((await leader.call(devProjects, 'removeProjectMember', { query: last })).body.ret.code).toBe(201030032)
    const owner = { projectId: id, accountId, role: 'owner' as const, revision: 1 }
    expect(await leader.ok(devProjects, 'changeProjectMember', { body: owner })).toMatchObject({
      role: 'owner',
      revision: 2,
    })
    expect((await leader.call(devProjects, 'changeProjectMember', { body: owner })).status).toBe(409)
    await leader.ok(devProjects, 'removeProjectMember', { query: last })
    expect((await leader.ok(devProjects, 'listProjectMembers', { query: { projectId: id } })).total).toBe(1)
    const renamed = { projectId: id, name: 'With people', description: 'theirs', revision: 1 }
    expect(await leader.ok(devProjects, 'updateDevProject', { body: renamed })).toMatchObject({
      name: 'With people',
      description: 'theirs',
    })
    await leader.ok(devProjects, 'deleteDevProject', { query: { projectId: id } })
    expect((await leader.call(devProjects, 'listProjectMembers', { query: { projectId: id } })).status).toBe(404)
    expect(await stage.sql('home', 'SELECT 1 FROM project_members WHERE project_id = $1', [id])).toEqual([])
  })

  it('takes nobody who is not in the team, and shows nothing to strangers', async () => {
    const body = { projectId, members: [{ accountId: stranger.accountId, role: 'watcher' as const }] }
    expect((await leader.call(devProjects, 'addProjectMembers', { body })).body.ret.code).toBe(201030030)
    const replies = await Promise.all([
      stranger.call(devProjects, 'getDevProject', { query: { projectId } }),
      stranger.call(devProjects, 'listProjectMembers', { query: { projectId } }),
      stranger.call(devProjects, 'addProjectMembers', { body }),
      stranger.call(projectSettings, 'getProperties', { query: { projectId } }),
      stranger.call(projectSettings, 'changeMappings', { body: { projectId } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual(replies.map(() => 404))
  })
})
