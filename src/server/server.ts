import type { ZoneId } from '../kernel/zones.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabaseName, Pools } from './database/pools.ts'
import type { Analytics } from './engines/analytics/analytics.ts'
import type { BytesArea } from './engines/bytes/open.ts'
import type { BytesEngine } from './engines/bytes/port.ts'
import type { MailEngine } from './engines/mail/port.ts'
import type { Gathered } from './gathered.ts'
import type { IdMaker } from './ids.ts'
import type { InsideCalls } from './inside.ts'
import type { Log } from './log.ts'
import type { MasterKey } from './master-key.ts'
import type { Metrics } from './metrics.ts'
import type { Outbound } from './outbound.ts'
import type { Siblings } from './siblings/siblings.ts'
import type { Signals } from './signals.ts'

/** What one server process has; made once by `main` (or the test kit) and reached through `ctx.server`. */
export interface Server {
  config: Config
  clock: Clock
  ids: IdMaker
  log: Log
  pools: Pools
  masterKey: MasterKey
  metrics: Metrics
  signals: Signals
  /** The other processes that serve the same port of this machine. */
  siblings: Siblings
  /** What they gather in memory, to be written before somebody looks. */
  gathered: Gathered
  /** The zone's bytes; those of the files service unless said. */
  bytes(zone: ZoneId, area?: BytesArea): BytesEngine
  /** DuckDB over Parquet files, in a process of its own. */
  analytics: Analytics
  /** Sends mails; from jobs only. */
  mail: MailEngine
  /** The one way out to addresses that people gave. */
  outbound: Outbound
  /** Every mounted call, to be made from inside with the rights of whoever asked. */
  inside: InsideCalls
  /** Puts a job row's delivery into the transaction; set when the worker is made. */
  deliver(database: DatabaseName, jobId: string, query: QueryRunner): Promise<void>
  /** Whether a listener wants events of a type; set when the worker is made. */
  isHeard(type: string): boolean
}

export type QueryRunner = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
