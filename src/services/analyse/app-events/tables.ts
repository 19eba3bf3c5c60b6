import { doublePrecision, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, teamId } from '../../../server/columns.ts'

/** Events that apps sent and that no file holds yet. A row goes in the transaction that names the file with it. */
export const appEventBuffer = pgTable(
  'app_event_buffer',
  {
    projectId: id().notNull(),
    /** Made of what the client calls the event: one that comes again counts once. */
    eventId: id().notNull(),
    teamId: teamId(),
    receivedAt: instant().notNull(),
    name: text().notNull(),
    unit: text().notNull(),
    at: instant().notNull(),
    value: doublePrecision(),
    experiment: text(),
    variant: text(),
    /** A JSON object as text, as files hold it. */
    props: text().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.eventId] })],
)

/** The names that events of a project have had lately: there is an end to how many. */
export const appEventNames = pgTable(
  'app_event_names',
  {
    projectId: id().notNull(),
    name: text().notNull(),
    teamId: teamId(),
    /** The last UTC day that had one, in days since 1970. */
    lastDay: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.name] })],
)

/** The files with the events of a project, each of one UTC day. */
export const appEventSegments = pgTable(
  'app_event_segments',
  {
    segmentId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    /** `2026-11-25`. */
    day: text().notNull(),
    seq: integer().notNull(),
    rows: count().notNull(),
    sizeBytes: count().notNull(),
    minAt: instant().notNull(),
    maxAt: instant().notNull(),
    sha256: text().notNull(),
    createdAt: instant().notNull(),
    /** Once another file has its rows, or nobody may have them: when the file goes. Until then a query may be reading it. */
    dropAt: instant(),
  },
  table => [
    uniqueIndex('app_event_segments_of_day').on(table.projectId, table.day, table.seq),
    index('app_event_segments_of_bytes').on(table.sha256),
    index('app_event_segments_to_drop').on(table.dropAt),
  ],
)
