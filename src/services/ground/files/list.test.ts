import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Context } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { files } from './contract.ts'
import { type FileWish, rowsOf } from './list.ts'

const many = 100_000
const mostMs = 20
const teamId = '424242'
const ofApp = '77'
let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  const fill = `INSERT INTO file_objects (object_id, team_id, biz_tag, file_name, size_bytes, sha256, mime, state, ref_count,
      app_id, project_id, created_by, created_at, updated_at)
    SELECT 'cn/2026010112/' || lpad(to_hex($3::bigint + n), 8, '0') || '-0000-4000-8000-000000000000.bin', $1::bigint,
      CASE WHEN n % 500 = 0 THEN 'app_cert' ELSE 'app_img' END, 'file ' || n, n, repeat('a', 64), 'image/png', 'NORMAL', 1,
      CASE WHEN n % 10 = 0 THEN NULL WHEN n % 997 = 0 THEN ${ofApp} ELSE 100 + n % 50 END, CASE WHEN n % 10 > 0 THEN 7 END,
      1 + n % 20, 1000000 + n, n
    FROM generate_series(1, $2::int) AS n`
  await stage.sql('CN', fill, [teamId, many, 0])
  await stage.sql('CN', fill, ['1', many, many])
  await stage.sql('CN', fill, [owner.teamId, 45, 3 * many])
  await stage.sql('CN', 'VACUUM ANALYZE file_objects')
}, 300_000)
afterAll(() => stage.close())

interface Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): string[] => [
  `${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim(),
  ...(plan.Plans ?? []).flatMap(nodesOf),
]

/** As a member of the team with 100,000 files; with `apps`, of these only. */
async function explain(wish: FileWish, apps?: string[]) {
  const ctx = new Context(stage.booted.server, {
    caller: { kind: 'user', accountId: '3', name: '', permissions: new Set(), staffRoles: [], sessionId: null },
    teamId,
    zone: 'CN',
    scope: { team: teamId },
    requestId: 'test',
    ip: null,
    language: 'en',
    ...(apps ? { memberScope: { projects: new Set<string>(), apps: new Set(apps) } } : {}),
  })
  return ctx.transact(async inner => {
    const { sql, params } = rowsOf(inner, wish).toSQL()
    const query = { text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, values: params }
    let ms = Number.POSITIVE_INFINITY
    let nodes: string[] = []
    for (let run = 0; run < 5; run++) {
      const { rows } = await inner
        .transaction('CN')
        .query<{ 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] }>(query)
      const found = rows[0]!['QUERY PLAN'][0]!
      ms = Math.min(ms, found['Execution Time'])
      nodes = nodesOf(found.Plan)
    }
    return { ms, nodes }
  })
}

describe('a list of 100,000 files', () => {
  it.each<[string, FileWish]>([
    ['the newest', {}],
    ['the next page of them', { cursor: '1050000.cn/2026010112/x' }],
    ['papers and keys', { bizTag: 'app_cert' }],
  ])('has its page of %s by its index, without a sort, in time', async (_says, wish) => {
    const { ms, nodes } = await explain(wish)
    expect(nodes.join()).toContain('file_objects_listed')
    expect(nodes.filter(node => /Sort|Seq Scan/.test(node))).toEqual([])
    expect(ms).toBeLessThan(mostMs)
  })

  it.each<[string, FileWish, string[] | undefined]>([
    ['of one app', { appId: ofApp }, undefined],
    ['for who reaches an app with few files', {}, [ofApp]],
    ['for who reaches an app with many', {}, ['101']],
    ['for who reaches an app without files', {}, ['5']],
  ])('has its page %s in time', async (_says, wish, apps) => {
    const { ms, nodes } = await explain(wish, apps)
    expect(nodes.filter(node => node.startsWith('Seq Scan'))).toEqual([])
    // With a scope the planner walks the team's index and leaves out: more rows, the same order of time.
    expect(ms).toBeLessThan(mostMs * 2)
  })
})

it('turns the pages without a gap or a double', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await owner.ok(files, 'listObjects', { query: { pageSize: 20, ...(cursor ? { cursor } : {}) } })
    expect(page.total).toBe(45)
    seen.push(...page.list.map(one => one.fileName))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `file ${45 - at}`))
})
