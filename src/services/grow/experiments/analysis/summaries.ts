import { inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { Status } from '../rules.ts'
import type { Row } from '../running.ts'
import { snapshotRows } from '../tables.ts'
import { decide } from './decision.ts'
import { courseOf, leaderOf, resultsOf } from './results.ts'

interface Summary {
  status: Status | null
  units: number
  trend: number[]
}

const none: Summary = { status: null, units: 0, trend: [] }
const mostPoints = 30

/** What the numbers of a page of experiments say, at a glance; one query for all. */
export async function summariesOf(ctx: Context, list: readonly Row[]): Promise<(row: Row) => Summary> {
  const ids = list.flatMap(one => (one.snapshotId === null ? [] : [one.snapshotId]))
  if (ids.length === 0) return () => none
  const found = await ctx.db.select().from(snapshotRows).where(inArray(snapshotRows.snapshotId, ids))
  const known = new Map(found.map(one => [one.snapshotId, one]))
  return ({ snapshotId }) => {
    const kept = snapshotId === null ? undefined : known.get(snapshotId)
    if (!kept) return none
    const { content: snapshot, units } = kept
    const results = resultsOf(snapshot)
    const leader = leaderOf(results)
    const course = leader ? courseOf(snapshot, { ...leader, isCumulative: true }) : []
    const trend = course.flatMap(one => (one.lift === null ? [] : [one.lift])).slice(-mostPoints)
    return { units, trend, status: decide({ snapshot, results, engine: snapshot.design.engine }).status }
  }
}
