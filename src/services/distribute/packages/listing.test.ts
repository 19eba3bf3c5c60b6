import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { packages } from './contract.ts'
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
  await stage.sql('CN', 'VACUUM ANALYZE packages')
}, 120_000)
afterAll(() => stage.close())

it('answers the first page of 100,000 packages, and of one app, with their numbers', async () => {
  const all = await developer.ok(packages, 'listPackages', { query: { pageSize: 100 } })
  expect([all.total, all.list.length, all.list[0]?.fileName]).toEqual([many, 100, `release-${many}.apk`])
  const ofApp = await developer.ok(packages, 'listPackages', { query: { appId, kind: 'AAB' } })
  expect([ofApp.total, ofApp.list.length]).toEqual([many / 10, 20])
})

it.each<[string, string, string]>([
  ['of the team', 'team_id = $1', 'packages_of_team'],
  ['of an app', 'team_id = $1 AND app_id = $2', 'packages_of_'],
])('walks an index for the page %s, and takes under 20 ms in the database', async (_says, where, index) => {
  const values = where.includes('$2') ? [developer.teamId, appId] : [developer.teamId]
  const page = `SELECT pkg_id, file_name, state, findings FROM packages WHERE ${where} ORDER BY pkg_id DESC LIMIT 21`
  const [row] = await stage.sql<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(
    'CN',
    `EXPLAIN (ANALYZE, FORMAT JSON) ${page}`,
    values,
  )
  const plan = row!['QUERY PLAN'][0]
  const scan = leafOf(plan.Plan)
  expect([scan['Node Type'], scan['Scan Direction']]).toEqual(['Index Scan', 'Backward'])
  expect(scan['Index Name']).toMatch(new RegExp(`^${index}|^packages_pkey`))
  expect(plan['Execution Time']).toBeLessThan(20)
})

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Scan Direction'?: string
  Plans?: Plan[]
}

const leafOf = (plan: Plan): Plan => (plan.Plans?.[0] ? leafOf(plan.Plans[0]) : plan)
