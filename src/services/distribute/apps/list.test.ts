import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
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
  await stage.sql('CN', 'VACUUM ANALYZE apps')
}, 300_000)
afterAll(() => stage.close())

interface Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: Plan[]
}

/** How PostgreSQL carries a statement out, as a member of the team: node types with their indexes, and the time it took. */
async function explain(scope: 'team' | 'all', text: string, params: unknown[]) {
  const ctx = systemContext(stage.booted.server, 'CN', scope === 'team' ? { name: 'test', teamId } : { name: 'test' })
  const values: Record<string, unknown> = { teamId, limit: 21, afterValue: 500_000, afterId: '1000100' }
  return ctx.transact(async inner => {
    const given = params.map(one => (typeof one === 'object' && one ? values[(one as { name: string }).name] : one))
    const query = { text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values: given }
    let best = Number.POSITIVE_INFINITY
    let nodes: string[] = []
    for (let run = 0; run < 5; run++) {
      const { rows } = await inner
        .transaction('CN')
        .query<{ 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] }>(query)
      const found = rows[0]!['QUERY PLAN'][0]!
      best = Math.min(best, found['Execution Time'])
      nodes = nodesOf(found.Plan)
    }
    return { ms: best, nodes }
  })
}

function nodesOf(plan: Plan): string[] {
  return [`${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim(), ...(plan.Plans ?? []).flatMap(nodesOf)]
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
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const { sql, params } = rowsOf(ctx.db, wanted).toSQL()
    const { ms, nodes } = await explain(scope, sql, params)
    await ctx.rollback()
    expect(nodes.filter(node => /Index/.test(node)).join()).toContain(index)
    expect(nodes.filter(node => /Sort|Seq Scan/.test(node))).toEqual([])
    expect(ms).toBeLessThan(mostMs)
  })

  it('is counted from an index alone', async () => {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const { sql, params } = countOf(ctx.db, shape()).toSQL()
    const { nodes } = await explain('team', sql, params)
    await ctx.rollback()
    expect(nodes.join()).toContain('Index Only Scan')
  })
})
