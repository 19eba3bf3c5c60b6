import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../../../ground/projects/contract.ts'
import { type FunctionStage, openFunctions } from '../functions.testkit.ts'
import { functionInvoke } from '../queue/contract.ts'
import { functionsNewer } from './contract.ts'

let app: FunctionStage
let urn = ''
beforeAll(async () => {
  app = await openFunctions()
})
afterAll(() => app.close())

const inline = (code: string) => ({ code_type: 'inline', func_code: { file: Buffer.from(code).toString('base64') } })
const echo = `exports.handler = async (event, context) => new context.HTTPResponse(JSON.stringify({ path: event.path, q: event.queryStringParameters, sent: event.headers?.['x-own'], cookie: event.headers?.cookie ?? null }), { 'x-said': 'yes' }, 'application/json', 418)`

describe('the field’s other words for functions, in the console', () => {
  it('are the same function that the editor has', async () => {
    const { owner, projectId } = app
    const made = await owner.ok(functionsNewer, 'createNewerFunction', {
      query: { projectId },
      body: { func_name: 'in-words', runtime: 'Node.js24', timeout: 4, memory_size: 128, ...inline(echo) },
    })
    urn = made.func_urn
    const { functions, count } = await owner.ok(functionsNewer, 'listNewerFunctions', { query: { projectId } })
    expect([count, functions[0]?.func_id]).toEqual([1, made.func_id])
    const params = { urn }
    const body = { timeout: 9, user_data: '{"A":"b"}', strategy_config: { concurrency: 3 } }
    const changed = await owner.ok(functionsNewer, 'changeFunctionConfig', { params, body })
    expect(changed).toMatchObject({ timeout: 9, user_data: '{"A":"b"}', strategy_config: { concurrency: 3 } })
    expect(await owner.ok(functionsNewer, 'showFunctionConfig', { params })).toMatchObject({ timeout: 9 })
    const code = `exports.handler = async () => 'changed'`
    await owner.ok(functionsNewer, 'changeFunctionCode', { params, body: inline(code) })
    const shown = await owner.ok(functionsNewer, 'showFunctionCode', { params })
    const zip = Buffer.from(shown.func_code?.file ?? '', 'base64')
    expect(zip.subarray(0, 2).toString()).toBe('PK')
    const call = { params: { functionName: 'in-words' }, query: { projectId }, body: {} }
    expect((await owner.call(functionInvoke, 'invokeFunction', call)).body).toBe('changed')
    await owner.ok(functionsNewer, 'changeFunctionCode', { params, body: inline(echo) })
  })

  it('switch a function off by a concurrency of none, and on again', async () => {
    const { owner, projectId } = app
    const set = (concurrency: number) =>
      owner.ok(functionsNewer, 'changeFunctionConfig', { params: { urn }, body: { strategy_config: { concurrency } } })
    const call = () => {
      const wish = { params: { functionName: 'in-words' }, query: { projectId }, body: {} }
      return owner.call(functionInvoke, 'invokeFunction', wish)
    }
    await set(0)
    expect((await call()).status).toBe(503)
    await set(-1)
    expect((await call()).status).toBe(418)
  })

  it('call it over HTTP and show the whole answer, failed or not', async () => {
    const { owner, projectId } = app
    const proxy = (body: object) =>
      owner.ok(functionsNewer, 'proxyFunction', { params: { functionName: 'in-words' }, query: { projectId }, body })
    const shown = await proxy({ path: '/a/b?x=1', headers: { 'X-Own': 'mine', Cookie: 'secret' } })
    expect(shown).toMatchObject({ status: 418, headers: { 'x-said': 'yes' }, isBase64Encoded: false })
    expect(JSON.parse(shown.body)).toEqual({ path: '/a/b', q: { x: '1' }, sent: 'mine', cookie: null })
    const code = `exports.handler = () => { throw new Error('no bread') }`
    await owner.ok(functionsNewer, 'changeFunctionCode', { params: { urn }, body: inline(code) })
    const failed = await proxy({ method: 'POST', body: 'x' })
    expect([failed.status, JSON.parse(failed.body).ret.code]).toEqual([500, 210500002])
  })

  it('set triggers and take them away', async () => {
    const { owner } = app
    const timer = { name: 'nightly', schedule_type: 'Cron', schedule: '0 0 3 * * ?' }
    const made = await owner.ok(functionsNewer, 'createTriggerOfUrn', {
      params: { urn },
      body: { trigger_type_code: 'TIMER', event_data: timer },
    })
    const params = { urn, triggerTypeCode: 'TIMER', triggerId: made.trigger_id }
    const off = { params, body: { trigger_status: 'DISABLED' as const } }
    expect((await owner.ok(functionsNewer, 'changeTriggerOfUrn', off)).trigger_status).toBe('DISABLED')
    expect((await owner.ok(functionsNewer, 'showTriggerOfUrn', { params })).event_data).toMatchObject({
      name: 'nightly',
    })
    const wrongKind = { params: { ...params, triggerTypeCode: 'APIG' } }
    expect((await owner.call(functionsNewer, 'showTriggerOfUrn', wrongKind)).status).toBe(404)
    expect((await owner.ok(functionsNewer, 'listTriggersOfUrn', { params: { urn } })).total).toBe(1)
    await owner.ok(functionsNewer, 'deleteTriggerOfUrn', { params })
    await owner.ok(functionsNewer, 'deleteTriggersOfUrn', { params: { urn } })
    expect((await owner.ok(functionsNewer, 'listTriggersOfUrn', { params: { urn } })).total).toBe(0)
  })

  it('take an uploaded package by its key, and give packages back', async () => {
    const { owner, stage } = app
    const download = await owner.call(functionsNewer, 'downloadFunctionObject', { body: { func_urn: urn } })
    expect(download.status).toBe(200)
    const { func_code } = await owner.ok(functionsNewer, 'showFunctionCode', { params: { urn } })
    const zip = Buffer.from(func_code?.file ?? '', 'base64')
    const to = await owner.ok(functionsNewer, 'uploadFunctionObject', {
      body: { file_name: 'a.zip', size: zip.length },
    })
    const url = new URL(to.upload_url, 'http://x')
    const sent = await stage.app.inject({
      method: 'PUT',
      url: url.pathname + url.search,
      headers: to.headers,
      payload: zip,
    })
    expect(sent.statusCode).toBe(200)
    const body = { code_type: 'obs', code_url: to.object_key }
    await owner.ok(functionsNewer, 'changeFunctionCode', { params: { urn }, body })
  })

  it('say what is not theirs is not there, and delete with everything of it', async () => {
    const { owner, stage } = app
    const stranger = await stage.person()
    const params = { urn }
    for (const name of ['showFunctionConfig', 'showFunctionCode', 'deleteNewerFunction', 'listTriggersOfUrn'] as const)
      expect((await stranger.call(functionsNewer, name, { params })).status).toBe(404)
    const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Other' } })
    const elsewhere = { params: { urn: urn.replace(app.projectId, projectId) } }
    expect((await owner.call(functionsNewer, 'showFunctionConfig', elsewhere)).status).toBe(404)
    const fixed = { params: { urn: urn.replace(/latest$/, '1') }, body: { timeout: 3 } }
    expect((await owner.call(functionsNewer, 'changeFunctionConfig', fixed)).status).toBe(412)
    await owner.ok(functionsNewer, 'deleteNewerFunction', { params })
    expect((await owner.call(functionsNewer, 'showFunctionConfig', { params })).status).toBe(404)
  })
})
