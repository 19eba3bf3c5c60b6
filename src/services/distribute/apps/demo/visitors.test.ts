import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '../../../../kernel/wire.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { menuOperations } from '../../../ground/menu/operations/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { devProjects } from '../../../ground/projects/members/contract.ts'
import { teams } from '../../../ground/teams/contract.ts'
import { members } from '../../../ground/teams/members/contract.ts'
import { visitors } from '../../../ground/teams/visitors/contract.ts'
import { store } from '../../store/contract.ts'
import { versions } from '../../versions/contract.ts'
import { apps } from '../contract.ts'
import { demoProject } from './contract.ts'
import { prepareVisitors } from './visitors.ts'

let stage: Stage
let productId: string
let teamId: string
beforeAll(async () => {
  stage = await openStage()
  await Promise.all([1, 2].map(() => prepareVisitors(stage.booted.server)))
  await stage.settle()
  const place = await stage.anybody.ok(visitors, 'getVisitorProject', {})
  productId = place.productId ?? ''
  teamId = place.teamId ?? ''
})
afterAll(() => stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const asVisitor = () => ({ headers: { [headers.product]: productId, [headers.team]: teamId } })

describe('demo-project mode', () => {
  it('lets a user not logged in send a product id header, and shows them that project', async () => {
    const { list } = await stage.anybody.ok(projects, 'listProjects', asVisitor())
    expect(list.map(project => [project.projectId, project.isDemo])).toEqual([[productId, true]])
    const info = await stage.anybody.ok(teams, 'getUserInfo', asVisitor())
    expect([info.teamId, info.account.staffRoles]).toEqual([teamId, []])
    const found = await stage.anybody.ok(apps, 'listApps', asVisitor())
    const appId = found.list[0]?.appId ?? ''
    const { onShelf } = await stage.anybody.ok(versions, 'getVersion', { ...asVisitor(), query: { appId } })
    expect(onShelf?.state).toBe('ON_SHELF')
  })

  it('has data that always ends yesterday', async () => {
    const { list } = await stage.anybody.ok(apps, 'listApps', asVisitor())
    const query = { appId: list[0]?.appId ?? '', days: 30 }
    const last = async () => {
      const reach = await stage.anybody.ok(store, 'getVersionReach', { ...asVisitor(), query })
      return reach.list
        .filter(row => row.installs > 0)
        .map(row => row.day)
        .sort()
        .at(-1)
    }
    const yesterday = () => new Date(stage.clock.now() - 86_400_000).toISOString().slice(0, 10)
    expect(await last()).toBe(yesterday())
    stage.clock.turn(86_400_000)
    await stage.booted.worker.sweep()
    await stage.settle()
    expect(await last()).toBe(yesterday())
  })

  it('refuses every write of a visitor before a body is read', async () => {
    const { list } = await stage.anybody.ok(apps, 'listApps', asVisitor())
    const { appId = '', revision = 1 } = list[0] ?? {}
    const replies = [
      await stage.anybody.call(projects, 'createProject', { ...asVisitor(), body: { name: 'Mine' } }),
      await stage.anybody.call(apps, 'updateApp', { ...asVisitor(), body: { appId, developerWebsite: '', revision } }),
      await stage.anybody.call(demoProject, 'makeDemoProject', asVisitor()),
      await stage.anybody.call(teams, 'switchTeam', { ...asVisitor(), body: { teamId } }),
    ]
    expect(replies.map(reply => [reply.status, codeOf(reply)])).toEqual(replies.map(() => [403, 204_100_003]))
  })

  it('writes nothing by a call that reads and keeps a note of it', async () => {
    const audits = () => stage.sql('home', 'SELECT count(*)::int AS n FROM audit')
    const before = await audits()
    const reply = await stage.anybody.call(members, 'exportMembers', { ...asVisitor(), query: { format: 'csv' } })
    expect([reply.status, codeOf(reply), await audits()]).toEqual([403, 204_100_003, before])
  })

  it('opens nothing with the id of another project, and nothing of other teams', async () => {
    const owner = await stage.person()
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Own' } })
    const given = (product: string, team: string) => ({ headers: { [headers.product]: product, [headers.team]: team } })
    expect((await stage.anybody.call(projects, 'listProjects', given(projectId, owner.teamId))).status).toBe(401)
    expect((await stage.anybody.call(projects, 'listProjects', given('x', teamId))).status).toBe(401)
    expect((await stage.anybody.call(projects, 'listProjects', given(productId, owner.teamId))).status).toBe(403)
    const query = { projectId }
    expect((await stage.anybody.call(projects, 'getProject', { ...asVisitor(), query })).status).toBe(404)
  })

  it('does not change who calls for somebody who is logged in', async () => {
    const owner = await stage.person()
    const { list } = await owner.ok(projects, 'listProjects', { headers: { [headers.product]: productId } })
    expect(list).toEqual([])
  })

  it('is one place, however many processes start, and nobody signs in as its account', async () => {
    await prepareVisitors((await stage.another()).server)
    const again = await stage.anybody.ok(visitors, 'getVisitorProject', {})
    expect(again).toMatchObject({ productId, teamId })
    const rows = await stage.sql(
      'home',
      `SELECT a.status, a.password_hash FROM accounts a JOIN teams t ON t.leader_account_id = a.account_id WHERE t.is_for_visitors`,
    )
    expect(rows).toEqual([{ status: 4, password_hash: '' }])
  })
})

describe('member editing of demo projects', () => {
  it('depends on a config flag', async () => {
    const owner = await stage.person()
    const { projectId } = await owner.ok(demoProject, 'makeDemoProject', {})
    const other = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const add = () =>
      owner.call(devProjects, 'addProjectMembers', {
        body: { projectId, members: [{ accountId: other.accountId, role: 'watcher' }] },
      })
    expect(codeOf(await add())).toBe(204_100_003)
    const operator = await stage.person({ staff: ['storeAdministrator'] })
    const switched = { feature: 'demoMemberEditing', isOn: true, percent: 100, zones: [], note: '', revision: 0 }
    await operator.ok(menuOperations, 'setSwitch', { body: switched })
    expect((await add()).status).toBe(200)
    expect(codeOf(await owner.call(projects, 'deleteProject', { query: { projectId } }))).toBe(204_100_003)
  })
})
