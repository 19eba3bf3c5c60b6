import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { explain, slowNodes, vacuum } from '../../../testkit/explain.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { packages } from './contract.ts'
import { type PackageWish, rowsOf } from './listing.ts'
import { newApp } from './packages.testkit.ts'

let stage: Stage
let developer: Person
let appId: string
const many = 100_000

beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
  appId = (await newApp(developer)).appId
  const fill = `INSERT INTO packages (pkg_id, team_id, app_id, kind, usage, object_id, file_name, size_bytes, sha256, state,
      task_id, uploaded_by, created_at, updated_at, components)
    SELECT 1000000 + i, $1::bigint, CASE WHEN i % 2 = 0 THEN $2::bigint ELSE 7 END, CASE WHEN i % 5 = 0 THEN 'AAB' ELSE 'APK' END,
      'TEST_ONLY', 'o' || i, 'release-' || i || '.apk', i, repeat('a', 64), 'FAILED', i, 1, i, i,
      jsonb_build_array(jsonb_build_object('kind', 'activity', 'name', 'a.b.C', 'isExported', false))
    FROM generate_series(1, ${many}) i`
  await stage.sql('CN', fill, [developer.teamId, appId])
  await vacuum(stage, 'CN', 'packages')
}, 120_000)
afterAll(() => stage.close())

it('answers the first page of 100,000 packages, and of one app, with their numbers', async () => {
  const all = await developer.ok(packages, 'listPackages', { query: { pageSize: 100 } })
  expect([all.total, all.list.length, all.list[0]?.fileName]).toEqual([many, 100, `release-${many}.apk`])
  const ofApp = await developer.ok(packages, 'listPackages', { query: { appId, kind: 'AAB' } })
  expect([ofApp.total, ofApp.list.length]).toEqual([many / 10, 20])
})

it.each<[string, (wish: string) => PackageWish, string]>([
  ['of the team', () => ({}), 'packages_of_team'],
  ['of an app', ofApp => ({ appId: ofApp }), 'packages_of_'],
])('walks an index for the page %s, and takes under 20 ms in the database', async (_says, wishOf, index) => {
  const ctx = systemContext(stage.booted.server, 'CN', { name: 'plan', teamId: developer.teamId })
  const page = await explain(ctx, 'CN', inner => rowsOf(inner, wishOf(appId), null))
  expect(page.nodes.at(-1)).toMatch(new RegExp(`^Index Scan (${index}|packages_pkey)`))
  expect(slowNodes(page)).toEqual([])
  expect(page.ms).toBeLessThan(20)
})
