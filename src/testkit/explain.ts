import type { Context } from '../server/context.ts'
import type { Stage } from './stage.ts'

/** A statement before it is carried out, as a query of Drizzle tells it. */
export interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

export interface Explained {
  /** Of each node its type and its index, from the top of the plan: `Index Scan apps_by_name`. */
  nodes: string[]
  /** The least of five executions. */
  ms: number
}

interface Plan {
  'Node Type': string
  'Index Name'?: string
  Plans?: Plan[]
}
type Answer = { 'QUERY PLAN': { Plan: Plan; 'Execution Time': number }[] }

/** How PostgreSQL carries a statement out in a transaction of the context, under its row-level security. `values` fill placeholders. */
export async function explain(
  ctx: Context,
  database: 'home' | Context['zone'],
  statementOf: (ctx: Context) => Statement,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Explained> {
  return ctx.transact(async inner => {
    const { sql, params } = statementOf(inner).toSQL()
    const given = params.map(one => (typeof one === 'object' && one && 'name' in one ? values[String(one.name)] : one))
    const query = { text: `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, values: given }
    let nodes: string[] = []
    let ms = Number.POSITIVE_INFINITY
    for (let run = 0; run < 5; run++) {
      const { rows } = await inner.transaction(database).query<Answer>(query)
      const [found] = rows[0]?.['QUERY PLAN'] ?? []
      if (!found) throw new Error('PostgreSQL told no plan')
      nodes = nodesOf(found.Plan)
      ms = Math.min(ms, found['Execution Time'])
    }
    return { nodes, ms }
  })
}

function nodesOf(plan: Plan): string[] {
  return [`${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim(), ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** What a page of a long list never does: it reads every row, or puts rows in order. */
export const slowNodes = ({ nodes }: Explained) => nodes.filter(node => /Seq Scan|Sort/.test(node))

/** Until every page of the table is known to be visible to all; a transaction that was still open prevents it for a while. */
export async function vacuum(stage: Stage, database: 'home' | Context['zone'], table: string): Promise<void> {
  for (;;) {
    await stage.sql(database, `VACUUM ANALYZE ${table}`)
    const [pages] = await stage.sql<{ isSeen: boolean }>(
      database,
      'SELECT relallvisible >= relpages AS "isSeen" FROM pg_class WHERE oid = $1::regclass',
      [table],
    )
    if (pages?.isSeen) return
  }
}
