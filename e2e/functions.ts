import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import { functionAliases } from '../src/services/build/functions/aliases/contract.ts'
import { functionCanary } from '../src/services/build/functions/canary/contract.ts'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { functionGovernance } from '../src/services/build/functions/governance/contract.ts'
import { defaults } from '../src/services/build/functions/governance/rules.ts'
import { functionGroups } from '../src/services/build/functions/groups/contract.ts'
import { functionLayers } from '../src/services/build/functions/layers/contract.ts'
import { functionInvoke, functionQueue } from '../src/services/build/functions/queue/contract.ts'
import { functionScaling } from '../src/services/build/functions/scaling/contract.ts'
import { defaultManager } from '../src/services/build/functions/scaling/rules.ts'
import { functionTesting } from '../src/services/build/functions/testing/contract.ts'
import { functionTriggers } from '../src/services/build/functions/triggers/contract.ts'
import { preload } from '../src/services/build/preload/contract.ts'
import { preloadData } from '../src/services/build/preload/device/contract.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import type { Visitor } from './loggia.ts'

/** A function with two versions, an alias over both, a kept event and some calls; the pages that show them. */
export async function deployFunction(owner: Visitor, projectId: string): Promise<string[]> {
  const content = (greeting: string) =>
    `const places = require('./lib/places')\n\nexports.handler = async event => {\n  console.log('asked by', event.name)\n  if (!event.name) throw new Error('nobody asks')\n  return { ${greeting}: event.name, near: places[0] }\n}\n`
  const files = (greeting: string) => [
    { path: 'index.js', content: content(greeting), encoding: 'utf8' as const },
    { path: 'lib/places.js', content: `module.exports = ['harbour', 'lighthouse']\n`, encoding: 'utf8' as const },
  ]
  const body = { projectId, functionName: 'greet-visitors', description: 'Answers who comes in', files: files('hello') }
  const { functionId } = await owner.ok(functionsIde, 'createFunctionWithCode', { body })
  await owner.ok(functionsIde, 'publishVersion', { body: { functionId, description: 'The first' } })
  const params = { functionId }
  const { function: first } = await owner.ok(functionsIde, 'getFunction', { params })
  await owner.ok(functionsIde, 'updateCode', { params, body: { revision: first.revision, files: files('welcome') } })
  await owner.ok(functionsIde, 'publishVersion', { body: { functionId, description: 'Says welcome' } })
  const additional = { version: '2', mode: 'WEIGHT' as const, weight: 20 }
  await owner.ok(functionAliases, 'createAlias', { params, body: { name: 'live', version: '1', additional } })
  const event = { params: { functionId, name: 'a visitor' }, body: { content: '{"name":"Ada"}' } }
  await owner.ok(functionTesting, 'createTestEvent', event)
  for (const name of ['Ada', '', 'Bo']) {
    const call = { params: { a: 'greet-visitors', b: 'live' }, query: { projectId }, body: { event: { name } } }
    await owner.ok(functionTesting, 'testFunction', call)
  }
  await addTriggers(owner, functionId)
  for (const payload of [{ name: 'Ada' }, {}]) {
    const call = { params: { functionName: 'greet-visitors' }, query: { projectId } }
    await owner.call(functionInvoke, 'invokeFunction', { ...call, body: { mode: 'ASYNC', payload } })
  }
  await govern(owner, projectId, functionId)
  const tabs = ['code', 'versions', 'triggers', 'calls', 'queue', 'governance', 'scaling', 'settings'].map(
    tab => `/functions/${functionId}?projectId=${projectId}&tab=${tab}`,
  )
  const lists = [`/functions?projectId=${projectId}&zone=CN`, `/functions?projectId=${projectId}&zone=CN&q=nobody`]
  await releaseTogether(owner, projectId, functionId)
  const groups = `/function-groups?projectId=${projectId}&zone=CN`
  const preloaded = await preloadFirstPage(owner, projectId)
  return [...lists, groups, preloaded, `/function-layers?projectId=${projectId}&zone=CN`, ...tabs]
}

