import { sql } from 'drizzle-orm'
import { boolean, customType, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** Paths in the order of their bytes, as S3 lists them. */
const path = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export interface CorsRule {
  allowedOrigins: string[]
  allowedMethods: ('GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD')[]
  allowedHeaders: string[]
  exposeHeaders: string[]
  maxAgeSeconds: number
}

/** Of files below a prefix: when they go, when uploads are given up, when what was replaced goes. */
export interface LifecycleRule {
  prefix: string
  expireDays?: number | undefined
  abortDays?: number | undefined
  olderVersionDays?: number | undefined
}

export interface CacheRule {
  pattern: string
  ttlSeconds: number
}

export interface DownloadToken {
  token: string
  createdAt: number
  createdBy: string
  expiresAt: number | null
}

export const storageServices = pgTable('storage_services', {
  projectId: id().primaryKey(),
  teamId: teamId(),
  level: text({ enum: ['FREE', 'PAID', 'SUSPENDED'] }).notNull(),
  defaultBucketId: text(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})

export const buckets = pgTable(
  'storage_buckets',
  {
    bucketId: text().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    isDefault: boolean().notNull().default(false),
    state: text({ enum: ['ACTIVE', 'DELETING'] }).notNull(),
    versioning: text({ enum: ['OFF', 'ON', 'PAUSED'] }).notNull(),
    /** Null takes what the service takes. */
    maxObjectBytes: count(),
    /** `image/png`, `image/*`; empty takes all. */
    allowedTypes: text().array().notNull().default([]),
    lifecycle: jsonb().$type<LifecycleRule[]>().notNull().default([]),
    cors: jsonb().$type<CorsRule[]>().notNull().default([]),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('storage_buckets_of_project').on(table.projectId, table.createdAt)],
)

const content = {
  bucketId: text().notNull(),
  path: path().notNull(),
  teamId: teamId(),
  /** Microseconds of the epoch, and higher than every one before. */
  generation: count().notNull(),
  sizeBytes: count().notNull(),
  contentType: text().notNull(),
  /** What the bytes say they are, where they say something else than the content type. */
  sniffedType: text(),
  cacheControl: text(),
  contentDisposition: text(),
  contentEncoding: text(),
  contentLanguage: text(),
  sha256: text(),
  md5: text(),
  /** Without quotes: md5, for those made of parts the md5 of theirs with their number. */
  etag: text().notNull(),
  /** By algorithm, base64, as a client of S3 sent it. */
  checksums: jsonb().$type<Record<string, string>>().notNull().default({}),
  metadata: jsonb().$type<Record<string, string>>().notNull().default({}),
  ownerUid: text(),
  /** Where the engine keeps the bytes; null where they stand in the row, and of folders. */
  blob: text(),
  content: bytes(),
  /** Written while the bucket kept no versions; of one path one at most. */
  isNullVersion: boolean().notNull().default(false),
  createdAt: instant().notNull(),
}

export const objects = pgTable(
  'storage_objects',
  {
    ...content,
    metageneration: integer().notNull().default(1),
    tokens: jsonb().$type<DownloadToken[]>().notNull().default([]),
    updatedAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.bucketId, table.path] }),
    index('storage_objects_of_blob').on(table.blob).where(sql`${table.blob} is not null`),
  ],
)

/** What was replaced or deleted in buckets that keep versions. */
export const objectVersions = pgTable(
  'storage_versions',
  { ...content, isDeleteMarker: boolean().notNull().default(false), replacedAt: instant().notNull() },
  table => [
    primaryKey({ columns: [table.bucketId, table.path, table.generation] }),
    index('storage_versions_of_blob').on(table.blob).where(sql`${table.blob} is not null`),
    index('storage_versions_by_age').on(table.bucketId, table.replacedAt),
  ],
)

export interface UploadAttributes {
  contentType: string
  cacheControl?: string
  contentDisposition?: string
  contentEncoding?: string
  contentLanguage?: string
  metadata?: Record<string, string>
  /** Algorithm of the checksums of its parts. */
  checksum?: string
}

