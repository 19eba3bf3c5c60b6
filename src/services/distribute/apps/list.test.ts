import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Context, systemContext } from '../../../server/context.ts'
import { explain, type Statement, slowNodes, vacuum } from '../../../testkit/explain.ts'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { countOf, type ListShape, rowsOf } from './list.ts'

const many = 100_000
const mostMs = 20
const teamId = '424242'
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await stage.sql(
    'CN',
    `INSERT INTO apps (app_id, team_id, project_id, package_type, default_lang, name, is_game, kind_sub_tags, device_types,
      contact, state, created_at, updated_at)
    SELECT 1000000 + n, $1, 7, 'ANDROID', 'enUS', 'App ' || (n * 7919 % 100003), false, '{}', '{4}', '{}',
      'ACTIVE', n, n * 31 % 1000003 FROM generate_series(1, $2::int) AS n`,
    [teamId, many],
  )
  // Other teams have apps too: else reading the whole table would be right.
  await stage.sql(
    'CN',
    `INSERT INTO apps (app_id, team_id, project_id, package_type, default_lang, name, is_game, kind_sub_tags, device_types,
      contact, state, created_at, updated_at)
    SELECT 9000000 + n, n, 7, 'ANDROID', 'enUS', 'App', false, '{}', '{4}', '{}', 'ACTIVE', n, n
      FROM generate_series(1, $1::int * 2) AS n`,
    [many],
  )
  await vacuum(stage, 'CN', 'apps')
}, 300_000)
afterAll(() => stage.close())

/** As a member of the team, or as staff over all. */
function explainApps(scope: 'team' | 'all', statementOf: (ctx: Context) => Statement) {
  const ctx = systemContext(stage.booted.server, 'CN', scope === 'team' ? { name: 'test', teamId } : { name: 'test' })
  return explain(ctx, 'CN', statementOf, { teamId, limit: 21, afterValue: 500_000, afterId: '1000100' })
}

const shape = (change: Partial<ListShape> = {}): ListShape => ({
  sort: 'updated',
  isDown: true,
  isAfter: false,
  filters: ['teamId'],
  shelfState: undefined,
  ...change,
})

describe('a list of 100,000 apps', () => {
  it.each([
    ['the last changed', shape(), 'team', 'apps_by_updated'],
    ['the next page of them', shape({ isAfter: true }), 'team', 'apps_by_updated'],
    ['the newest', shape({ sort: 'created' }), 'team', 'apps_by_created'],
    ['by name', shape({ sort: 'name', isDown: false }), 'team', 'apps_by_name'],
    ['all teams, for staff', shape({ filters: [] }), 'all', 'apps_of_store'],
  ] as const)('has its page of %s by its index, without a sort, in time', async (_says, wanted, scope, index) => {
    const page = await explainApps(scope, ctx => rowsOf(ctx.db, wanted))
    expect(page.nodes.filter(node => /Index/.test(node)).join()).toContain(index)
    expect(slowNodes(page)).toEqual([])
    expect(page.ms).toBeLessThan(mostMs)
  })

  it('is counted from an index alone', async () => {
    const { nodes } = await explainApps('team', ctx => countOf(ctx.db, shape()))
    expect(nodes.join()).toContain('Index Only Scan')
  })
})
