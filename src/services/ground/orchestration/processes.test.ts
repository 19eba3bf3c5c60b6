import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idsOf } from '../../../testkit/ids.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { effectiveOf } from './active-processes.ts'
import { checkDefinition } from './checking.ts'
import { orchestration } from './contract.ts'
import { invocationOf, processName } from './rules.ts'
import { shippedDefinitions } from './shipped.ts'

let stage: Stage
let owner: Person
let powerless: Person
let ids: Record<string, unknown>
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  powerless = await stage.person({ team: owner.teamId, roles: [] })
  ids = await idsOf(stage, owner)
})
afterAll(() => stage.close())

const invoke = (who: Person, name: string, input: object = {}, headers: Record<string, string> = {}) => {
  const [definition = '', process = ''] = name.split('/')
  return who.call(orchestration, 'invokeByPath', { params: { definition, process }, body: input, headers })
}

/** The process names of section 7 of the specification. */
const named = [
  ...['getCompleteAppInfo', 'getCompleteAppVersionInfo', 'queryMenuAndVersionInfo', 'queryMenuAppAndProjectInfo'],
  ...['GetSignInfoAppID', 'AppTransCheck', 'getUserInfo', 'getHomePageInfo', 'getCompleteMaterialTestListInfo'],
  ...['GetApplistInitInfo', 'getTeamMemberList', 'getUserBriefInfo', 'getFileAuthCode', 'getUserDetailInfo'],
  ...['queryWhiteList', 'queryApkList', 'queryRpkList', 'queryWpkList', 'queryAppList', 'getServiceStatus'],
  ...['queryInfoCenterInfo', 'getPioneerTestInfo', 'moveTempFileToNormal', 'ogwGetAppInfoExtra', 'getInfo'],
  ...['manageDevComment', 'queryDevComment', 'submit', 'queryDetectionTask', 'queryAclPermissionInfo'],
]

describe('the definitions that come with the program', () => {
  const active = new Map(shippedDefinitions.map(one => [processName(one), one]))

  it.each(shippedDefinitions.map(one => ({ name: processName(one), one })))('$name is sound', ({ one }) => {
    const world = { inside: stage.booted.server.inside, processOf: (name: string) => active.get(name) }
    expect(checkDefinition(one, world).problems).toEqual([])
    if (one.sameAs) expect(checkDefinition(effectiveOf(one, active) ?? one, world).problems).toEqual([])
  })

  it('every process that the specification names is a definition, and the Harmony variants are', () => {
    const plain = shippedDefinitions.filter(one => !one.definitionId.startsWith('harmony-'))
    expect(new Set(plain.map(one => one.processId))).toEqual(new Set(named))
    expect(shippedDefinitions.length - plain.length).toBe(23)
  })

  it('a Harmony variant that is equal shares by reference', () => {
    const shared = shippedDefinitions.filter(one => one.sameAs !== undefined)
    expect(shared.length).toBeGreaterThan(15)
    for (const one of shared) expect([one.steps, one.output]).toEqual([undefined, undefined])
  })

  const input = () => ({
    ...{ appId: ids['appId'], projectId: ids['projectId'], versionId: ids['versionId'], appIds: [ids['appId']] },
    ...{ toProjectId: ids['projectId'], groups: ['early-access'], fileName: 'a.png', size: 10, bizTag: 'app_img' },
  })
  const writing = ['moveTempFileToNormal', 'manageDevComment', 'submit']

  it.each(shippedDefinitions.filter(one => !writing.includes(one.processId)).map(processName))(
    '%s answers data for a team that has one of everything',
    async name => {
      const key = { 'idempotency-key': name.replace('/', '-') }
      const { status, body } = await invoke(owner, name, input(), key)
      expect([status, body.ret]).toEqual([200, { code: 0, msg: 'success' }])
      // The app is for Android, and the tests of store pages refuse one in the face for HarmonyOS.
      const refused = name === 'harmony-material/getCompleteMaterialTestListInfo' ? ['tests'] : []
      expect(body.partial.map(one => one.step)).toEqual(refused)
      expect(Object.keys(body.data as object).length).toBeGreaterThan(0)
    },
  )
})

