import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../testkit/stage.ts'
import { applicationRole, guardTables } from './guard.ts'

let stage: Stage
let one: Person
let two: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  one = await stage.person()
  two = await stage.person()
})
afterAll(() => stage.close())

/** Runs statements as the application's own role. */
async function asApplication<T extends pg.QueryResultRow>(...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: stage.booted.server.pools.url('home') })
  await client.connect()
  try {
    await client.query('BEGIN')
    let rows: T[] = []
    for (const statement of statements) rows = (await client.query<T>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

describe('row-level security', () => {
  it('shows no row of any team to who names none', async () => {
    expect(await asApplication('SELECT * FROM members')).toEqual([])
    expect(await asApplication('SELECT * FROM teams')).toEqual([])
    expect(await asApplication('SELECT count(*)::int AS n FROM audit WHERE team_id IS NOT NULL')).toEqual([{ n: 0 }])
  })

  it('shows a team its own rows only', async () => {
    const rows = await asApplication<{ team_id: string }>(
      `SET LOCAL app.team = '${one.teamId}'`,
      'SELECT team_id FROM members',
    )
    expect(new Set(rows.map(row => row.team_id))).toEqual(new Set([one.teamId]))
  })

  it('lets nobody write a row of another team', async () => {
    const scope = `SET LOCAL app.team = '${one.teamId}'`
    const steal = `INSERT INTO members (team_id, account_id, roles, joined_at) VALUES (${two.teamId}, ${one.accountId}, '{leader}', 0)`
    await expect(asApplication(scope, steal)).rejects.toThrow('row-level security')
    const rename = `UPDATE teams SET name = 'mine' WHERE team_id = ${two.teamId} RETURNING 1`
    expect(await asApplication(scope, rename)).toEqual([])
  })

  it('is made anew where a table is guarded by an older one', async () => {
    await stage.sql('home', `DROP POLICY rows_of_team ON members; CREATE POLICY rows_of_team ON members USING (true)`)
    expect(await asApplication('SELECT * FROM members')).not.toEqual([])
    const owner = new pg.Client({
      connectionString: stage.booted.server.pools.url('home').replace(applicationRole, 'postgres'),
    })
    await owner.connect()
    await guardTables(owner).finally(() => owner.end())
    expect(await asApplication('SELECT * FROM members')).toEqual([])
  })

  it('holds for every table that has a team', async () => {
    const open = await Promise.all(
      (['home', 'CN', 'DE'] as const).map(database =>
        stage.sql(
          database,
          `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'team_id'
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
        ),
      ),
    )
    expect(open.flat()).toEqual([])
  })
})

describe('the audit trail', () => {
  it('can be added to by the application, never changed', async () => {
    await expect(asApplication(`UPDATE audit SET actor = 'nobody'`)).rejects.toThrow('permission denied')
    await expect(asApplication('DELETE FROM audit')).rejects.toThrow('permission denied')
    await expect(asApplication('TRUNCATE audit')).rejects.toThrow('permission denied')
  })

  it('loses network addresses to who works for all teams, and gets no other ones', async () => {
    const all = `SET LOCAL app.scope = 'all'`
    const forget = 'UPDATE audit SET ip = NULL RETURNING 1'
    expect((await asApplication(all, forget)).length).toBeGreaterThan(0)
    expect(await asApplication(`SET LOCAL app.team = '${one.teamId}'`, forget)).toEqual([])
    await expect(asApplication(all, `UPDATE audit SET ip = '192.0.2.1'`)).rejects.toThrow('row-level security')
    await expect(asApplication(all, `UPDATE audit SET ip = NULL, at = 0`)).rejects.toThrow('permission denied')
  })

  it.each([
    `actor = ANY('{user:1,user:2}')`,
    `actor = 'anonymous' AND (entity_id = ANY('{1}') OR after->>'accountId' = ANY('{1}'))`,
  ])('finds by an index the addresses where %s', async condition => {
    const plan = await asApplication(
      `SET LOCAL app.scope = 'all'; SET LOCAL enable_seqscan = off`,
      `EXPLAIN UPDATE audit SET ip = NULL WHERE ip IS NOT NULL AND ${condition}`,
    )
    expect(JSON.stringify(plan)).toContain('audit_with_address')
  })
})
