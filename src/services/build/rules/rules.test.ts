import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { rules } from './contract.ts'
import { decide, decideNow, publishedRules, type RuleRequest } from './public.ts'

let stage: Stage
let owner: Person
let projectId: string
const service = 'agc.cloud.storage' as const

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person({ zone: 'DE' })
  const made = await owner.ok(projects, 'createProject', { body: { name: 'Ruled' } })
  projectId = made.projectId
})
afterAll(() => stage.close())

const source = (condition: string) => `agc.cloud.storage[
  match: /{bucket}/users/{uid}/{path=**} {
    allow read, write: if ${condition};
  }
]
`
const signedIn = source('request.auth != null')
const own = source('request.auth != null && request.auth.uid == uid')

const request = (uid: string | null, of: string, method: RuleRequest['method'] = 'get'): RuleRequest => ({
  method,
  path: ['b', 'users', of, 'a.png'],
  auth: uid === null ? null : { uid, provider: 1, anonymous: false, token: {} },
  app: null,
  ip: '1.2.3.4',
  time: stage.clock.now(),
  requestId: 'req-1',
})

const publish = (text: string, baseVersion: number, more: Record<string, unknown> = {}) =>
  owner.call(rules, 'publishRules', { body: { projectId, service, source: text, baseVersion, ...more } })

const scope = () => ({ projectId, teamId: owner.teamId, zone: 'DE' as const })
const inForce = () => publishedRules({ server: stage.booted.server, zone: 'DE' }, projectId, service)

async function ask(uid: string | null, of: string) {
  const ruleset = await inForce()
  return decide(stage.booted.server, scope(), ruleset!, request(uid, of))
}

