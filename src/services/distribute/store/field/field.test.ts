import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Static } from '../../../../kernel/shape.ts'
import { hasPython, readSheet } from '../../../../testkit/sheet.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { dayMs, dayOf } from '../rules.ts'
import { type OnShelf, putApp, putOnShelf } from '../shelf.testkit.ts'
import { storeField } from './contract.ts'
import { keptDownloadDays, keptReportDays, reportDays } from './rules.ts'

type Report = Static<typeof storeField.calls.reportInstalls.body>['reports'][number]

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person({ zone: 'DE' })
})
afterAll(() => stage.close())

interface Scene {
  appId: string
  one: OnShelf
  two: OnShelf
}

async function scene(): Promise<Scene> {
  const appId = stage.booted.server.ids.next()
  await putApp(stage, appId, owner.teamId)
  const packageName = `com.example.f${randomBytes(5).toString('hex')}`
  const own = { packageName, zone: 'DE' as const, appId, teamId: owner.teamId }
  const one = await putOnShelf(stage, { ...own, versionCode: '1', state: 'superseded' })
  return { appId, one, two: await putOnShelf(stage, { ...own, versionCode: '2' }) }
}

const newReport = (of: OnShelf, more: Partial<Report> = {}): Report => ({
  reportId: randomBytes(12).toString('hex'),
  outcome: 'installed',
  versionId: of.versionId,
  deviceClass: 'phone',
  country: 'DE',
  ...more,
})
const report = (...reports: Report[]) => stage.anybody.ok(storeField, 'reportInstalls', { body: { reports } })
const times = (count: number, make: () => Report) => Array.from({ length: count }, make)
const today = () => dayOf(stage.clock.now())
const days = async (appId: string, more: Record<string, unknown> = {}) =>
  (await owner.ok(storeField, 'listInstallDays', { query: { appId, ...more } })).list

describe.skipIf(!hasPython)('an export of installations', () => {
  it.each(['csv', 'xlsx'] as const)('has a row a day, numbers as numbers where the file has such: %s', async format => {
    const { appId, one } = await scene()
    await report(...times(3, () => newReport(one)), newReport(one, { outcome: 'failed', reason: 'storage' }))
    const reply = await owner.call(storeField, 'exportInstallDays', { query: { appId, format, language: 'zh' } })
    expect(readSheet(format, reply.bytes)).toEqual([
      ['日期（UTC）', '安装', '更新', '失败', '卸载'],
      format === 'csv' ? [`\t${today()}`, '3', '0', '1', '0'] : [today(), 3, 0, 1, 0],
    ])
    const stranger = await stage.person({ zone: 'DE' })
    expect((await stranger.call(storeField, 'exportInstallDays', { query: { appId, format } })).status).toBe(404)
  })
})

describe('reports of installations', () => {
  it('are counted by day, country, kind of device and reason for the developer of the app', async () => {
    const { appId, one, two } = await scene()
    const answer = await report(
      ...times(5, () => newReport(one)),
      ...times(3, () => newReport(two, { country: 'FR', deviceClass: 'tablet' })),
      ...times(2, () => newReport(two, { outcome: 'updated', fromVersionCode: '1' })),
      newReport(two, { outcome: 'failed', reason: 'storage' }),
      newReport(two, { outcome: 'failed', reason: 'signature' }),
      newReport(one, { outcome: 'uninstalled' }),
    )
    expect(answer).toMatchObject({ counted: 13, repeated: 0, unknown: 0 })
    expect(await days(appId)).toEqual([{ day: today(), installed: 8, updated: 2, failed: 2, uninstalled: 1 }])
    expect(await days(appId, { country: 'FR' })).toEqual([
      { day: today(), installed: 3, updated: 0, failed: 0, uninstalled: 0 },
    ])
    expect((await days(appId, { versionId: one.versionId }))[0]).toMatchObject({ installed: 5, uninstalled: 1 })
    const shares = (by: 'country' | 'deviceClass' | 'reason') =>
      owner.ok(storeField, 'listInstallShares', { query: { appId, by } })
    expect((await shares('country')).list.map(row => [row.key, row.installed])).toEqual([
      ['DE', 5],
      ['FR', 3],
    ])
    expect((await shares('deviceClass')).list.map(row => row.key)).toEqual(['phone', 'tablet'])
    expect((await shares('reason')).list.map(row => [row.key, row.failed])).toEqual([
      ['signature', 1],
      ['storage', 1],
    ])
  })

  it('count once however often they come, in one batch, in another, or at the same time', async () => {
    const { appId, one } = await scene()
    const sent = newReport(one)
    expect(await report(sent, sent)).toMatchObject({ counted: 1, repeated: 1 })
    expect(await report(sent, newReport(one))).toMatchObject({ counted: 1, repeated: 1 })
    const twice = newReport(one)
    const answers = await Promise.all(times(6, () => twice).map(again => report(again)))
    expect(answers.reduce((sum, answer) => sum + answer.counted, 0)).toBe(1)
    expect((await days(appId))[0]?.installed).toBe(3)
  })

  it('of versions that nobody published are left out, and told so', async () => {
    const { one } = await scene()
    const answer = await report(newReport(one), newReport({ ...one, versionId: '1' }))
    expect(answer).toMatchObject({ counted: 1, unknown: 1 })
  })

  it('count for their day when they are late, and for today when they are too late or from the future', async () => {
    const { appId, one } = await scene()
    const now = stage.clock.now()
    await report(
      newReport(one, { at: now - 2 * dayMs }),
      newReport(one, { at: now - (reportDays + 1) * dayMs }),
      newReport(one, { at: now + dayMs }),
    )
    expect((await days(appId)).map(row => [row.day, row.installed])).toEqual([
      [today(), 2],
      [dayOf(now - 2 * dayMs), 1],
    ])
  })

  it('are refused when they are too many, too odd, or an update from nowhere', async () => {
    const { one } = await scene()
    const update = newReport(one, { outcome: 'updated' })
    const refused = [
      { reports: times(101, () => newReport(one)) },
      { reports: [] },
      { reports: [{ ...newReport(one), outcome: 'danced' }] },
      { reports: [{ ...newReport(one), deviceId: 'who I am' }] },
      { reports: [update] },
    ]
    for (const [at, body] of refused.entries()) {
      const { status } = await stage.anybody.call(storeField, 'reportInstalls', { body: body as never })
      expect([at, status]).toEqual([at, 400])
    }
    const { body } = await stage.anybody.call(storeField, 'reportInstalls', {
      body: { reports: [newReport(one), update] },
    })
    expect(body.fields?.[0]?.pointer).toBe('/reports/1/fromVersionCode')
  })

  it('leave nothing behind that tells who the device is', async () => {
    const { one } = await scene()
    const sent = newReport(one)
    await report(sent)
    const rows = await stage.sql<Record<string, unknown>>('DE', 'SELECT * FROM store_reports')
    expect(JSON.stringify(rows)).not.toContain(sent.reportId)
  })
})

