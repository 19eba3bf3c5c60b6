import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projects } from '../../../../ground/projects/contract.ts'
import { storageKeys } from '../../../storage/keys/contract.ts'
import { zipOf } from '../../code/packages.ts'
import { type FunctionStage, openFunctions, until } from '../../functions.testkit.ts'
import { functionQueue } from '../../queue/contract.ts'
import { functionTesting } from '../../testing/contract.ts'

const load = createRequire(import.meta.url)
const { BasicCredentials } = load('@huaweicloud/huaweicloud-sdk-core') as {
  BasicCredentials: new () => Chain
}
const kit = load('@huaweicloud/huaweicloud-sdk-functiongraph') as {
  FunctionGraphClient: { newBuilder(): Chain }
}
// biome-ignore lint/suspicious/noExplicitAny: the kit is used as a program in JavaScript uses it
type Chain = any

let app: FunctionStage
let address: string
const clientFor = (ak: string, sk: string, projectId: string): Chain =>
  kit.FunctionGraphClient.newBuilder()
    .withCredential(new BasicCredentials().withAk(ak).withSk(sk).withProjectId(projectId))
    .withEndpoint(address)
    .build()
const newKey = async (more: object = {}) => {
  const { key, secretAccessKey } = await app.owner.ok(storageKeys, 'createKey', {
    body: { projectId: app.projectId, name: 'Kit', services: ['functions'], ...more },
  })
  return { ak: key.accessKeyId, sk: secretAccessKey }
}
let client: Chain
let keys: { ak: string; sk: string }
beforeAll(async () => {
  app = await openFunctions()
  address = await app.stage.listen()
  keys = await newKey()
  client = clientFor(keys.ak, keys.sk, app.projectId)
})
afterAll(() => app.close())

const zip = async (content: string) => {
  const parts: Buffer[] = []
  for await (const part of zipOf([{ path: 'index.js', content, encoding: 'utf8' }])) parts.push(part)
  return Buffer.concat(parts).toString('base64')
}
const failing = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    error => ({ status: error.httpStatusCode, code: error.errorCode, message: error.message ?? error.errorMsg }),
  )

const echo = `exports.handler = async (event, context) => { console.log('saw', event.n); return { got: event, by: context.functionVersion, key: context.env.KEY } }`
let urn = ''
const atVersion = (version: string) => urn.replace(/:latest$/, `:${version}`)
const call = async (to: string, body: object, more: object = {}) => {
  const ran = await client.invokeFunction({ function_urn: to, 'X-CFF-Request-Version': 'v1', body, ...more })
  return { ...ran, result: JSON.parse(ran.result) }
}

