import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** One thing that was found. */
export interface StoredHit {
  rule: string
  level: 'BLOCK' | 'WARN' | 'INFO'
  index: number
  at: number | null
  seen: string
}

/** One look at texts, pictures, a video or an app's fit; what was looked at is not kept, only what was found. */
export const detections = pgTable(
  'lifecycle_detections',
  {
    taskId: id().primaryKey(),
    teamId: teamId(),
    appId: id(),
    kind: text({ enum: ['CONTEXT', 'PICTURES', 'VIDEO', 'FIT'] }).notNull(),
    state: text({ enum: ['RUNNING', 'DONE', 'FAILED'] }).notNull(),
    verdict: text({ enum: ['BLOCK', 'WARN', 'INFO', 'PASS'] }),
    hits: jsonb().$type<StoredHit[]>().notNull(),
    /** What was looked at, by number: objects, fields, kinds of devices. */
    subjects: text().array().notNull(),
    jobId: id(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    finishedAt: instant(),
  },
  table => [
    index('lifecycle_detections_of_team').on(table.teamId, table.taskId),
    index('lifecycle_detections_of_app').on(table.appId, table.kind, table.taskId),
    index('lifecycle_detections_by_age').on(table.createdAt),
  ],
)

/** Pictures of listings that are on shelf, by what they look like; asked over all teams, and only that there is one is told. */
export const pictureHashes = pgTable(
  'lifecycle_picture_hashes',
  {
    appId: id().notNull(),
    objectId: text().notNull(),
    teamId: teamId(),
    versionId: id().notNull(),
    hash: id().notNull(),
    at: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.appId, table.objectId] }),
    index('lifecycle_picture_hashes_by_hash').on(table.hash),
  ],
)

/** What the members of a team think of the app before anybody else has it. */
export const alphaRatings = pgTable(
  'lifecycle_alpha_ratings',
  {
    appId: id().notNull(),
    accountId: id().notNull(),
    teamId: teamId(),
    /** By the criteria that staff keep, 1 to 5 each. */
    scores: jsonb().$type<Record<string, number>>().notNull(),
    average: integer().notNull(),
    note: text().notNull(),
    at: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.appId, table.accountId] })],
)
