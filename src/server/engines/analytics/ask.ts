import type { Server } from '../../server.ts'
import type { AnalyticsQuery, ParquetWish, WrittenParquet } from './analytics.ts'
import type { Row } from './messages.ts'

/**
 * Asks DuckDB, which reaches the files that are named and nothing else. What is as wide as BIGINT comes as a decimal string
 * (`count(*)::double` is a number), a TIMESTAMP as text in UTC (`epoch_ms("at")::double` is one). At most 100,000 rows.
 * Throws `AnalyticsFailure`: its kind says whether DuckDB is missing, the query was refused, cancelled, late or needs too
 * much memory, or the process ended under it; the next query has a new one.
 */
export function analyticsQuery(server: Server, query: AnalyticsQuery): Promise<Row[]> {
  return server.analytics.query(query)
}

/** Writes a Parquet file, sorted, ZSTD, below the folder of the cache; whoever asked moves its bytes and removes it. */
export function writeParquet(server: Server, wish: ParquetWish): Promise<WrittenParquet> {
  return server.analytics.write(wish)
}
