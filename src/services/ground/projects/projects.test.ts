import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { uploads } from '../files/uploads/contract.ts'
import { dgsDelegates, projects } from './contract.ts'
import { projectOf, projectsOf } from './public.ts'
import { nameProblem, projectName, projectNameKey } from './rules.ts'

let stage: Stage
let leader: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  leader = await stage.person()
})
afterAll(() => stage.close())

/** What an app's zone tells of it. */
async function tell(
  type: 'app.created' | 'app.deleted',
  zone: 'CN' | 'DE',
  teamId: string,
  appId: string,
  projectId: string,
) {
  await systemContext(stage.booted.server, zone, { name: 'test', teamId }).transact(async ctx => {
    ctx.emit({ type, entity: 'app', entityId: appId, data: { projectId } })
  })
  await stage.settle()
}

const namesOf = (page: { list: { name: string }[] }) => page.list.map(one => one.name)

describe('a project name', () => {
  it.each([
    ['  Ｆｏｏ \t bar ', 'Foo bar', 'foo bar'],
    ['a\u200bb\u0000c', 'abc', 'abc'],
    ['ПРИВЕТ', 'ПРИВЕТ', 'привет'],
  ])('%j is kept as %j and compared as %j', (given, kept, compared) => {
    expect([projectName(given), projectNameKey(given)]).toEqual([kept, compared])
  })

  it.each([
    ['x', null],
    ['x'.repeat(64), null],
    ['🚀'.repeat(64), null],
    ['\u200b', 'must have a visible character'],
    // One character that becomes eighteen.
    ['\ufdfa'.repeat(4), 'must have at most 64 characters'],
  ])('%j: %s', (name, problem) => {
    expect(nameProblem(name)).toBe(problem)
  })
})

describe('a project', () => {
  it('is made in the zone of the team, or in the one chosen, and tells of it', async () => {
    const own = await leader.ok(projects, 'createProject', { body: { name: ' First  one ' } })
    expect(own).toMatchObject({ name: 'First one', zone: 'CN', siteId: 1, appCount: 0, revision: 1 })
    const german = await leader.ok(projects, 'createProject', { body: { name: 'Second', zone: 'DE' } })
    expect(german).toMatchObject({ zone: 'DE', siteId: 7 })
    const events = await stage.sql<{ type: string }>('home', 'SELECT type FROM outbox WHERE entity_id = $1', [
      german.projectId,
    ])
    expect(events).toEqual([{ type: 'project.created' }])
    const audits = await stage.sql<{ action: string }>('home', 'SELECT action FROM audit WHERE entity_id = $1', [
      german.projectId,
    ])
    expect(audits).toEqual([{ action: 'project.create' }])
  })

  it('cannot be in a zone that is not served here', async () => {
    const reply = await leader.call(projects, 'createProject', { body: { name: 'Far', zone: 'RU' } })
    expect([reply.status, reply.body.ret.msg]).toEqual([400, 'the zone Id is invalid'])
  })

  it('has a name of its own in the team, however it is spelt', async () => {
    const reply = await leader.call(projects, 'createProject', { body: { name: 'ＦＩＲＳＴ one' } })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 201030001])
    const other = await stage.person()
    expect((await other.call(projects, 'createProject', { body: { name: 'First one' } })).status).toBe(200)
  })

  it('is refused without a name, with the field named', async () => {
    for (const name of ['', '   ', '\u200b', 'x'.repeat(65)]) {
      const reply = await leader.call(projects, 'createProject', { body: { name } })
      expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/name'])
    }
  })

  it('is made once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' }
    const body = { name: 'Made once' }
    const one = await leader.ok(projects, 'createProject', { body, headers })
    const two = await leader.ok(projects, 'createProject', { body, headers })
    expect(two.projectId).toBe(one.projectId)
    const other = await leader.call(projects, 'createProject', { body: { name: 'Another' }, headers })
    expect(other.status).toBe(409)
  })

  it('of another team is not there', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Ours' } })
    const stranger = await stage.person()
    const replies = await Promise.all([
      stranger.call(projects, 'getProject', { query: { projectId } }),
      stranger.call(projects, 'updateProject', { body: { projectId, name: 'Theirs', revision: 1 } }),
      stranger.call(projects, 'deleteProject', { query: { projectId } }),
    ])
    expect(replies.map(reply => [reply.status, reply.body.ret.code])).toEqual(Array(3).fill([404, 204160006]))
    const seen = await systemContext(stage.booted.server, 'CN', { name: 'test', teamId: stranger.teamId }).transact(
      async ctx => [await projectsOf(ctx, [projectId]), await projectOf(ctx, projectId).catch(error => error.status)],
    )
    expect(seen).toEqual([[], 404])
  })

  it('is renamed by who read it last only', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Before' } })
    const after = await leader.ok(projects, 'updateProject', { body: { projectId, name: 'After', revision: 1 } })
    expect(after).toMatchObject({ name: 'After', revision: 2 })
    const stale = await leader.call(projects, 'updateProject', { body: { projectId, name: 'Late', revision: 1 } })
    expect([stale.status, stale.body.revision ?? stale.body.ret.msg]).toEqual([409, 2])
    const staleDelete = await leader.call(projects, 'deleteProject', {
      query: { projectId },
      headers: { 'if-match': '"1"' },
    })
    expect(staleDelete.status).toBe(409)
  })

  it('is not deleted while it has apps, and the refusal says how many', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'With apps', zone: 'DE' } })
    await tell('app.created', 'DE', leader.teamId, '900000000000000001', projectId)
    await tell('app.created', 'DE', leader.teamId, '900000000000000001', projectId)
    await tell('app.created', 'DE', leader.teamId, '900000000000000002', projectId)
    expect((await leader.ok(projects, 'getProject', { query: { projectId } })).appCount).toBe(2)
    const refused = await leader.call(projects, 'deleteProject', { query: { projectId } })
    expect([refused.status, refused.body.ret.code, refused.body.apps]).toEqual([422, 201030003, 2])
    await tell('app.deleted', 'DE', leader.teamId, '900000000000000001', projectId)
    await tell('app.deleted', 'DE', leader.teamId, '900000000000000002', projectId)
    await tell('app.created', 'DE', leader.teamId, '900000000000000002', projectId)
    expect((await leader.call(projects, 'deleteProject', { query: { projectId } })).status).toBe(200)
    expect((await leader.call(projects, 'getProject', { query: { projectId } })).status).toBe(404)
  })

  it('is made and deleted only by roles that may', async () => {
    const viewer = await stage.person({ team: leader.teamId, roles: ['analyst'] })
    const maker = await stage.person({ team: leader.teamId, roles: ['developer'] })
    expect((await viewer.call(projects, 'createProject', { body: { name: 'No' } })).status).toBe(403)
    const { projectId } = await maker.ok(projects, 'createProject', { body: { name: 'By a developer' } })
    expect((await maker.call(projects, 'deleteProject', { query: { projectId } })).status).toBe(403)
    expect((await viewer.call(projects, 'getProject', { query: { projectId } })).status).toBe(200)
  })

  it('is one of at most a hundred, also when two are made at once', async () => {
    const full = await stage.person()
    await stage.sql(
      'home',
      `INSERT INTO projects (project_id, team_id, name, name_key, zone, created_by, created_at, updated_at)
        SELECT 800000000000000000 + n, $1, 'n' || n, 'n' || n, 'CN', 1, n, n FROM generate_series(1, 99) AS n`,
      [full.teamId],
    )
    const replies = await Promise.all(['a', 'b'].map(name => full.call(projects, 'createProject', { body: { name } })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422])
  })
})

