import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { storage } from '../../storage/contract.ts'
import { storageFiles } from '../../storage/files/contract.ts'
import { newStorage, setLevel } from '../../storage/storage.testkit.ts'
import { functionsIde } from '../contract.ts'
import { source, until } from '../functions.testkit.ts'
import { functionInvoke, functionQueue } from './contract.ts'
import { alarmEveryMs } from './rules.ts'

let stage: Stage
let owner: Person
let projectId = ''
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Telling' } })).projectId
})
afterAll(() => stage.close())

let made = 0
/** A function that tells of its end, and a call of it that has ended and was told. */
async function ended(content: string, settings: object) {
  const functionName = `telling-${++made}`
  const body = { projectId, functionName, files: source(content) }
  const { functionId } = (await owner.ok(functionsIde, 'createFunctionWithCode', { body })).function
  await owner.ok(functionQueue, 'putAsyncConfig', {
    params: { functionId },
    body: { qualifier: '$latest', maxRetry: 0, maxAgeSec: 3600, ...settings },
  })
  const call = async (payload: object) => {
    const asked = { params: { functionName }, query: { projectId }, body: { mode: 'ASYNC' as const, payload } }
    const { requestId } = JSON.parse((await owner.call(functionInvoke, 'invokeFunction', asked)).text) as {
      requestId: string
    }
    const look = async () => {
      await stage.settle()
      return (await owner.ok(functionQueue, 'getAsyncCall', { params: { functionId, requestId } })).call
    }
    const { told } = await until(look, found => found.told !== null && found.told.outcome !== 'HANDED_OVER')
    return { requestId, told }
  }
  return { functionId, functionName, call }
}

describe('who is to hear of the end', () => {
  it('is a file also where PostgreSQL keeps no text of what is told', async () => {
    const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'odd-calls' } })
    const content = `exports.handler = async event => ({ was: event.text, own: 'c\\0\\ud800' })`
    const { call } = await ended(content, { onSuccess: { kind: 'STORAGE', target: bucketId } })
    const { requestId, told } = await call({ text: 'a\0b' })
    expect(told?.outcome).toBe('WRITTEN')
    const path = `${requestId}.json`
    const { downloadUrl } = await owner.ok(storageFiles, 'queryDetail', { body: { bucketId, path } })
    const { pathname, search } = new URL(downloadUrl)
    const file = (await stage.app.inject({ url: pathname + search })).json()
    expect(file).toMatchObject({ event: { text: 'a\0b' }, result: { was: 'a\0b', own: 'c\0\ud800' } })
  })

  it('is a file in a bucket of the project, and no other bucket', async () => {
    const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: 'ended-calls' } })
    const elsewhere = await newStorage(stage, await stage.person())
    const content = `exports.handler = async event => ({ ...event, big: 'x'.repeat(40_000) })`
    const told = async (target: string) =>
      (await ended(content, { onSuccess: { kind: 'STORAGE', target } })).call({ n: 1 })
    const written = await told(`${bucketId}/done/today/`)
    expect(written.told).toEqual({ outcome: 'WRITTEN', target: `${bucketId}/done/today/` })
    const path = `done/today/${written.requestId}.json`
    const { downloadUrl, object } = await owner.ok(storageFiles, 'queryDetail', { body: { bucketId, path } })
    const { pathname, search } = new URL(downloadUrl)
    const file = (await stage.app.inject({ url: pathname + search })).json()
    expect(file).toMatchObject({ requestId: written.requestId, state: 'SUCCESS', event: { n: 1 }, result: { n: 1 } })
    expect(object).toMatchObject({ contentType: 'application/json' })
    expect((await told(`${elsewhere.bucketId}/done`)).told?.outcome).toBe('MISSING')
    await setLevel(stage, { projectId, bucketId }, 'SUSPENDED')
    expect((await told(bucketId)).told?.outcome).toBe('REFUSED')
  })

  it('is the people who may edit functions, once in ten minutes', async () => {
    const content = `exports.handler = async () => { throw new TypeError('bad') }`
    const failing = await ended(content, { onFailure: { kind: 'ALARM', target: 'functions.edit' } })
    // The ten minutes begin by the clock: both calls are to end within the same.
    stage.clock.turn(alarmEveryMs - (stage.clock.now() % alarmEveryMs))
    for (const n of [1, 2]) expect((await failing.call({ n })).told?.outcome).toBe('ALARMED')
    const rows = await stage.sql<{ title: { en: string }; text: { en: string }; href: string }>(
      'CN',
      `SELECT title, text, href FROM notices WHERE kind = 'functions.callFailed' AND entity_id = $1`,
      [failing.functionId],
    )
    expect(rows).toMatchObject([
      {
        title: { en: `An asynchronous call of ${failing.functionName}:$latest has failed` },
        href: `/functions/${failing.functionId}?tab=queue`,
      },
    ])
    expect(rows[0]?.text.en).toContain('TypeError')
  })
})
