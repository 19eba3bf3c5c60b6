import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

export const fileObjects = pgTable(
  'file_objects',
  {
    /** `<zone slug>/<yyyyMMddHH>/<uuid>.<ext>` */
    objectId: text().primaryKey(),
    teamId: teamId(),
    bizTag: text({ enum: ['app_pkg', 'app_img', 'app_video', 'app_qual', 'app_cert', 'comment_img', 'tmp'] }).notNull(),
    fileName: text().notNull(),
    /** As announced until the bytes are in. */
    sizeBytes: count().notNull(),
    sha256: text(),
    mime: text(),
    width: integer(),
    height: integer(),
    state: text({ enum: ['INIT', 'UPLOADING', 'TEMP', 'NORMAL', 'DELETED'] }).notNull(),
    refCount: integer().notNull().default(0),
    /** The app that referred to it first, and its project: who reaches them reaches it. Null: it is its uploader's. */
    appId: id(),
    projectId: id(),
    createdBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    expireAt: instant(),
    revision: revision(),
  },
  table => [
    index('file_objects_due').on(table.expireAt).where(sql`${table.expireAt} is not null`),
    index('file_objects_of_content').on(table.sha256).where(sql`${table.state} in ('TEMP', 'NORMAL')`),
    index('file_objects_listed')
      .on(table.teamId, table.createdAt, table.objectId)
      .where(sql`${table.state} in ('TEMP', 'NORMAL')`),
    index('file_objects_of_app')
      .on(table.appId, table.createdAt, table.objectId)
      .where(sql`${table.state} in ('TEMP', 'NORMAL')`),
    index('file_objects_of_project')
      .on(table.projectId, table.createdAt, table.objectId)
      .where(sql`${table.state} in ('TEMP', 'NORMAL')`),
    index('file_objects_of_nobody')
      .on(table.createdBy, table.createdAt, table.objectId)
      .where(sql`${table.state} in ('TEMP', 'NORMAL') AND ${table.appId} is null`),
    index('file_objects_used').on(table.teamId, table.sizeBytes).where(sql`${table.state} in ('TEMP', 'NORMAL')`),
  ],
)

/** An upload in parts; the object it makes is UPLOADING meanwhile. */
export const fileUploads = pgTable(
  'file_uploads',
  {
    uploadId: id().primaryKey(),
    teamId: teamId(),
    objectId: text().notNull(),
    partSize: count().notNull(),
    partCount: integer().notNull(),
  },
  table => [index('file_uploads_of_object').on(table.objectId)],
)

export const fileParts = pgTable(
  'file_parts',
  {
    uploadId: id().notNull(),
    partNumber: integer().notNull(),
    teamId: teamId(),
    /** Where the engine keeps this try; two tries of one part never share a place. */
    slot: count().notNull(),
    sizeBytes: count().notNull(),
    md5: text().notNull(),
    receivedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.uploadId, table.partNumber] })],
)

/** Work on files that people wait for; the job of the same id has its progress. */
export const fileTasks = pgTable(
  'file_tasks',
  {
    taskId: id().primaryKey(),
    teamId: teamId(),
    kind: text({ enum: ['fetch', 'check', 'video'] }).notNull(),
    objectIds: text().array().notNull(),
    state: text({ enum: ['RUNNING', 'DONE', 'FAILED'] }).notNull(),
    /** Why it failed: a number of the error table and a sentence. */
    code: integer(),
    message: text(),
    result: jsonb(),
    createdBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [
    index('file_tasks_running').on(table.teamId, table.kind).where(sql`${table.state} = 'RUNNING'`),
    index('file_tasks_made').on(table.createdAt),
  ],
)

/** What the last check found out about an object. */
export const fileChecks = pgTable('file_checks', {
  objectId: text().primaryKey(),
  teamId: teamId(),
  taskId: id().notNull(),
  verdict: text({ enum: ['PASS', 'RISK', 'REJECT', 'ERROR'] }).notNull(),
  items: jsonb().notNull(),
  checkedAt: instant().notNull(),
})

/** Contents that lost an object; the bytes go once no object has them. */
export const fileGarbage = pgTable(
  'file_garbage',
  { sha256: text().primaryKey(), dueAt: instant().notNull() },
  table => [index('file_garbage_due').on(table.dueAt)],
)
