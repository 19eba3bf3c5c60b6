import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'
import type { ZoneId } from '../../../kernel/zones.ts'
import { id, instant, teamId } from '../../../server/columns.ts'

/** Which buckets there are anywhere: their names are unlike over all teams and zones, and an address says no zone. */
export const bucketNames = pgTable(
  'storage_bucket_names',
  {
    bucketId: text().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    zone: text().$type<ZoneId>().notNull(),
    createdAt: instant().notNull(),
  },
  table => [index('storage_bucket_names_of_project').on(table.projectId)],
)

/** What clients of S3 and of functions sign their requests with. */
export const accessKeys = pgTable(
  'storage_access_keys',
  {
    accessKeyId: text().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    zone: text().$type<ZoneId>().notNull(),
    name: text().notNull(),
    sealedSecret: text().notNull(),
    isReadOnly: boolean().notNull().default(false),
    /** What the key signs for. */
    services: text().array().$type<('storage' | 'functions')[]>().notNull().default(['storage']),
    /** Null reaches every bucket of the project. */
    bucketId: text(),
    expiresAt: instant(),
    lastUsedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
  },
  table => [index('storage_access_keys_of_project').on(table.projectId, table.createdAt)],
)
