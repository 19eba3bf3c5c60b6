import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** A paper with its scans, as it was handed in. */
export interface QualificationInfo {
  qualificationCode: string
  files: { objectId: string; fileName: string; fileSize: number; sha256: string }[]
  validityType: 0 | 1
  startTime: number | null
  expireTime: number | null
}

/** What the store and the developer said to each other. */
export interface TaskMessage {
  from: 'STORE' | 'DEVELOPER'
  kind: 'QUESTION' | 'ANSWER' | 'VERDICT'
  text: string
  at: number
}

/** The papers an app shows for one of its tags, and what the store says of them. */
export const qualificationTasks = pgTable(
  'qualification_tasks',
  {
    taskId: id().primaryKey(),
    teamId: teamId(),
    appId: id().notNull(),
    tagId: integer().notNull(),
    isMainTag: boolean().notNull(),
    state: text({ enum: ['TO_SUBMIT', 'WAITING', 'PASSED', 'FAILED', 'EXPIRED', 'VOID'] }).notNull(),
    infos: jsonb().$type<QualificationInfo[]>().notNull(),
    lastAuditResult: text(),
    messages: jsonb().$type<TaskMessage[]>().notNull().default([]),
    /** The store has asked and waits. */
    isAsked: boolean().notNull().default(false),
    submittedAt: instant(),
    decidedAt: instant(),
    decidedBy: id(),
    /** When the first of the papers ends. */
    expireAt: instant(),
    /** The days of the last reminder. */
    reminded: integer(),
    /** When an approval ended or was revoked. */
    endedAt: instant(),
    /** When the time of grace after that was looked at. */
    lapsedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('qualification_tasks_open')
      .on(table.appId, table.tagId)
      .where(sql`${table.state} IN ('TO_SUBMIT', 'WAITING', 'FAILED')`),
    index('qualification_tasks_of_team').on(table.teamId, table.taskId),
    index('qualification_tasks_of_app').on(table.appId, table.taskId),
    index('qualification_tasks_by_state').on(table.state, table.taskId),
    index('qualification_tasks_by_end').on(table.expireAt).where(sql`${table.state} = 'PASSED'`),
    index('qualification_tasks_in_grace')
      .on(table.endedAt)
      .where(sql`${table.endedAt} IS NOT NULL AND ${table.lapsedAt} IS NULL`),
  ],
)
