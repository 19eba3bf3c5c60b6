import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Context } from '../../../server/context.ts'
import { explain, slowNodes, vacuum } from '../../../testkit/explain.ts'
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
      CASE WHEN n % 10 = 0 THEN NULL WHEN n % 997 = 0 THEN ${ofApp} ELSE 100 + n % 50 END, CASE WHEN n % 1000 = 1 THEN 8 WHEN n % 10 > 0 THEN 7 END,
      1 + n % 20, 1000000 + n, n
    FROM generate_series(1, $2::int) AS n`
  await stage.sql('CN', fill, [teamId, many, 0])
  await stage.sql('CN', fill, ['1', many, many])
  await stage.sql('CN', fill, [owner.teamId, 45, 3 * many])
  await vacuum(stage, 'CN', 'file_objects')
}, 300_000)
afterAll(() => stage.close())

/** A member of the team with 100,000 files; with `apps`, one who reaches these, project 8 and his own only. */
const member = (apps?: string[]) =>
  new Context(stage.booted.server, {
    caller: { kind: 'user', accountId: '11', name: '', permissions: new Set(), staffRoles: [], sessionId: null },
    teamId,
    zone: 'CN',
    scope: { team: teamId },
    requestId: 'test',
    ip: null,
    language: 'en',
    ...(apps ? { memberScope: { projects: new Set(['8']), apps: new Set(apps) } } : {}),
  })

describe('a list of 100,000 files', () => {
  it.each<[string, FileWish]>([
    ['the newest', {}],
    ['the next page of them', { cursor: '1050000.cn/2026010112/x' }],
    ['papers and keys', { bizTag: 'app_cert' }],
  ])('has its page of %s by its index, without a sort, in time', async (_says, wish) => {
    const page = await explain(member(), 'CN', ctx => rowsOf(ctx, wish))
    expect(page.nodes.join()).toContain('file_objects_listed')
    expect(slowNodes(page)).toEqual([])
    expect(page.ms).toBeLessThan(mostMs)
  })

  it.each<[string, FileWish, string[] | undefined]>([
    ['of one app', { appId: ofApp }, undefined],
    ['for who reaches an app with few files', {}, [ofApp]],
    ['for who reaches an app with many', {}, ['101']],
    ['for who reaches an app without files', {}, ['5']],
  ])('has its page %s in time', async (_says, wish, apps) => {
    const { ms, nodes } = await explain(member(apps), 'CN', ctx => rowsOf(ctx, wish))
    expect(nodes.filter(node => node.startsWith('Seq Scan'))).toEqual([])
    expect(nodes.join()).not.toContain('file_objects_listed')
    expect(ms).toBeLessThan(mostMs)
  })

  it.each<[string, FileWish]>([
    ['first', {}],
    ['second', { cursor: '1099800.cn/2026010112/x' }],
    ['last', { cursor: '1000031.cn/2026010112/x' }],
  ])(
    'has for who reaches two apps, a project and his own the newest of all of these on the %s page',
    async (_says, wish) => {
      const page = await member([ofApp, '101']).transact(ctx => rowsOf(ctx, wish))
      const expected = await stage.sql<{ object_id: string }>(
        'CN',
        `SELECT object_id FROM file_objects WHERE team_id = $1 AND (created_at, object_id) < ($2, 'cn/2026010112/x')
          AND (app_id IN (${ofApp}, 101) OR project_id = 8 OR (app_id IS NULL AND created_by = 11))
        ORDER BY created_at DESC LIMIT 21`,
        [teamId, wish.cursor?.split('.')[0] ?? 9_999_999],
      )
      expect(page.map(one => one.objectId)).toEqual(expected.map(one => one.object_id))
      expect(page.length).toBeGreaterThan(1)
    },
  )
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
