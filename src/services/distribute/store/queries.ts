import { and, eq, getTableColumns, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { type Listing, storeRecords } from './tables.home.ts'

const { objectId: _objectId, listings: _listings, ...shortColumns } = getTableColumns(storeRecords)

/** What is read of a record besides its texts. */
export const columns = shortColumns

/** A published version as the shelf remembers it; texts come only with what is on shelf. */
export type LoadedRecord = Omit<typeof storeRecords.$inferSelect, 'objectId'>

export interface Loaded {
  records: LoadedRecord[]
  /** Every package that was ever published and is not frozen. */
  knownNames: string[]
}

/** What is published, of all packages or of those named, and what left the shelf after `leftAfter`. */
export async function loadRecords(server: Server, names: readonly string[] | null, leftAfter: number): Promise<Loaded> {
  const zone = server.config.zones[0] ?? 'CN'
  return systemContext(server, zone, { name: 'store shelf' }).transact(async ctx => {
    const named = names === null ? undefined : inArray(storeRecords.packageName, [...names])
    const isVisible = or(
      eq(storeRecords.state, 'on_shelf'),
      and(ne(storeRecords.state, 'on_shelf'), gt(storeRecords.leftAt, leftAfter)),
    )
    const records = await ctx.home
      .select({
        ...columns,
        listings: sql<
          Record<string, Listing>
        >`CASE WHEN ${storeRecords.state} = 'on_shelf' THEN ${storeRecords.listings} ELSE '{}' END`,
      })
      .from(storeRecords)
      .where(and(named, eq(storeRecords.isFrozen, false), isVisible))
    const known = await ctx.home
      .select({ packageName: storeRecords.packageName })
      .from(storeRecords)
      .where(named)
      .groupBy(storeRecords.packageName)
      .having(sql`NOT bool_or(${storeRecords.isFrozen})`)
    return {
      records,
      knownNames: known.map(row => row.packageName),
    }
  })
}