export const storageUploads = pgTable(
  'storage_uploads',
  {
    uploadId: text().primaryKey(),
    teamId: teamId(),
    bucketId: text().notNull(),
    path: path().notNull(),
    kind: text({ enum: ['RESUMABLE', 'MULTIPART', 'TUS'] }).notNull(),
    state: text({ enum: ['OPEN', 'FINALIZING', 'DONE', 'ABORTED', 'EXPIRED'] }).notNull(),
    /** Null of one whose length is not known yet. */
    sizeBytes: count(),
    sha256: text(),
    ownerUid: text(),
    /** What one of the console or of a server writes is not asked of the rules. */
    isTrusted: boolean().notNull().default(false),
    attributes: jsonb().$type<UploadAttributes>().notNull(),
    received: count().notNull().default(0),
    pieces: integer().notNull().default(0),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [
    // The public client names no upload: it sends size and digest again, and goes on.
    uniqueIndex('storage_uploads_resumed')
      .on(table.bucketId, table.path, sql`coalesce(${table.ownerUid}, '')`, table.sizeBytes, table.sha256)
      .where(sql`${table.kind} = 'RESUMABLE' AND ${table.state} IN ('OPEN', 'FINALIZING')`),
    index('storage_uploads_of_bucket').on(table.bucketId, table.path, table.uploadId),
    index('storage_uploads_due').on(table.expiresAt),
  ],
)

export const storageParts = pgTable(
  'storage_parts',
  {
    uploadId: text().notNull(),
    partNumber: integer().notNull(),
    teamId: teamId(),
    /** Where the engine keeps this try; two tries of one part never share a place. */
    slot: count().notNull(),
    sizeBytes: count().notNull(),
    md5: text().notNull(),
    checksums: jsonb().$type<Record<string, string>>().notNull().default({}),
    receivedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.uploadId, table.partNumber] })],
)

/** Bytes to be removed when their time comes, if no row names them then. */
export const storageGarbage = pgTable(
  'storage_garbage',
  { blob: text().primaryKey(), dueAt: instant().notNull() },
  table => [index('storage_garbage_due').on(table.dueAt)],
)

/** What a bucket holds, in sixteen rows so that writers do not wait for each other. */
export const storageCounters = pgTable(
  'storage_counters',
  {
    bucketId: text().notNull(),
    shard: integer().notNull(),
    teamId: teamId(),
    bytes: count().notNull(),
    objects: count().notNull(),
  },
  table => [primaryKey({ columns: [table.bucketId, table.shard] })],
)

/** What a bucket was used for on a day (UTC). */
export const storageDays = pgTable(
  'storage_days',
  {
    bucketId: text().notNull(),
    day: text().notNull(),
    teamId: teamId(),
    projectId: id().notNull(),
    storedBytes: count().notNull().default(0),
    objects: count().notNull().default(0),
    /** Writes and listings. */
    classA: count().notNull().default(0),
    /** Reads. */
    classB: count().notNull().default(0),
    egressBytes: count().notNull().default(0),
  },
  table => [
    primaryKey({ columns: [table.bucketId, table.day] }),
    index('storage_days_of_project').on(table.projectId, table.day),
  ],
)

export interface SiteRefresh {
  refreshId: string
  at: number
  paths: string[]
  doneAt: number | null
}

/** A bucket that is a site. */
export const storageSites = pgTable('storage_sites', {
  bucketId: text().primaryKey(),
  teamId: teamId(),
  state: text({ enum: ['DISABLED', 'ACTIVE', 'REFRESHING', 'FAILED'] }).notNull(),
  indexDoc: text().notNull(),
  errorDoc: text(),
  /** Paths that are not there are the index: pages that route by themselves. */
  isSinglePage: boolean().notNull().default(false),
  cacheRules: jsonb().$type<CacheRule[]>().notNull().default([]),
  refreshes: jsonb().$type<SiteRefresh[]>().notNull().default([]),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})