describe('the public kit of the field, unmodified', () => {
  it('creates a function, finds it and reads what it is', async () => {
    const made = await client.createFunction({
      body: {
        ...{ func_name: 'from-kit', package: 'default', runtime: 'Node.js18.15', handler: 'index.handler' },
        ...{ timeout: 3, memory_size: 768, code_type: 'zip', func_code: { file: await zip(echo) } },
        ...{ user_data: '{"KEY":"plain"}', encrypted_user_data: '{"SECRET":"sealed"}', description: 'Made by the kit' },
      },
    })
    urn = made.func_urn
    expect(made).toMatchObject({
      ...{ func_name: 'from-kit', runtime: 'Node.js24', timeout: 3, memory_size: 768, version: 'latest' },
      ...{ user_data: '{"KEY":"plain"}', description: 'Made by the kit', project_name: app.projectId },
    })
    expect(urn).toBe(`urn:fss:cn:${app.projectId}:function:default:from-kit:latest`)
    expect(JSON.stringify(made)).not.toContain('sealed')
    const { functions, count } = await client.listFunctions({ maxitems: '5', func_name: 'from' })
    expect([count, functions[0].func_urn]).toEqual([1, urn])
    expect(await client.showFunctionConfig({ function_urn: urn })).toMatchObject({ func_id: made.func_id })
    const { func_code } = await client.showFunctionCode({ function_urn: urn })
    expect(func_code.file).toBe(await zip(echo))
  })

  it('calls it and waits, with its log and as it is', async () => {
    const ran = await call(urn, { n: 1 }, { 'X-Cff-Log-Type': 'tail' })
    expect(ran).toMatchObject({ status: 200, result: { got: { n: 1 }, by: '$latest', key: 'plain' } })
    expect(ran.log).toMatch(/INFO saw 1/)
    expect(ran['X-Cff-Request-Id']).toBe(ran.request_id)
    expect(await client.invokeFunction({ function_urn: urn, body: { n: 2 } })).toMatchObject({ got: { n: 2 } })
  })

  it('changes settings and code; what cannot run is refused and changes nothing', async () => {
    const settings = { func_name: 'from-kit', runtime: 'Node.js18.15', handler: 'index.handler', timeout: 5 }
    const changed = await client.updateFunctionConfig({
      function_urn: urn,
      body: { ...settings, memory_size: 512, strategy_config: { concurrency: 4, concurrent_num: 10 } },
    })
    expect(changed).toMatchObject({
      ...{ timeout: 5, memory_size: 512, strategy_config: { concurrency: 4, concurrent_num: 10 } },
      user_data: '{"KEY":"plain"}',
    })
    const file = Buffer.from(`exports.handler = async () => 'inline'`).toString('base64')
    await client.updateFunctionCode({ function_urn: urn, body: { code_type: 'inline', func_code: { file } } })
    expect((await call(urn, {})).result).toBe('inline')
    const broken = Buffer.from('exports.handler = (').toString('base64')
    const wish = { code_type: 'inline', func_code: { file: broken } }
    expect(await failing(client.updateFunctionCode({ function_urn: urn, body: wish }))).toMatchObject({
      code: '210422002',
    })
    expect((await call(urn, {})).result).toBe('inline')
    const body = { code_type: 'zip', func_code: { file: await zip(echo) } }
    await client.updateFunctionCode({ function_urn: urn, body })
  })

  it('has it called later, sees what became of it, and says who hears of it', async () => {
    const { request_id } = await client.asyncInvokeFunction({ function_urn: urn, body: { n: 3 } })
    const look = () => client.listAsyncInvocations({ function_urn: urn, request_id })
    const ended = await until(look, (found: Chain) => found.invocations[0].status === 'SUCCESS')
    expect(ended.invocations).toMatchObject([{ request_id, status: 'SUCCESS', error_code: '' }])
    const destination = { destination: 'FunctionGraph', param: JSON.stringify({ func_urn: urn }) }
    const file = { destination: 'OBS', param: JSON.stringify({ bucket: 'my-files', prefix: 'done/' }) }
    await client.updateFunctionAsyncInvokeConfig({
      function_urn: urn,
      body: {
        ...{ max_async_event_age_in_seconds: 600, max_async_retry_attempts: 1 },
        destination_config: { on_success: file, on_failure: destination },
      },
    })
    expect(await client.showFunctionAsyncInvokeConfig({ function_urn: urn })).toMatchObject({
      ...{ max_async_event_age_in_seconds: 600, max_async_retry_attempts: 1 },
      destination_config: { on_success: file, on_failure: destination },
    })
    const { func_id: functionId } = await client.showFunctionConfig({ function_urn: urn })
    const people = { kind: 'ALARM', target: 'functions.edit' }
    const read = () => app.owner.ok(functionQueue, 'getAsyncConfig', { params: { functionId }, query: {} })
    const { revision } = (await read()).asyncConfig
    const settings = { qualifier: '$latest', maxRetry: 1, maxAgeSec: 600, onSuccess: null, onFailure: people }
    await app.owner.ok(functionQueue, 'putAsyncConfig', {
      params: { functionId },
      body: { ...settings, revision: revision ?? undefined } as never,
    })
    // The kit has no word for people who are told: it changes the rest and leaves them.
    await client.updateFunctionAsyncInvokeConfig({ function_urn: urn, body: { max_async_retry_attempts: 0 } })
    expect((await read()).asyncConfig).toMatchObject({ maxRetry: 0, onFailure: people })
    await client.deleteFunctionAsyncInvokeConfig({ function_urn: urn })
    expect((await read()).asyncConfig).toMatchObject({ onFailure: null })
    expect(await client.showFunctionAsyncInvokeConfig({ function_urn: urn })).toMatchObject({
      max_async_retry_attempts: 2,
    })
  })

  it('publishes versions and leads aliases to them, by a share and by rules', async () => {
    const first = await client.createFunctionVersion({ function_urn: urn, body: { description: 'One' } })
    expect(first).toMatchObject({ version: '1', version_description: 'One', func_urn: atVersion('1') })
    await client.updateFunctionConfig({ function_urn: urn, body: { user_data: '{"KEY":"second"}' } })
    expect((await client.createFunctionVersion({ function_urn: urn, body: {} })).version).toBe('2')
    const { versions } = await client.listFunctionVersions({ function_urn: urn })
    expect(versions.map((one: Chain) => [one.version, one.user_data])).toEqual([
      ['latest', '{"KEY":"second"}'],
      ['2', '{"KEY":"second"}'],
      ['1', '{"KEY":"plain"}'],
    ])
    const alias = await client.createVersionAlias({ function_urn: urn, body: { name: 'live', version: '1' } })
    expect(alias.alias_urn).toBe(atVersion('!live'))
    expect((await call(alias.alias_urn, {})).result).toMatchObject({ by: '1', key: 'plain' })
    expect((await call(atVersion('2'), {})).result).toMatchObject({ by: '2', key: 'second' })
    const shares = { version: '1', additional_version_weights: { '2': 100 } }
    await client.updateVersionAlias({ function_urn: urn, alias_name: 'live', body: shares })
    expect((await call(alias.alias_urn, {})).result.by).toBe('2')
    const rules = [{ rule_type: 'Header', param: 'x-group', op: '=', value: 'new' }]
    const strategy = { '2': { combine_type: 'and', rules } }
    const ruled = { version: '1', additional_version_strategy: strategy }
    await client.updateVersionAlias({ function_urn: urn, alias_name: 'live', body: ruled })
    expect(await client.showVersionAlias({ function_urn: urn, alias_name: 'live' })).toMatchObject({
      ...{ version: '1', additional_version_weights: null, additional_version_strategy: strategy },
    })
    expect((await call(alias.alias_urn, {})).result.by).toBe('1')
    expect([...(await client.listVersionAliases({ function_urn: urn }))]).toMatchObject([{ name: 'live' }])
    expect(await failing(client.deleteFunction({ function_urn: atVersion('1') }))).toMatchObject({
      code: '210412001',
    })
  })

  it('sets triggers of several kinds, switches them, and takes them away', async () => {
    const timer = await client.createFunctionTrigger({
      function_urn: urn,
      body: {
        ...{ trigger_type_code: 'TIMER', trigger_status: 'ACTIVE', event_type_code: 'MessageCreated' },
        event_data: { name: 'nightly', schedule_type: 'Cron', schedule: '0 15 2 * * ?', user_event: 'night' },
      },
    })
    expect(timer).toMatchObject({ trigger_type_code: 'TIMER', trigger_status: 'ACTIVE', httpStatusCode: 201 })
    expect(timer.event_data).toMatchObject({ name: 'nightly', schedule: '0 15 2 * * *', user_event: 'night' })
    const rate = { name: 'often', schedule_type: 'Rate', schedule: '5m' }
    await client.createFunctionTrigger({ function_urn: urn, body: { trigger_type_code: 'TIMER', event_data: rate } })
    const open = { trigger_type_code: 'APIG', event_data: { name: 'web', auth: 'NONE', protocol: 'HTTPS' } }
    const web = await client.createFunctionTrigger({ function_urn: atVersion('!live'), body: open })
    const reply = await fetch(web.event_data.invoke_url.replace(/^https?:\/\/[^/]+/, address))
    expect([reply.status, ((await reply.json()) as Chain).by]).toEqual([200, '1'])
    const files = { bucket: 'pictures', events: ['s3:ObjectCreated:*'], prefix: 'raw/', name: 'new files' }
    const stored = { trigger_type_code: 'OBS', event_data: files }
    expect((await client.createFunctionTrigger({ function_urn: urn, body: stored })).event_data).toMatchObject(files)
    const one = { function_urn: urn, trigger_type_code: 'TIMER', trigger_id: timer.trigger_id }
    await client.updateTrigger({ ...one, body: { trigger_status: 'DISABLED' } })
    expect(await client.showFunctionTrigger(one)).toMatchObject({ trigger_status: 'DISABLED' })
    await client.deleteFunctionTrigger(one)
    expect(await failing(client.showFunctionTrigger(one))).toMatchObject({ status: 404 })
    const left = await client.listFunctionTriggers({ function_urn: urn })
    expect(left.map((other: Chain) => other.event_data.name)).toEqual(['often', 'new files'])
    const odd = { trigger_type_code: 'TIMER', event_data: { ...rate, schedule: '7m' } }
    expect(await failing(client.createFunctionTrigger({ function_urn: urn, body: odd }))).toMatchObject({
      code: '210400016',
    })
    await client.batchDeleteFunctionTriggers({ function_urn: urn })
    expect((await client.listFunctionTriggers({ function_urn: atVersion('!live') })).length).toBe(0)
  })

  it('keeps copies ready, and says how many there are at most', async () => {
    const live = atVersion('!live')
    const body = { count: 2, idle_mode: false }
    expect(await client.updateFunctionReservedInstancesCount({ function_urn: live, body })).toMatchObject({ count: 2 })
    const { reserved_instances } = await client.listReservedInstanceConfigs({ function_urn: urn, limit: '10' })
    expect(reserved_instances).toEqual([
      { function_urn: live, qualifier_type: 'alias', qualifier_name: 'live', min_count: 2, idle_mode: false },
    ])
    const { reservedinstances } = await client.listFunctionReservedInstances({})
    expect(reservedinstances).toEqual([{ func_urn: live, count: 2 }])
    await client.updateFunctionMaxInstanceConfig({ function_urn: urn, body: { max_instance_num: 7 } })
    expect((await client.showFunctionConfig({ function_urn: urn })).strategy_config.concurrency).toBe(7)
    const tactics = { count: 1, tactics_config: { cron_configs: [{ name: 'x' }] } }
    const refused = client.updateFunctionReservedInstancesCount({ function_urn: live, body: tactics })
    expect(await failing(refused)).toMatchObject({ status: 400, code: '210400014' })
    await client.updateFunctionReservedInstancesCount({ function_urn: live, body: { count: 0 } })
  })

  it('keeps test events and reads what a project may have', async () => {
    const content = Buffer.from('{"n":9}').toString('base64')
    const made = await client.createEvent({ function_urn: urn, body: { name: 'nine of them', content } })
    const one = { function_urn: urn, event_id: made.id }
    expect(await client.showEvent(one)).toMatchObject({ name: 'nine of them', content })
    const next = Buffer.from('{"n":10}').toString('base64')
    await client.updateEvent({ ...one, body: { content: next } })
    expect((await client.showEvent(one)).content).toBe(next)
    expect((await client.listEvents({ function_urn: urn })).count).toBe(1)
    await client.deleteEvent(one)
    expect((await client.listEvents({ function_urn: urn })).count).toBe(0)
    const { quotas } = await client.listQuotas({})
    expect(quotas.resources[0]).toMatchObject({ type: 'fgs_func_num', quota: 400, used: 1 })
  })

  it('is told what went wrong by number and words', async () => {
    const body = { func_name: 'never', runtime: 'Python3.9', handler: 'index.handler', timeout: 3, memory_size: 256 }
    expect(await failing(client.createFunction({ body }))).toMatchObject({ status: 400, code: '210400013' })
    const vpc = { ...body, runtime: 'Node.js18.15', func_vpc: { vpc_id: 'x' } }
    expect(await failing(client.createFunction({ body: vpc }))).toMatchObject({ code: '210400014' })
    const name = { ...body, runtime: 'Node.js18.15', func_name: 'Not_A_Name' }
    expect(await failing(client.createFunction({ body: name }))).toMatchObject({
      code: '200000001',
      message: expect.stringContaining('/func_name'),
    })
    const thrown = await zip(`exports.handler = () => { throw new Error('no such thing') }`)
    const code = { code_type: 'zip', func_code: { file: thrown } }
    await client.createFunction({ body: { ...vpc, func_vpc: undefined, func_name: 'throws', ...code } })
    const to = urn.replace('from-kit', 'throws')
    expect(await failing(call(to, {}))).toMatchObject({ status: 500, code: '210500002', message: /no such thing/ })
    expect(await failing(call(urn.replace('from-kit', 'nobody'), {}))).toMatchObject({ status: 404 })
  })

  it('deletes a version, an alias, and the function with everything of it', async () => {
    await client.deleteVersionAlias({ function_urn: urn, alias_name: 'live' })
    await client.deleteFunction({ function_urn: atVersion('1') })
    expect((await client.listFunctionVersions({ function_urn: urn })).count).toBe(2)
    const { func_id } = await client.showFunctionConfig({ function_urn: urn })
    await client.deleteFunction({ function_urn: urn })
    expect(await failing(client.showFunctionConfig({ function_urn: urn }))).toMatchObject({ status: 404 })
    const gone = { params: { functionId: func_id }, query: {} }
    expect(await app.owner.call(functionTesting, 'listCalls', gone)).toMatchObject({ status: 404 })
    const rows = await app.stage.sql<{ actor: string }>(
      'CN',
      `SELECT actor FROM audit WHERE action = 'function.delete'`,
    )
    expect(rows).toEqual([{ actor: `key:${keys.ak}` }])
  })
})

