import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { store } from '../contract.ts'
import { memoryOf } from '../memory.ts'
import { changeRecord, type OnShelf, putApp, putOnShelf } from '../shelf.testkit.ts'
import { storeDecision } from './contract.ts'

const packageName = 'com.example.asked'
let stage: Stage
let owner: Person
let appId: string
let newer: OnShelf
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  appId = stage.booted.server.ids.next()
  await putApp(stage, appId, owner.teamId, 'CN')
  await stage.sql('CN', 'UPDATE apps SET package_name = $2 WHERE app_id = $1', [appId, packageName])
  const ofApp = { packageName, appId, teamId: owner.teamId }
  await putOnShelf(stage, { ...ofApp, versionCode: '10', countries: ['DE', 'FR'] })
  newer = await putOnShelf(stage, { ...ofApp, versionCode: '20', minSdk: 30 })
  const phase = `'{"isRunning":true,"salt":"${appId}","percentBp":5000,"newInstalls":"FOLLOW","countries":[]}'`
  await changeRecord(stage, newer, `phase = ${phase}, min_version_code = 15`)
  await stage.heard('home')
})
afterAll(() => stage.close())

const preview = (more: Record<string, unknown> = {}) =>
  owner.ok(storeDecision, 'previewUpdate', { body: { appId, versionCode: '5', ...more } })

it('a developer is told what any device would be, and why', async () => {
  const seen = new Set<string>()
  for (let at = 0; at < 30; at++) {
    const deviceId = `device-${at}`
    const told = await preview({ deviceId })
    const [phased, full] = told.offers
    expect([phased?.standing, full?.standing]).toEqual(
      (phased?.bucket ?? 0) < 5000 ? ['OFFERED', 'NOT_REACHED'] : ['PHASE', 'OFFERED'],
    )
    expect([phased?.forced, full?.forced]).toEqual([phased?.standing === 'OFFERED', false])
    const packages = [{ packageName, versionCode: '5' }]
    const [answer] = (await stage.anybody.ok(store, 'queryUpdates', { body: { deviceId, packages } })).packages
    const offered = told.offers.find(one => one.standing === 'OFFERED')
    expect([answer?.result, answer?.versionId, answer?.forced]).toEqual([
      told.result,
      offered?.versionId,
      offered?.forced,
    ])
    seen.add(String(phased?.standing))
  }
  expect([...seen].sort()).toEqual(['OFFERED', 'PHASE'])
})

it('what does not fit a device is named, and nothing of it is forced', async () => {
  const standings = async (more: Record<string, unknown>) => {
    const { result, offers } = await preview(more)
    return [result, ...offers.map(one => one.standing), offers.some(one => one.forced)]
  }
  await changeRecord(stage, newer, 'phase = NULL')
  await stage.heard('home')
  expect(await standings({ sdk: 29 })).toEqual(['UPDATE', 'INCOMPATIBLE', 'OFFERED', false])
  expect(await standings({ sdk: 29, country: 'CN' })).toEqual(['INCOMPATIBLE', 'INCOMPATIBLE', 'COUNTRY', false])
  expect(await standings({ versionCode: '20' })).toEqual(['LATEST', 'LATEST', 'LATEST', false])
  expect(await standings({ certSha256: 'b'.repeat(64) })).toEqual([
    ...['SIGNER_MISMATCH', 'SIGNER_MISMATCH', 'SIGNER_MISMATCH'],
    false,
  ])
  expect(await standings({ versionCode: '0' })).toEqual(['UPDATE', 'OFFERED', 'NOT_REACHED', false])
})

it('counts as no offer, and is told to nobody else', async () => {
  await memoryOf(stage.booted.server).tallies.flush.stop()
  const [before] = await stage.sql<{ amount: string }>(
    'CN',
    'SELECT coalesce(sum(amount), 0) AS amount FROM store_counts',
  )
  await preview()
  await memoryOf(stage.booted.server).tallies.flush.stop()
  const [after] = await stage.sql<{ amount: string }>(
    'CN',
    'SELECT coalesce(sum(amount), 0) AS amount FROM store_counts',
  )
  expect(after?.amount).toBe(before?.amount)
  const stranger = await stage.person()
  const reply = await stranger.call(storeDecision, 'previewUpdate', { body: { appId, versionCode: '5' } })
  expect(reply.status).toBe(404)
})