describe('invokeService', () => {
  it('takes the process from the path, or with the input from the payload, and both do the same', async () => {
    const byPath = await invoke(owner, 'app/queryAppList', { pageSize: 5 })
    for (const call of ['invoke', 'invokeAtRoot'] as const) {
      const body = { definitionId: 'app', processId: 'queryAppList', pageSize: 5 }
      expect((await owner.call(orchestration, call, { body })).body).toEqual(byPath.body)
    }
  })

  it('environment value development changes URL building for orchestration calls', () => {
    const process = { definitionId: 'app', processId: 'queryAppList' }
    expect(invocationOf('development', process, { pageSize: 5 })).toEqual({
      path: '/invokeService',
      body: { definitionId: 'app', processId: 'queryAppList', pageSize: 5 },
    })
    expect(invocationOf('production', process, { pageSize: 5 })).toEqual({
      path: '/invokeService/app/queryAppList',
      body: { pageSize: 5 },
    })
  })

  it('an unknown process is 404 204280004', async () => {
    const { status, body } = await invoke(owner, 'app/none')
    expect([status, body.ret.code]).toEqual([404, 204280004])
  })

  it('a visitor is 401, and the header of another team is refused', async () => {
    expect((await invoke(stage.anybody, 'user/getUserInfo')).status).toBe(401)
    const stranger = await stage.person()
    const { status } = await invoke(stranger, 'app/queryAppList', {}, { teamid: owner.teamId })
    expect(status).toBe(403)
  })

  it("another team's app is 404 with the step that asked for it", async () => {
    const stranger = await stage.person()
    const { status, body } = await invoke(stranger, 'app/getCompleteAppInfo', { appId: ids['appId'] })
    expect([status, body.ret.code, body['step'], body['code']]).toEqual([404, 204281002, 'app', 204160006])
  })

  it('every inner call goes with the rights of the caller: a required one without the permission fails the whole', async () => {
    const { status, body } = await invoke(powerless, 'app/queryAppList')
    expect([status, body['step'], body['code']]).toEqual([403, 'apps', 204160004])
  })

  it('an optional step without the permission leaves the rest, and an entry in partial', async () => {
    const { status, body } = await invoke(powerless, 'home/getHomePageInfo')
    expect([status, body.partial.map(one => [one.step, one.code])]).toEqual([
      200,
      expect.arrayContaining([
        ['team', 204160004],
        ['todo', 204160004],
      ]),
    ])
    expect((body.data as { menu: unknown[] }).menu.length).toBeGreaterThan(0)
  })

  it('what the input lacks is told with the fields of the call', async () => {
    const { status, body } = await invoke(owner, 'app/getCompleteAppInfo')
    expect([status, body.ret.code, body.fields?.[0]]).toEqual([
      400,
      204281002,
      { in: 'query', pointer: '/appId', rule: 'required', message: 'is missing' },
    ])
  })

  it('queryAclPermissionInfo is the permission map of the caller', async () => {
    const { body } = await invoke(powerless, 'team/queryAclPermissionInfo')
    expect(body.data).toMatchObject({ userPermission: {}, userRoles: [] })
    const leader = await invoke(owner, 'harmony-permission/queryAclPermissionInfo')
    expect(leader.body.data).toMatchObject({ userPermission: { 'apps.create': 'Y' }, userRoles: ['leader'] })
  })

  it('a process that writes needs an Idempotency-Key, and does it once for a key', async () => {
    const input = { fileName: 'a.png', size: 10, bizTag: 'app_img' }
    expect((await invoke(owner, 'file/getFileAuthCode', input)).body.ret.code).toBe(201130001)
    const key = { 'idempotency-key': 'once-and-again' }
    const first = await invoke(owner, 'file/getFileAuthCode', input, key)
    const again = await invoke(owner, 'file/getFileAuthCode', input, key)
    expect(first.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
    const other = await invoke(owner, 'file/getFileAuthCode', { ...input, size: 11 }, key)
    expect([other.status, other.body['code']]).toEqual([409, 200000008])
  })

  it('a key that is none is refused, and no header can be injected with it', async () => {
    const { status, body } = await invoke(owner, 'file/getFileAuthCode', {}, { 'idempotency-key': 'a b' })
    expect([status, body.fields?.[0]?.pointer]).toEqual([400, '/idempotency-key'])
  })

  it('the trace is for staff only', async () => {
    expect((await invoke(owner, 'user/getUserInfo')).body.trace).toBeUndefined()
  })

  it('the audit of an inner call names the person, as from outside', async () => {
    const objectId = ids['objectId']
    const input = { appId: ids['appId'], objectId }
    const { status, body } = await invoke(owner, 'file/moveTempFileToNormal', input, { 'idempotency-key': 'move-1' })
    const { pkgId } = body.data as { pkgId: string }
    expect([status, pkgId]).toEqual([200, expect.any(String)])
    const [row] = await stage.sql('CN', `SELECT state FROM file_objects WHERE object_id = $1`, [objectId])
    expect(row).toEqual({ state: 'NORMAL' })
    const audits = await stage.sql('CN', `SELECT actor FROM audit WHERE entity_id = $1`, [pkgId])
    expect(audits).toContainEqual({ actor: `user:${owner.accountId}` })
  })
})