describe('a key', () => {
  it('that only reads changes and calls nothing', async () => {
    const { ak, sk } = await newKey({ isReadOnly: true })
    const reader = clientFor(ak, sk, app.projectId)
    const found = await reader.listFunctions({})
    expect(found.count).toBe(1)
    const to = found.functions[0].func_urn
    expect(await failing(reader.deleteFunction({ function_urn: to }))).toMatchObject({ status: 403 })
    expect(await failing(reader.invokeFunction({ function_urn: to, body: {} }))).toMatchObject({ status: 403 })
  })

  it('of storage signs for no function, and one of functions for no file', async () => {
    const body = { projectId: app.projectId, name: 'Files', services: ['storage' as const] }
    expect(await app.owner.call(storageKeys, 'createKey', { body })).toMatchObject({ status: 409 })
    await app.stage.sql('home', `UPDATE storage_access_keys SET services = '{storage}' WHERE access_key_id = $1`, [
      keys.ak,
    ])
    app.stage.booted.server.signals.tellHere('home', 'storage_keys', keys.ak)
    expect(await failing(client.listFunctions({}))).toMatchObject({ status: 401, code: '210401002' })
    await app.stage.sql('home', `UPDATE storage_access_keys SET services = '{functions}' WHERE access_key_id = $1`, [
      keys.ak,
    ])
    app.stage.booted.server.signals.tellHere('home', 'storage_keys', keys.ak)
    expect((await client.listFunctions({})).count).toBe(1)
  })

  it('reaches no other project, by the address or by a URN', async () => {
    const { projectId } = await app.owner.ok(projects, 'createProject', { body: { name: 'Another' } })
    const stranger = clientFor(keys.ak, keys.sk, projectId)
    expect(await failing(stranger.listFunctions({}))).toMatchObject({ status: 404 })
    const theirs = `urn:fss:cn:${projectId}:function:default:throws:latest`
    for (const other of [theirs, theirs.replace(':cn:', ':de:'), 'urn:fss:cn:1:function:default:throws', 'nonsense'])
      expect(await failing(client.showFunctionConfig({ function_urn: other }))).toMatchObject({ status: 404 })
  })

  it('of somebody who left, or that was deleted, is worth nothing', async () => {
    const { ak, sk } = await newKey()
    const theirs = clientFor(ak, sk, app.projectId)
    await app.stage.sql('home', 'UPDATE storage_access_keys SET created_by = 1 WHERE access_key_id = $1', [ak])
    expect(await failing(theirs.listFunctions({}))).toMatchObject({ status: 401 })
    const gone = { body: { projectId: app.projectId, accessKeyId: ak } }
    await app.owner.ok(storageKeys, 'deleteKey', gone)
    expect(await failing(theirs.listFunctions({}))).toMatchObject({ status: 401, code: '210401002' })
  })
})
