import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** The stars that a device gave an app, with words or without: the one truth of both. */
export const comments = pgTable(
  'comments',
  {
    commentId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    /** The device as this app alone knows it: a keyed digest. */
    author: text().notNull(),
    /** Of a test version: never public, and in no rating. */
    isTest: boolean().notNull(),
    stars: integer().notNull(),
    title: text().notNull(),
    /** Empty of a rating without words. */
    text: text().notNull(),
    /** Title and text in lower case, what a search looks through. */
    haystack: text().notNull(),
    nickname: text().notNull(),
    /** The first part of a language tag. */
    language: text(),
    country: text(),
    device: text(),
    versionId: id().notNull(),
    versionCode: text().notNull(),
    versionName: text().notNull(),
    helpful: count().notNull().default(0),
    state: text({ enum: ['VISIBLE', 'APPEALED', 'HIDDEN', 'DELETED'] }).notNull(),
    /** When staff hid it last; whoever deletes a hidden one does not begin anew. */
    hiddenAt: instant(),
    /** While the developer has a reply to it: when the first one was written. */
    repliedAt: instant(),
    /** A digest of the network and the day it first came from, for counting; null of a rating without words. */
    source: text(),
    editDay: text().notNull(),
    /** Writes on `editDay`. */
    edits: integer().notNull(),
    createdAt: instant().notNull(),
    /** When its author last wrote it. */
    writtenAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('comments_of_author')
      .on(table.appId, table.author, table.isTest)
      .where(sql`${table.state} <> 'DELETED'`),
    index('comments_of_app').on(table.appId, table.isTest, table.commentId),
    index('comments_helpful').on(table.appId, table.helpful, table.commentId).where(sql`NOT ${table.isTest}`),
    index('comments_source').on(table.source),
    index('comments_of_team').on(table.teamId, table.commentId),
  ],
)

/** Which device found which comment helpful. */
export const commentVotes = pgTable(
  'comment_votes',
  {
    commentId: id().notNull(),
    device: text().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    at: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.commentId, table.device] }), index('comment_votes_of_app').on(table.appId)],
)

/** What the developer answers: one to a comment. */
export const commentReplies = pgTable(
  'comment_replies',
  {
    replyId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    commentId: id().notNull(),
    authorId: id().notNull(),
    text: text().notNull(),
    /** What people read: the last text that passed the check. */
    shownText: text(),
    state: text({ enum: ['PENDING_CHECK', 'VISIBLE', 'REJECTED', 'DELETED'] }).notNull(),
    /** What the check objected to. */
    reason: text(),
    publishedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('comment_replies_of_comment').on(table.commentId).where(sql`${table.state} <> 'DELETED'`),
    index('comment_replies_of_app').on(table.appId),
    index('comment_replies_waiting').on(table.updatedAt).where(sql`${table.state} = 'PENDING_CHECK'`),
  ],
)

/** What teams report of comments to the store. */
export const commentReports = pgTable(
  'comment_reports',
  {
    reportId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    commentId: id().notNull(),
    policyId: text().notNull(),
    note: text().notNull(),
    state: text({ enum: ['OPEN', 'KEPT', 'HIDDEN', 'GONE'] }).notNull(),
    reportedBy: id().notNull(),
    createdAt: instant().notNull(),
    decidedAt: instant(),
    decidedBy: id(),
    answer: text().notNull().default(''),
    revision: revision(),
  },
  table => [
    uniqueIndex('comment_reports_open').on(table.commentId).where(sql`${table.state} = 'OPEN'`),
    index('comment_reports_desk').on(table.state, table.reportId),
    index('comment_reports_of_team').on(table.teamId, table.createdAt),
    index('comment_reports_of_app').on(table.appId),
  ],
)

/** When a member last looked at the comments of an app. */
export const commentsSeen = pgTable(
  'comments_seen',
  { appId: id().notNull(), accountId: id().notNull(), teamId: teamId(), at: instant().notNull() },
  table => [primaryKey({ columns: [table.appId, table.accountId] }), index('comments_seen_by').on(table.accountId)],
)

/** Up to when a team was told of new comments on an app. */
export const commentsTold = pgTable('comments_told', {
  appId: id().primaryKey(),
  teamId: teamId(),
  /** The first comment that it was not told of came then; null while there is none. */
  waitingSince: instant(),
  toldAt: instant().notNull(),
})
