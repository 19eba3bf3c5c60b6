import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export interface ReviewIssue {
  policyId: string
  severity: 'MUST_FIX' | 'ADVICE'
  text: string
  /** Of the rule as it was then. */
  policyVersion?: number
  clause?: { zh: string; en: string; ru: string }
  where?: { screen?: string; permission?: string; file?: string; timestamp?: string }
}

export interface ItemResult {
  itemId: string
  appId: string
  appName: string
  versionName: string | null
  state: 'ACCEPTED' | 'REJECTED' | 'REMOVED'
}

/** What one reviewer thought where two must agree. */
export interface Opinion {
  reviewerId: string
  verdict: 'APPROVE' | 'APPROVE_WITH_NOTES' | 'REJECT'
  note: string | null
  issues: ReviewIssue[]
  at: number
}

/** What a developer hands in: one thread from the first submit to the last word, over as many rejections as it takes. */
export const submissions = pgTable(
  'review_submissions',
  {
    submissionId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    versionId: id().notNull(),
    /** What the developer calls it, where several things were handed in together. */
    title: text().notNull().default(''),
    lane: text({ enum: ['FORMAL', 'TEST'] }).notNull(),
    state: text({ enum: ['WAITING', 'IN_REVIEW', 'UNRESOLVED', 'COMPLETE', 'CANCELED'] }).notNull(),
    /** When what is accepted goes on shelf: each by itself, or all together when nothing is left to decide. */
    release: text({ enum: ['EACH', 'TOGETHER'] })
      .notNull()
      .default('EACH'),
    /** Who has to do something next, when it is not the store. */
    waitingFor: text({ enum: ['developer'] }),
    urgeCount: integer().notNull().default(0),
    messageCount: integer().notNull().default(0),
    submittedAt: instant().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('review_submissions_of_version').on(table.versionId, table.submissionId),
    index('review_submissions_of_team').on(table.teamId, table.submissionId),
  ],
)

export const items = pgTable(
  'review_items',
  {
    itemId: id().primaryKey(),
    submissionId: id().notNull(),
    teamId: teamId(),
    kind: text({ enum: ['VERSION', 'SHELF_OFF', 'TEST'] }).notNull(),
    refId: id().notNull(),
    /** Null in rows from before submissions held more than one app: then it is the submission's. */
    appId: id(),
    state: text({ enum: ['PENDING', 'ACCEPTED', 'REJECTED', 'REMOVED'] }).notNull(),
  },
  table => [
    index('review_items_of_submission').on(table.submissionId),
    index('review_items_of_version').on(table.refId, table.submissionId),
    index('review_items_of_app').on(table.appId, table.submissionId),
  ],
)

/** One look of the store at an item. */
export const tasks = pgTable(
  'review_tasks',
  {
    taskId: id().primaryKey(),
    teamId: teamId(),
    submissionId: id().notNull(),
    itemId: id().notNull(),
    itemKind: text({ enum: ['VERSION', 'SHELF_OFF', 'TEST'] }).notNull(),
    appId: id().notNull(),
    versionId: id().notNull(),
    /** As they were when the task was queued: what the desk searches and shows. */
    appName: text().notNull(),
    packageName: text(),
    versionName: text(),
    versionCode: text(),
    queue: text({ enum: ['FIRST', 'UPDATE', 'EXPEDITE', 'APPEAL', 'RISK', 'AUTO'] }).notNull(),
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
    /** The app is one where two reviewers must agree. */
    needsSecond: boolean().notNull().default(false),
    opinions: jsonb().$type<Opinion[]>().notNull().default([]),
    /** Why only a senior reviewer may go on, and what he was told. */
    seniorBecause: text({ enum: ['RISK', 'INSTALLS', 'APPEAL'] }),
    seniorNote: text(),
    /** Who may not judge it: those whose rejection is appealed from. */
    excluded: jsonb().$type<string[]>().notNull().default([]),
    /** What spoke for an automatic pass, also where a sample was drawn. */
    autoReasons: jsonb().$type<string[]>().notNull().default([]),
    isSampled: boolean().notNull().default(false),
    /** The app's category when it was queued, for the statistics. */
    kindMainTag: integer(),
    decidedBy: id(),
    decidedAt: instant(),
    queuedAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('review_tasks_open').on(table.itemId).where(sql`${table.state} IN ('QUEUED', 'CLAIMED', 'WAITING')`),
    index('review_tasks_by_priority').on(
      table.state,
      table.queue,
      table.priority.desc().nullsFirst(),
      table.slaDueAt,
      table.taskId,
      // Row-level security asks for it: with it places and counts come from the index alone.
      table.teamId,
    ),
    index('review_tasks_all').on(table.priority.desc().nullsFirst(), table.slaDueAt, table.taskId),
    index('review_tasks_in_state').on(
      table.state,
      table.priority.desc().nullsFirst(),
      table.slaDueAt,
      table.taskId,
      table.teamId,
    ),
    index('review_tasks_due').on(table.state, table.slaDueAt, table.taskId),
    index('review_tasks_decided').on(table.queue, table.decidedAt).where(sql`${table.state} = 'DECIDED'`),
    index('review_tasks_decided_all').on(table.decidedAt).where(sql`${table.state} = 'DECIDED'`),
    index('review_tasks_of_team').on(table.teamId, table.decidedAt).where(sql`${table.state} = 'DECIDED'`),
    index('review_tasks_queued').on(table.queuedAt),
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
    kind: text({
      enum: ['MESSAGE', 'QUESTION', 'ANSWER', 'APPROVAL', 'REJECTION', 'SUMMARY', 'APPEAL', 'EXPEDITE'],
    }).notNull(),
    /** What it is about, where the submission holds several things. */
    itemId: id(),
    authorId: id().notNull(),
    text: text().notNull(),
    attachments: text().array().notNull(),
    issues: jsonb().$type<ReviewIssue[]>().notNull(),
    /** Of a summary: what became of each thing. */
    results: jsonb().$type<ItemResult[]>().notNull().default([]),
    createdAt: instant().notNull(),
  },
  table => [index('review_messages_of_submission').on(table.submissionId, table.messageId)],
)

/** Apps whose reviews need a second reviewer, set by senior staff. */
export const sensitiveApps = pgTable('review_sensitive_apps', {
  appId: id().primaryKey(),
  teamId: teamId(),
  reason: text().notNull(),
  setBy: id().notNull(),
  at: instant().notNull(),
})

/** A version that must not wait: so many an app in half a year. */
export const expedites = pgTable(
  'review_expedites',
  {
    expediteId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    taskId: id().notNull(),
    reason: text().notNull(),
    askedBy: id().notNull(),
    at: instant().notNull(),
  },
  table => [index('review_expedites_of_app').on(table.appId, table.at)],
)

/** A rejection that the developer holds to be wrong; one an answer of the store. */
export const appeals = pgTable(
  'review_appeals',
  {
    /** The rejection. */
    taskId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    appealTaskId: id().notNull(),
    askedBy: id().notNull(),
    at: instant().notNull(),
  },
  table => [index('review_appeals_by_task').on(table.appealTaskId)],
)

/** An app of which a sample was drawn that nobody has looked at yet: what comes next of it is looked at instead. */
export const owedSamples = pgTable('review_owed_samples', {
  appId: id().primaryKey(),
  teamId: teamId(),
  at: instant().notNull(),
})
