import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { explain, vacuum } from '../../../testkit/explain.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from './contract.ts'
import { projectListSql } from './queries.ts'

let stage: Stage
let owner: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  await stage.sql(
    'home',
    `INSERT INTO projects (project_id, team_id, name, name_key, zone, created_by, created_at, updated_at)
      SELECT 700000000000000000 + n, CASE WHEN n % 1000 = 0 THEN $1::bigint ELSE 1 + n % 1000 END, 'project ' || n, 'project ' || n,
        'CN', 1, 1000 + n, 1000 + (n * 7919) % 100000 FROM generate_series(1, 100000) AS n`,
    [owner.teamId],
  )
  await vacuum(stage, 'home', 'projects')
})
afterAll(() => stage.close())

describe('the list of a team with all the projects it may have, among a hundred thousand', () => {
  it.each(['-createdAt', 'updatedAt', 'name'] as const)(
    'sorted by %s has its first page in under 20 ms, from an index',
    async sort => {
      const ctx = systemContext(stage.booted.server, 'CN', { name: 'plan', teamId: owner.teamId })
      const page = await explain(ctx, 'home', ({ teamId }) => {
        const { text, values } = projectListSql({ sort }, { teamId, scope: null })
        return { toSQL: () => ({ sql: text, params: values }) }
      })
      expect(page.nodes.join()).toMatch(/Index (Only )?Scan projects_/)
      expect(page.nodes.filter(node => node.startsWith('Seq Scan'))).toEqual([])
      expect(page.ms).toBeLessThan(20)
    },
  )

  it('turns pages to the end without a gap or a double', async () => {
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 0; page < 4; page++) {
      const query = { sort: '-createdAt', pageSize: 25, ...(cursor ? { cursor } : {}) } as const
      const answer = await owner.ok(projects, 'listProjects', { query })
      for (const one of answer.list) seen.add(one.projectId)
      cursor = answer.nextCursor ?? undefined
      expect(answer.total).toBe(100)
    }
    expect(seen.size).toBe(100)
  })
})
