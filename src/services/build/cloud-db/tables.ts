import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** A definition as schema/contract.ts has it. */
export type StoredType = { objectTypeName: string } & Record<string, unknown>

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** The cloud database of a project: on or off, and which version its schema has. */
export const cloudDatabases = pgTable('cdb_databases', {
  projectId: id().primaryKey(),
  teamId: teamId(),
  isEnabled: boolean().notNull().default(false),
  /** Counts changes of types; clients send the one they were built with. */
  schemaVersion: integer().notNull().default(0),
  apiVersion: text({ enum: ['v1', 'v2', 'v3', 'v4'] })
    .notNull()
    .default('v1'),
  /** 0: what is deleted is gone. */
  retentionDays: integer().notNull().default(0),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

export const dataZones = pgTable(
  'cdb_zones',
  {
    zoneId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    name: text().notNull(),
    nameKey: text().notNull(),
    /** The PostgreSQL schema that holds its tables. */
    schemaName: text().notNull().unique(),
    createdAt: instant().notNull(),
  },
  table => [uniqueIndex('cdb_zones_by_name').on(table.projectId, table.nameKey)],
)

export const objectTypes = pgTable(
  'cdb_types',
  {
    typeId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    nameKey: text().notNull(),
    definition: jsonb().$type<StoredType>().notNull(),
    /** By name in lower case: indexes that are still built, or could not be. */
    indexStates: jsonb().$type<Record<string, 'BUILDING' | 'FAILED'>>().notNull().default({}),
    schemaVersion: integer().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('cdb_types_by_name').on(table.projectId, table.nameKey)],
)

/** Each version of the schema, whole. */
export const schemaVersions = pgTable(
  'cdb_schema_versions',
  {
    projectId: id().notNull(),
    version: integer().notNull(),
    teamId: teamId(),
    objectTypes: jsonb().$type<StoredType[]>().notNull(),
    summary: text().notNull(),
    author: text().notNull(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.version] })],
)

export interface RowError {
  row: number
  code: number
  message: string
}

/** Imports, exports and index builds as people follow them; the job does the work. */
export const processes = pgTable(
  'cdb_processes',
  {
    processId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    kind: text({ enum: ['IMPORT', 'EXPORT', 'INDEX'] }).notNull(),
    subject: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Rows of the file that are done: where a run after a crash goes on. */
    rowsDone: count().notNull().default(0),
    rowsTotal: count(),
    inserted: count().notNull().default(0),
    updated: count().notNull().default(0),
    skipped: count().notNull().default(0),
    errors: jsonb().$type<RowError[]>().notNull().default([]),
    errorCount: count().notNull().default(0),
    notes: jsonb().$type<string[]>().notNull().default([]),
    /** What was made, or what is read. */
    objectIds: jsonb().$type<string[]>().notNull().default([]),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  table => [index('cdb_processes_of_project').on(table.projectId, table.processId)],
)

/**
 * What was written, with the row before and after: what listeners are told from, what use is counted from. Written in the
 * very statement of the change; kept for a day. It has no team: a data plane call has the rights of its project only.
 */
export const changes = pgTable(
  'cdb_changes',
  {
    seq: bigserial({ mode: 'bigint' }).primaryKey(),
    xid: transactionId().notNull().default(sql`pg_current_xact_id()`),
    projectId: id().notNull(),
    /** The data zone's id. */
    zoneId: id().notNull(),
    typeKey: text().notNull(),
    version: id(),
    /** Null of a row that was not there; both null: everything may have changed, look again. */
    before: jsonb(),
    after: jsonb(),
    bytes: integer().notNull().default(0),
    at: instant().notNull(),
    /** How many functions led to the write. */
    hops: smallint().notNull().default(0),
  },
  table => [index('cdb_changes_in_order').on(table.xid, table.seq)],
)

/** Transactions of the log: up to `writes` it was counted into use, up to `cut` it is no longer whole. */
export const logMarks = pgTable('cdb_log_marks', { name: text().primaryKey(), xid: transactionId().notNull() })

/** First answers of writes, by the client's request id, for ten minutes. */
export const requests = pgTable(
  'cdb_requests',
  {
    projectId: id().notNull(),
    requestId: text().notNull(),
    digest: text().notNull(),
    answer: jsonb(),
    expiresAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.requestId] }),
    index('cdb_requests_expired').on(table.expiresAt),
  ],
)

/** Who listens on which process, told anew every few seconds. */
export const listenerReports = pgTable(
  'cdb_listeners',
  {
    processName: text().notNull(),
    projectId: id().notNull(),
    teamId: teamId(),
    connections: integer().notNull(),
    subscriptions: integer().notNull(),
    groups: jsonb()
      .$type<{ zone: string; type: string; conditions: number; sees: string; subscribers: number; sent: number }[]>()
      .notNull(),
    sent: count().notNull(),
    resyncs: count().notNull(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.processName, table.projectId] })],
)

/** Deleted object types and data zones; their tables stand in schemas of their own until `keptUntil`. */
export const keptStores = pgTable(
  'cdb_kept',
  {
    keptId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    kind: text({ enum: ['TYPE', 'ZONE'] }).notNull(),
    name: text().notNull(),
    objectTypes: jsonb().$type<StoredType[]>().notNull(),
    places: jsonb().$type<{ zone: string; schema: string }[]>().notNull(),
    deletedBy: text().notNull(),
    deletedAt: instant().notNull(),
    keptUntil: instant().notNull(),
  },
  table => [index('cdb_kept_of_project').on(table.projectId, table.keptId), index('cdb_kept_over').on(table.keptUntil)],
)

/** Keys that apps wrapped for their users; what they open we never have. */
export const userKeys = pgTable(
  'cdb_user_keys',
  {
    projectId: id().notNull(),
    uid: text().notNull(),
    wrappedKey: text().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.uid] })],
)

/** Reads and writes by project and UTC day. */
export const usageDays = pgTable(
  'cdb_usage',
  {
    projectId: id().notNull(),
    teamId: teamId(),
    day: text().notNull(),
    typeKey: text().notNull(),
    reads: count().notNull().default(0),
    writes: count().notNull().default(0),
    writtenBytes: count().notNull().default(0),
  },
  table => [primaryKey({ columns: [table.projectId, table.day, table.typeKey] })],
)
