import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** A colour of a picture and how much of it has that colour, in hundredths of a percent. */
export interface StoredColour {
  color: string
  shareBp: number
}

/** What the store passed, and shows until something else is passed. */
export interface PassedPicture {
  objectId: string
  dominantColor: string
  textColor: string
  at: number
}

/** The large picture of an app, a row an app. */
export const immersivePictures = pgTable(
  'immersive_pictures',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    state: text({ enum: ['DRAFT', 'AUDITING', 'APPROVED', 'REJECTED'] }).notNull(),
    objectId: text(),
    width: integer(),
    height: integer(),
    /** The most frequent one first. */
    palette: jsonb().$type<StoredColour[]>().notNull().default([]),
    dominantColor: text(),
    textColor: text(),
    passed: jsonb().$type<PassedPicture>(),
    /** What the reviewer said when it was refused. */
    note: text(),
    submittedBy: id(),
    submittedAt: instant(),
    decidedBy: id(),
    decidedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('immersive_pictures_waiting').on(table.submittedAt, table.appId).where(sql`${table.state} = 'AUDITING'`),
  ],
)