describe('versions in the field', () => {
  it('are what devices have at the end of each day, the most used first', async () => {
    const { appId, one, two } = await scene()
    const before = stage.clock.now() - 2 * dayMs
    await report(...times(6, () => newReport(one, { at: before })))
    await report(...times(4, () => newReport(two, { outcome: 'updated', fromVersionCode: '1' })))
    await report(newReport(one, { outcome: 'uninstalled' }))
    const field = await owner.ok(storeField, 'listFieldVersions', { query: { appId, days: 3 } })
    expect(field).toMatchObject({
      active: 5,
      list: [
        { versionId: two.versionId, versionCode: '2', versionName: '1.2', active: 4 },
        { versionId: one.versionId, versionCode: '1', versionName: '1.1', active: 1 },
      ],
      other: 0,
      days: [
        { day: dayOf(before), active: [0, 6], other: 0 },
        { day: dayOf(before + dayMs), active: [0, 6], other: 0 },
        { day: today(), active: [4, 1], other: 0 },
      ],
    })
    const short = await owner.ok(storeField, 'listFieldVersions', { query: { appId, days: 1 } })
    expect(short.days).toEqual([{ day: today(), active: [4, 1], other: 0 }])
  })

  it('are shown to the team of the app alone', async () => {
    const { appId } = await scene()
    const stranger = await stage.person({ zone: 'DE' })
    for (const name of ['listInstallDays', 'listFieldVersions'] as const) {
      expect((await stranger.call(storeField, name, { query: { appId } })).status).toBe(404)
    }
  })

  it('tell the life of versions how widely an app is installed', async () => {
    const { appId, one, two } = await scene()
    await report(...times(3, () => newReport(one)))
    await report(
      newReport(two, { outcome: 'updated', fromVersionCode: '1' }),
      newReport(one, { outcome: 'uninstalled' }),
    )
    const told = async () => {
      await stage.booted.worker.sweep()
      const [row] = await stage.sql<{ active: string }>('DE', 'SELECT active FROM app_installs WHERE app_id = $1', [
        appId,
      ])
      return Number(row?.active)
    }
    expect(await told()).toBe(2)
    await stage.sql('DE', 'UPDATE store_active SET active = 10001 WHERE app_id = $1', [appId])
    expect(await told()).toBe(10_001)
  })
})

describe('raw rows', () => {
  it('are dropped in time, and the tallies of each day stay', async () => {
    const { appId, one } = await scene()
    await report(newReport(one))
    const put = (device: string, age: number) =>
      stage.sql('DE', 'INSERT INTO store_downloads (version_id, device, team_id, at) VALUES ($1, $2, $3, $4)', [
        one.versionId,
        device,
        owner.teamId,
        stage.clock.now() - age * dayMs,
      ])
    await put('old', keptDownloadDays + 1)
    await put('new', keptDownloadDays - 1)
    await stage.booted.worker.sweep()
    const left = await stage.sql<{ device: string }>('DE', 'SELECT device FROM store_downloads WHERE version_id = $1', [
      one.versionId,
    ])
    expect(left.map(row => row.device)).toEqual(['new'])
    stage.clock.turn((keptReportDays + 1) * dayMs)
    await stage.booted.worker.sweep()
    expect(await stage.sql('DE', 'SELECT 1 FROM store_reports')).toEqual([])
    const [kept] = await stage.sql('DE', 'SELECT outcome, amount FROM store_installs WHERE app_id = $1', [appId])
    expect(kept).toEqual({ outcome: 'installed', amount: '1' })
  })
})
