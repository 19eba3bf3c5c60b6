import { and, eq, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { explain, slowNodes, vacuum } from '../../../../testkit/explain.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { positionsText } from '../queries.ts'
import { tasks } from '../tables.ts'
import { reviewDesk } from './contract.ts'
import { countOf, rowsOf } from './list.ts'

const many = 100_000
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await stage.sql(
    'CN',
    `INSERT INTO review_tasks (task_id, team_id, submission_id, item_id, item_kind, app_id, version_id, app_name, queue, priority,
      state, sla_due_at, issues, queued_at, updated_at)
    SELECT 1000000 + n, 42, n, n, 'VERSION', n, n, 'App ' || n, CASE WHEN n % 3 = 0 THEN 'FIRST' ELSE 'UPDATE' END,
      10 + n % 2, CASE WHEN n % 4 < 2 THEN 'DECIDED' ELSE 'QUEUED' END, n * 7919 % 1000003, '[]', n, n
      FROM generate_series(1, $1::int) AS n`,
    [many],
  )
  await vacuum(stage, 'CN', 'review_tasks')
}, 300_000)
afterAll(() => stage.close())

describe('a desk with 100,000 tasks', () => {
  const queued = eq(tasks.state, 'QUEUED')
  it.each([
    ['what waits', 'priority', queued, 'review_tasks_in_state'],
    ['one queue', 'priority', and(queued, eq(tasks.queue, 'FIRST')), 'review_tasks_by_priority'],
    ['what is due', 'due', queued, 'review_tasks_due'],
    ['everything', 'priority', undefined, 'review_tasks_all'],
  ] as [string, 'priority' | 'due', SQL | undefined, string][])(
    'has its first page of %s by its index, without a sort or a look at every row',
    async (_says, sort, matching, index) => {
      const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
      const page = await explain(ctx, 'CN', inner => rowsOf(inner.db, sort, matching, 21))
      expect(page.nodes.filter(node => /Index/.test(node)).join()).toContain(index)
      expect(slowNodes(page)).toEqual([])
      expect(page.ms).toBeLessThan(30)
    },
  )

  it.each([
    ['what waits', queued],
    ['one queue', and(queued, eq(tasks.queue, 'FIRST'))],
    ['what is expedited', and(queued, eq(tasks.queue, 'EXPEDITE'))],
  ] as [string, SQL | undefined][])('counts %s from an index alone', async (_says, matching) => {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const count = await explain(ctx, 'CN', inner => countOf(inner.db, matching))
    expect(count.nodes.filter(node => /Seq Scan|Bitmap Heap/.test(node))).toEqual([])
    expect(count.nodes.some(node => node.startsWith('Index Only Scan'))).toBe(true)
    expect(count.ms).toBeLessThan(30)
  })

  it('has the places of a page in the queue from an index alone', async () => {
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test' })
    const plan = await explain(ctx, 'CN', () => ({
      toSQL: () => ({ sql: positionsText, params: [Array.from({ length: 20 }, (_, n) => String(1_000_011 + n * 10))] }),
    }))
    expect(plan.nodes.join()).not.toContain('Seq Scan')
    expect(plan.nodes.some(node => node.startsWith('Index Only Scan review_tasks_by_priority'))).toBe(true)
  })

  it('has the right places, in queues and priorities that are mixed', async () => {
    const ids = [1_000_011, 1_000_051, 1_000_002, 1_000_003, 1_000_038, 1_099_999, 1_000_006].map(String)
    const [one] = await stage.sql<{ same: boolean }>(
      'CN',
      `SELECT bool_and(p.position = (SELECT count(*) + 1 FROM review_tasks b WHERE b.state = 'QUEUED' AND b.queue = t.queue
          AND (b.priority > t.priority OR (b.priority = t.priority AND (b.sla_due_at, b.task_id) < (t.sla_due_at, t.task_id)))))
        AND count(*) > 4 AS same
      FROM (${positionsText}) AS p JOIN review_tasks t ON t.task_id = p.task_id`,
      [ids],
    )
    expect(one?.same).toBe(true)
  })

  it('is paged through the call, with places in the queue', async () => {
    const reviewer = await stage.person({ staff: ['reviewer'] })
    const page = await reviewer.ok(reviewDesk, 'listTasks', { query: { state: 'QUEUED', queue: 'UPDATE' } })
    expect([page.list.length, page.list[0]?.queuePosition, page.list[19]?.queuePosition]).toEqual([20, 1, 20])
    const next = await reviewer.ok(reviewDesk, 'listTasks', {
      query: { state: 'QUEUED', queue: 'UPDATE', cursor: page.nextCursor ?? '' },
    })
    expect(next.list[0]?.queuePosition).toBe(21)
  })
})
