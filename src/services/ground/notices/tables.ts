import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

/** What people were told, in the zone where it happened. A row is of a person, whatever team it tells of. */
export const notices = pgTable(
  'notices',
  {
    noticeId: id().primaryKey(),
    accountId: id().notNull(),
    /** What it was written for, so that an event told twice makes one notice. */
    cause: text().notNull(),
    ofTeamId: id(),
    category: text({ enum: ['security', 'billing', 'review', 'operations', 'marketing'] }).notNull(),
    kind: text().notNull(),
    title: jsonb().$type<{ zh: string; en: string; ru: string }>().notNull(),
    text: jsonb().$type<{ zh: string; en: string; ru: string }>().notNull(),
    /** A page of the console: `/apps/1`. */
    href: text(),
    entityId: text().notNull(),
    createdAt: instant().notNull(),
    readAt: instant(),
    isInInbox: boolean().notNull(),
    /** `now`: a job sends it. `digest`: it waits for `mailDueAt`. `digested`: it went, or goes, with `digestId`. */
    mail: text({ enum: ['none', 'now', 'digest', 'digested', 'sent', 'failed'] }).notNull(),
    mailDueAt: instant(),
    digestId: id(),
  },
  table => [
    uniqueIndex('notices_cause').on(table.accountId, table.cause),
    index('notices_of_account').on(table.accountId, table.noticeId).where(sql`${table.isInInbox}`),
    index('notices_unread').on(table.accountId).where(sql`${table.isInInbox} and ${table.readAt} is null`),
    index('notices_digest').on(table.mailDueAt).where(sql`${table.mail} = 'digest'`),
    index('notices_in_digest').on(table.digestId).where(sql`${table.digestId} is not null`),
    index('notices_age').on(table.createdAt),
  ],
)

/** One row a person and period: what makes a digest go out once. */
export const digests = pgTable(
  'notice_digests',
  {
    digestId: id().primaryKey(),
    accountId: id().notNull(),
    period: text().notNull(),
    /** `sending` is written before the mail server is asked; after a crash nobody knows, so it becomes `unsure`. */
    state: text({ enum: ['waiting', 'sending', 'sent', 'unsure', 'failed', 'empty'] }).notNull(),
    createdAt: instant().notNull(),
  },
  table => [
    uniqueIndex('notice_digests_period').on(table.accountId, table.period),
    index('notice_digests_age').on(table.createdAt),
  ],
)