/** A breaker, copies that are reserved, a floor by the clock, a layer that is used and a canary on its way. */
async function govern(owner: Visitor, projectId: string, functionId: string): Promise<void> {
  const params = { functionId }
  await owner.ok(functionGovernance, 'createCircuitBreaker', { params, body: { spec: defaults.CIRCUITBREAKER } })
  await owner.ok(functionScaling, 'setManagerConfig', { params, body: { ...defaultManager, minInstances: 1 } })
  const cron = { cron: '0 */6 * * *', timezone: 'Asia/Shanghai', holdMinutes: 120, count: 2 }
  const rule = { name: 'Busy hours', qualifier: '$latest', kind: 'CRON' as const, cron }
  await owner.ok(functionScaling, 'createScalingRule', { params, body: rule })
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from(`module.exports = 'north'`), 'node_modules/compass/index.js')
  zip.end()
  const fileKey = await owner.upload(await buffer(zip.outputStream), 'compass.zip', 'tmp')
  const body = { projectId, name: 'compass', description: 'Where north is', fileKey }
  const { layer } = await owner.ok(functionLayers, 'createLayer', { body })
  const { function: now } = await owner.ok(functionsIde, 'getFunction', { params })
  const layers = [{ layerId: layer.layerId, number: 1 }]
  await owner.ok(functionsIde, 'updateFunction', { params, body: { revision: now.revision, layers } })
  const steps = [5, 25, 50].map(weight => ({ weight, holdMinutes: 60 }))
  await owner.ok(functionCanary, 'startCanary', {
    params: { functionId, name: 'live' },
    body: { version: '2', steps, limits: { errorPercent: 5, p95Ms: 500, minimumCalls: 20 } },
  })
}

/** What an app of the project shows first, asked for by a device. */
async function preloadFirstPage(owner: Visitor, projectId: string): Promise<string> {
  const { list } = await owner.ok(apps, 'listApps', { query: { projectId } })
  const appId = list[0]?.appId ?? ''
  const settings = { isEnabled: true, timeoutSec: 5, cacheTtlSec: 600 }
  const from = { source: 'FUNCTION' as const, functionName: 'note-visits' }
  await owner.ok(preload, 'createPolicy', { body: { appId, kind: 'INSTALL', ...from, ...settings } })
  const device = { params: { appId, kind: 'INSTALL' as const }, query: { params: 'language=en' } }
  for (let turn = 0; turn < 3; turn++) await owner.call(preloadData, 'fetchPreload', device)
  return `/preload?projectId=${projectId}&zone=CN&appId=${appId}`
}

/** A group of two functions, released once; the alias of one was led elsewhere since. */
async function releaseTogether(owner: Visitor, projectId: string, functionId: string): Promise<void> {
  const { functionId: second } = await owner.ok(functionsIde, 'createFunction', {
    body: { projectId, functionName: 'note-visits', description: 'Writes down who came' },
  })
  await owner.ok(functionsIde, 'publishVersion', { body: { functionId: second } })
  const { service } = await owner.ok(functionGroups, 'createService', {
    body: {
      projectId,
      name: 'Visits',
      description: 'Greeting and book',
      aliasName: 'together',
      functionIds: [functionId, second],
    },
  })
  const { serviceId, revision } = service
  await owner.ok(functionGroups, 'releaseService', { body: { serviceId, revision, description: 'The first of both' } })
  const params = { functionId, name: 'together' }
  const { alias } = await owner.ok(functionAliases, 'getAlias', { params })
  await owner.ok(functionAliases, 'updateAlias', { params, body: { revision: alias.revision, version: '1' } })
}

/** One trigger of each kind, one of them off; who hears how a call ended. */
async function addTriggers(owner: Visitor, functionId: string): Promise<void> {
  const wanted = [
    { typeCode: 'HTTP', name: 'public address', config: { authType: 'none' } },
    { typeCode: 'CRON', name: 'every morning', config: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' } },
    {
      typeCode: 'CLOUDDB',
      name: 'paid orders',
      config: { objectType: 'Order', events: ['UPDATE'], fields: ['state'] },
    },
    {
      typeCode: 'CLOUDSTORAGE',
      name: 'new photos',
      config: { events: ['FINALIZE'], prefix: 'photos/', suffix: '.jpg' },
    },
    { typeCode: 'AUTH', name: 'new users', config: { events: ['USER_CREATED', 'SIGN_IN'] } },
    { typeCode: 'EVENT', name: 'visits', config: { topic: 'visits.ended' }, isEnabled: false },
  ] as const
  const params = { functionId }
  for (const one of wanted)
    await owner.ok(functionTriggers, 'createTrigger', { params, body: { ...one, qualifier: 'live' } as never })
  const onSuccess = { kind: 'STORAGE' as const, target: 'visits/done/' }
  const onFailure = { kind: 'ALARM' as const, target: 'functions.edit' as const }
  await owner.ok(functionQueue, 'putAsyncConfig', {
    params,
    body: { qualifier: '$latest', maxRetry: 1, maxAgeSec: 3600, onSuccess, onFailure },
  })
}