describe('rules of a project', () => {
  it('are none until somebody publishes, and what is shown then is where to begin', async () => {
    const found = await owner.ok(rules, 'getRules', { query: { projectId, service } })
    expect(found).toMatchObject({ published: 0, draft: null })
    expect(found.source).toContain('agc.cloud.storage[')
    expect(await inForce()).toBeNull()
  })

  it('cannot be published with a fault; the refusal names the place', async () => {
    const { status, body } = await publish(source('request.auth.uid ='), 0)
    expect(status).toBe(422)
    expect(body.ret.code).toBe(204010002)
    expect(body['diagnostics']).toMatchObject([{ severity: 'ERROR', line: 3 }])
  })

  it('decide from the moment they are published, on every process', async () => {
    const other = await stage.another()
    expect((await publish(signedIn, 0, { note: 'first' })).body).toMatchObject({ version: 1, isPublished: true })
    expect((await ask('u1', 'u2')).allowed).toBe(true)
    expect(await publishedRules({ server: other.server, zone: 'DE' }, projectId, service)).toMatchObject({ version: 1 })
    expect((await ask(null, 'u2')).allowed).toBe(false)
  })

  it('are refused with 409 when somebody else published meanwhile', async () => {
    const { status, body } = await publish(own, 0)
    expect(status).toBe(409)
    expect(body.ret.code).toBe(204010003)
  })

  it('are first tried on the requests of the last day: what was allowed and would be denied must be accepted', async () => {
    await ask('u1', 'u1')
    const shadow = await owner.ok(rules, 'shadowRules', { body: { projectId, service, source: own } })
    expect(shadow.nowDenied.requests).toBe(1)
    expect(shadow.nowDenied.list).toMatchObject([{ method: 'get', path: '/b/users/u2/a.png', uid: 'u1' }])
    const refused = await publish(own, 1)
    expect(refused.body.ret.code).toBe(204010006)
    expect((await publish(own, 1, { acceptDenials: true })).body.version).toBe(2)
    expect((await ask('u1', 'u2')).allowed).toBe(false)
  })

  it('keep each denied request with every part of its condition, to be opened and decided again', async () => {
    const { decisionId } = await ask('u1', 'u2')
    expect(decisionId).not.toBeNull()
    const list = await owner.ok(rules, 'listDecisions', { query: { projectId, service } })
    expect(list.list[0]).toMatchObject({ decisionId, uid: 'u1', isAllowed: false, version: 2, requestId: 'req-1' })
    const one = await owner.ok(rules, 'getDecision', {
      params: { decisionId: decisionId! },
      query: { projectId, service },
    })
    const [allow] = one.matched[0]!.allows
    expect(one.matched[0]).toMatchObject({ pattern: '/{bucket}/users/{uid}/{path=**}', bindings: { uid: 'u2' } })
    expect(allow).toMatchObject({ result: 'false', methods: ['read', 'write'] })
    const values = Object.fromEntries(allow!.trace.map(step => [step.src, step.value]))
    expect(values).toMatchObject({ 'request.auth.uid': '"u1"', uid: '"u2"', 'request.auth.uid == uid': 'false' })
    const body = { projectId, service, source: signedIn }
    const again = await owner.ok(rules, 'replayDecision', { params: { decisionId: decisionId! }, body })
    expect(again).toMatchObject({ allowed: true, grantedBy: { line: 3 } })
  })

  it('say what they would do with a request that is made up', async () => {
    const body = {
      projectId,
      service,
      source: own,
      method: 'create' as const,
      path: '/b1/users/u1/a.png',
      auth: { uid: 'u2' },
      requestResource: { size: 5 },
    }
    expect(await owner.ok(rules, 'simulateRules', { body })).toMatchObject({ allowed: false, diagnostics: [] })
    const none = await owner.call(rules, 'simulateRules', { body: { ...body, path: 'b1//x' } })
    expect(none.body.ret.code).toBe(204010007)
  })

  it('count what they decided, by the minute and by the statement', async () => {
    const to = stage.clock.now() + 60_000
    const query = { projectId, service, from: to - 3_600_000, to }
    const monitor = await owner.ok(rules, 'getMonitor', { query })
    const sum = (of: 'allow' | 'deny') => monitor.series.reduce((all, one) => all + one[of], 0)
    expect([sum('allow'), sum('deny')]).toEqual([2, 3])
    expect(monitor.statements).toMatchObject([{ line: 3, evaluated: 2, granted: 0 }])
    const day = await owner.ok(rules, 'getMonitor', { query: { ...query, from: to - 86_400_000, step: 30 } })
    expect(day.series.reduce((all, one) => all + one.allow + one.deny, 0)).toBe(5)
    expect(monitor.topPaths[0]).toMatchObject({ path: '/b/users/u2/a.png' })
  })

  it('keep drafts by their revision', async () => {
    const kept = await owner.ok(rules, 'saveDraft', { body: { projectId, service, draft: signedIn } })
    expect(kept.draft).toBe(signedIn)
    const stale = { projectId, service, draft: own, revision: kept.revision! - 1 }
    expect((await owner.call(rules, 'saveDraft', { body: stale })).status).toBe(409)
  })

  it('keep at most 20 versions; the one in force cannot be deleted, an older one can', async () => {
    for (let version = 3; version <= 20; version++) await publish(own, version - 1, { acceptDenials: true })
    expect((await publish(own, 20, { acceptDenials: true })).body.ret.code).toBe(204010004)
    const query = { projectId, service }
    const inUse = await owner.call(rules, 'deleteRulesVersion', { params: { version: '20' }, query })
    expect(inUse.body.ret.code).toBe(204010005)
    const none = await owner.call(rules, 'deleteRulesVersion', { params: { version: '9000000000000000000' }, query })
    expect(none.status).toBe(404)
    await owner.ok(rules, 'deleteRulesVersion', { params: { version: '1' }, query })
    expect((await publish(own, 20, { acceptDenials: true })).body.version).toBe(21)
  })

  it('of another team do not exist', async () => {
    const stranger = await stage.person({ zone: 'DE' })
    const query = { projectId, service }
    expect((await stranger.call(rules, 'getRules', { query, zone: 'DE' })).status).toBe(404)
    expect((await stranger.call(rules, 'listDecisions', { query, zone: 'DE' })).status).toBe(404)
    const reader = await stage.person({ team: owner.teamId, roles: ['marketing'], zone: 'DE' })
    const body = { projectId, service, source: own, baseVersion: 21 }
    expect((await reader.call(rules, 'publishRules', { body, zone: 'DE' })).status).toBe(403)
  })

  it('can be turned off by their name only', async () => {
    const query = { projectId, service, confirm: 'yes' }
    expect((await owner.call(rules, 'turnRulesOff', { query })).status).toBe(400)
    await owner.ok(rules, 'turnRulesOff', { query: { ...query, confirm: service } })
    expect(await inForce()).toBeNull()
  })

  it('ask for rows only when nothing else decides', async () => {
    const text = source('request.auth.uid == uid || clouddb.exists(/main/Friend/$(request.auth.uid)/$(uid))')
    expect((await publish(text, 0, { acceptDenials: true })).status).toBe(200)
    const ruleset = (await inForce())!
    const { server } = stage.booted
    expect(decideNow(server, scope(), ruleset, request('u1', 'u1'))?.allowed).toBe(true)
    expect(decideNow(server, scope(), ruleset, request('u1', 'u2'))).toBeNull()
    expect((await decide(server, scope(), ruleset, request('u1', 'u2'))).allowed).toBe(false)
  })

  it('forget the requests of a deleted user, and all after a week', async () => {
    const { server } = stage.booted
    const left = () => stage.sql('DE', 'SELECT 1 FROM rules_decisions WHERE uid = $1', ['u1'])
    await ask('u1', 'u2')
    await owner.ok(rules, 'listDecisions', { query: { projectId, service } })
    expect((await left()).length).toBeGreaterThan(0)
    await systemContext(server, 'DE', { name: 'test', teamId: owner.teamId }).transact(async ctx => {
      const data = { projectId, uid: 'u1', eraseData: true }
      ctx.emit({ type: 'app_auth.user_deleted', entity: 'app_user', entityId: 'u1', data })
    })
    await stage.settle()
    expect(await left()).toEqual([])
    await ask(null, 'u2')
    await owner.ok(rules, 'listDecisions', { query: { projectId, service } })
    stage.clock.turn(8 * 86_400_000)
    await stage.booted.worker.sweep()
    expect(await stage.sql('DE', 'SELECT 1 FROM rules_decisions')).toEqual([])
  })
})
