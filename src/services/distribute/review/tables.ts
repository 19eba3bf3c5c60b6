import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export interface ReviewIssue {
  policyId: string
  severity: 'MUST_FIX' | 'ADVICE'
  text: string
  where?: { screen?: string; permission?: string; file?: string; timestamp?: string }
}

/** What a developer hands in: one thread from the first submit to the last word, over as many rejections as it takes. */
export const submissions = pgTable(
  'review_submissions',
  {
    submissionId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    versionId: id().notNull(),
    lane: text({ enum: ['FORMAL'] }).notNull(),
    state: text({ enum: ['WAITING', 'IN_REVIEW', 'UNRESOLVED', 'COMPLETE', 'CANCELED'] }).notNull(),
    /** Who has to do something next, when it is not the store. */
    waitingFor: text({ enum: ['developer'] }),
    urgeCount: integer().notNull().default(0),
    messageCount: integer().notNull().default(0),
    submittedAt: instant().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('review_submissions_of_version').on(table.versionId, table.submissionId)],
)

export const items = pgTable(
  'review_items',
  {
    itemId: id().primaryKey(),
    submissionId: id().notNull(),
    teamId: teamId(),
    kind: text({ enum: ['VERSION', 'SHELF_OFF'] }).notNull(),
    refId: id().notNull(),
    state: text({ enum: ['PENDING', 'ACCEPTED', 'REJECTED', 'REMOVED'] }).notNull(),
  },
  table => [index('review_items_of_submission').on(table.submissionId)],
)

/** One look of the store at an item. */
export const tasks = pgTable(
  'review_tasks',
  {
    taskId: id().primaryKey(),
    teamId: teamId(),
    submissionId: id().notNull(),
    itemId: id().notNull(),
    itemKind: text({ enum: ['VERSION', 'SHELF_OFF'] }).notNull(),
    appId: id().notNull(),
    versionId: id().notNull(),
    /** As they were when the task was queued: what the desk searches and shows. */
    appName: text().notNull(),
    packageName: text(),
    versionName: text(),
    versionCode: text(),
    queue: text({ enum: ['FIRST', 'UPDATE'] }).notNull(),
    priority: integer().notNull(),
    state: text({ enum: ['QUEUED', 'CLAIMED', 'WAITING', 'DECIDED', 'CANCELED'] }).notNull(),
    slaDueAt: instant().notNull(),
    /** Set while the developer is asked: the clock stands. */
    pausedAt: instant(),
    claimedBy: id(),
    claimedAt: instant(),
    claimExpiresAt: instant(),
    verdict: text({ enum: ['APPROVE', 'APPROVE_WITH_NOTES', 'REJECT'] }),
    note: text(),
    issues: jsonb().$type<ReviewIssue[]>().notNull(),
    decidedBy: id(),
    decidedAt: instant(),
    queuedAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('review_tasks_open').on(table.itemId).where(sql`${table.state} IN ('QUEUED', 'CLAIMED', 'WAITING')`),
    index('review_tasks_by_priority').on(table.state, table.queue, table.priority.desc(), table.slaDueAt, table.taskId),
    index('review_tasks_of_submission').on(table.submissionId, table.taskId),
    index('review_tasks_of_app').on(table.appId, table.taskId),
    index('review_tasks_leased').on(table.claimExpiresAt).where(sql`${table.state} = 'CLAIMED'`),
  ],
)

export const messages = pgTable(
  'review_messages',
  {
    messageId: id().primaryKey(),
    submissionId: id().notNull(),
    teamId: teamId(),
    sender: text({ enum: ['developer', 'reviewer'] }).notNull(),
    kind: text({ enum: ['MESSAGE', 'QUESTION', 'ANSWER', 'APPROVAL', 'REJECTION'] }).notNull(),
    authorId: id().notNull(),
    text: text().notNull(),
    attachments: text().array().notNull(),
    issues: jsonb().$type<ReviewIssue[]>().notNull(),
    createdAt: instant().notNull(),
  },
  table => [index('review_messages_of_submission').on(table.submissionId, table.messageId)],
)
