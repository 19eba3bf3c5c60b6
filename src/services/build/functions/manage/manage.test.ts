import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { type FunctionStage, openFunctions, publish, source } from '../functions.testkit.ts'
import { functionManage } from './contract.ts'

let app: FunctionStage
beforeAll(async () => {
  app = await openFunctions({ config: { containers: 'off' } })
})
afterAll(() => app.close())

describe('functions in the words of the container service', () => {
  it('are the same that the editor has', async () => {
    const { owner, projectId } = app
    const made = await owner.ok(functionManage, 'createManagedFunction', {
      body: { projectId, functionName: 'contained' },
    })
    const { functionId } = made
    expect((await app.run('contained', { name: 'Ada' })).result).toEqual({ hello: 'Ada' })
    const files = source(`exports.handler = async () => 'changed'`)
    const { revision } = made.function
    const body = { functionId, revision, files }
    const { function: coded } = await owner.ok(functionManage, 'uploadManagedCode', { body })
    expect((await app.run('contained')).result).toBe('changed')
    const late = await owner.call(functionManage, 'updateManagedFunction', {
      body: { functionId, revision, memoryMb: 512 },
    })
    expect(late.status).toBe(409)
    const wish = { functionId, revision: coded.revision, memoryMb: 512 }
    await owner.ok(functionManage, 'updateManagedFunction', { body: wish })
    const seen = await owner.ok(functionsIde, 'getFunction', { params: { functionId } })
    expect(seen.function.config.memoryMb).toBe(512)
    expect(await owner.ok(functionManage, 'getManagedFunction', { query: { functionId } })).toMatchObject(
      seen as object,
    )
    const { list } = await owner.ok(functionManage, 'listManagedFunctions', { query: { projectId } })
    expect(list.map(one => one.functionId)).toEqual([functionId])
  })

  it('have the same versions, aliases and copies', async () => {
    const { owner } = app
    const { functionId } = await app.create(`exports.handler = async () => 'one'`)
    await publish(owner, functionId)
    const query = { functionId }
    const { list: versions } = await owner.ok(functionManage, 'listManagedVersions', { query })
    expect(versions.map(one => one.version)).toEqual(['$latest', '1'])
    const body = { functionId, name: 'live', version: '1' }
    const { alias } = await owner.ok(functionManage, 'createManagedAlias', { body })
    const named = { functionId, name: 'live' }
    expect((await owner.ok(functionAliases, 'getAlias', { params: named })).alias).toMatchObject({ version: '1' })
    const led = { ...named, revision: alias.revision, version: '$latest' }
    await owner.ok(functionManage, 'updateManagedAlias', { body: led })
    expect((await owner.ok(functionManage, 'getManagedAlias', { query: named })).alias.version).toBe('$latest')
    expect((await owner.ok(functionManage, 'listManagedAliases', { query })).total).toBe(1)
    const { config } = await owner.ok(functionManage, 'getVersionInstances', { query: { ...query, qualifier: 'live' } })
    const { live: _live, ...settings } = config
    const set = { functionId, ...settings, qualifier: 'live', minInstances: 0, maxInstances: 3 } as {
      revision?: number
    }
    delete set.revision
    const { config: now } = await owner.ok(functionManage, 'setVersionInstances', { body: set as never })
    expect([now.qualifier, now.maxInstances]).toEqual(['live', 3])
    const copies = await owner.ok(functionManage, 'listManagedInstances', { query })
    const known = await app.pods(functionId)
    expect(known.length).toBeGreaterThan(0)
    expect(copies.list.map(one => [one.podId, one.version])).toEqual(known.map(one => [one.podId, '$latest']))
    const led2 = await owner.ok(functionManage, 'getVersionInstances', { query: { ...query, qualifier: 'live' } })
    expect(led2.list.map(one => one.podId)).toEqual(known.map(one => one.podId))
    await owner.ok(functionManage, 'deleteManagedAlias', { query: named })
    await owner.ok(functionManage, 'deleteManagedFunction', { query })
    expect((await owner.call(functionManage, 'getManagedFunction', { query })).status).toBe(404)
  })

  it('of another team are not there', async () => {
    const { functionId } = await app.create(`exports.handler = async () => 'own'`)
    const stranger = await app.stage.person()
    const query = { functionId }
    for (const name of [
      'getManagedFunction',
      'listManagedVersions',
      'listManagedAliases',
      'listManagedInstances',
      'getVersionInstances',
    ] as const)
      expect([name, (await stranger.call(functionManage, name, { query })).status]).toEqual([name, 404])
    const { projectId } = app
    expect((await stranger.call(functionManage, 'listImages', { query: { projectId } })).status).toBe(404)
  })
})

describe('images', () => {
  it('are none where no container engine is, and the call says what is missing', async () => {
    const { owner, projectId } = app
    const { list, support } = await owner.ok(functionManage, 'listImages', { query: { projectId } })
    expect(list).toEqual([])
    expect(support).toMatchObject({ canRun: false, install: expect.stringContaining('apt-get install podman runc') })
    expect(support.why).toContain('LOGGIA_CONTAINERS=off')
  })
})