describe('the list of projects', () => {
  let owner: Person
  beforeAll(async () => {
    owner = await stage.person()
    for (const [name, zone] of [
      ['Delta', 'CN'],
      ['alpha', 'DE'],
      ['Charlie', 'CN'],
      ['bravo 100%', 'DE'],
    ] as const) {
      await owner.ok(projects, 'createProject', { body: { name, zone } })
    }
  })

  it.each([
    ['name', ['alpha', 'bravo 100%', 'Charlie', 'Delta']],
    ['-name', ['Delta', 'Charlie', 'bravo 100%', 'alpha']],
    ['createdAt', ['Delta', 'alpha', 'Charlie', 'bravo 100%']],
    ['-createdAt', ['bravo 100%', 'Charlie', 'alpha', 'Delta']],
  ] as const)('sorts by %s and turns pages without a gap', async (sort, names) => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: { total: number; list: { name: string }[]; nextCursor: string | null } = await owner.ok(
        projects,
        'listProjects',
        { query: { sort, pageSize: 1, ...(cursor ? { cursor } : {}) } },
      )
      expect(page.total).toBe(4)
      seen.push(...namesOf(page))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(names)
  })

  it('covers all zones, or the one asked for, and finds by part of the name', async () => {
    expect(namesOf(await owner.ok(projects, 'listProjects', { query: { zone: 'DE', sort: 'name' } }))).toEqual([
      'alpha',
      'bravo 100%',
    ])
    expect(namesOf(await owner.ok(projects, 'listProjects', { query: { search: 'ＣＨＡR' } }))).toEqual(['Charlie'])
    expect(namesOf(await owner.ok(projects, 'listProjects', { query: { search: '%' } }))).toEqual(['bravo 100%'])
    expect(await owner.ok(projects, 'listProjects', { query: { search: "' or 1=1 --" } })).toMatchObject({
      total: 0,
      list: [],
    })
  })

  it('refuses a cursor it did not give', async () => {
    for (const cursor of ['x', 'WyIxIiwgIngiXQ', Buffer.from('["now()","1"]').toString('base64url')]) {
      const reply = await owner.call(projects, 'listProjects', { query: { cursor } })
      expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/cursor'])
    }
  })

  it('gives the home page real counts', async () => {
    await stage.person({ team: owner.teamId, roles: ['developer'] })
    await stage.person({ team: owner.teamId, roles: ['developer'] })
    for (const zone of ['CN', 'DE'] as const) {
      const reply = await stage.app.inject({
        method: 'POST',
        url: `/${zone.toLowerCase()}${uploads.prefix}/uploadZip?fileName=a.txt`,
        headers: { cookie: owner.cookie, 'x-hd-csrf': owner.csrfToken, teamid: owner.teamId },
        payload: Buffer.alloc(1000, zone),
      })
      expect([reply.statusCode, reply.body]).toEqual([200, expect.anything()])
    }
    expect(await owner.ok(dgsDelegates, 'getAggregate')).toMatchObject({
      projects: 4,
      apps: 0,
      members: 3,
      storedObjects: 2,
      storedBytes: 2000,
    })
  })
})
