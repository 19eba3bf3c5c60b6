import { desc, eq, sql } from 'drizzle-orm'
import { index, pgTable, text as textColumn } from 'drizzle-orm/pg-core'
import { service } from '../src/kernel/contract.ts'
import { Id, Instant, list, shape, text } from '../src/kernel/shape.ts'
import { id, instant, revision } from '../src/server/columns.ts'
import { planned } from '../src/server/database/planned.ts'
import { implement } from '../src/server/implement.ts'

/** The smallest real service: what a call costs besides its own work. */
export const notesTable = pgTable(
  'notes',
  {
    noteId: id().primaryKey(),
    teamId: id().notNull(),
    title: textColumn().notNull(),
    body: textColumn().notNull(),
    createdAt: instant().notNull(),
    revision: revision(),
  },
  table => [index().on(table.teamId, table.noteId)],
)

export const notesSql = `CREATE TABLE notes (note_id bigint PRIMARY KEY, team_id bigint NOT NULL, title text NOT NULL,
  body text NOT NULL, created_at bigint NOT NULL, revision int NOT NULL DEFAULT 1);
  CREATE INDEX ON notes (team_id, note_id)`

const Note = shape({ noteId: Id, title: text(200), body: text(2000), createdAt: Instant })

export const notes = service({
  name: 'bench/notes',
  prefix: '/bench/notes/v1',
  zone: 'current',
  permissions: ['projects.read', 'projects.create'],
  errors: {},
  calls: {
    createNote: {
      method: 'POST',
      path: '/notes',
      who: 'cp',
      may: 'projects.create',
      summary: 'Adds a note',
      body: shape({ title: text(200, 1), body: text(2000) }),
      answer: Note,
    },
    listNotes: {
      method: 'GET',
      path: '/notes',
      who: 'cp',
      may: 'projects.read',
      summary: 'The newest 20 notes',
      answer: shape({ list: list(Note) }),
    },
  },
})

/** Built once. No service and not the scaffold does this yet: what is measured here is the frame, not their handlers. */
const insertNote = planned(db =>
  db.insert(notesTable).values({
    noteId: sql.placeholder('noteId'),
    teamId: sql.placeholder('teamId'),
    title: sql.placeholder('title'),
    body: sql.placeholder('body'),
    createdAt: sql.placeholder('createdAt'),
  }),
)
const newestNotes = planned(db =>
  db
    .select()
    .from(notesTable)
    .where(eq(notesTable.teamId, sql.placeholder('teamId')))
    .orderBy(desc(notesTable.noteId))
    .limit(20),
)

export default implement(notes, {
  createNote: async (ctx, { body }) => {
    const note = { noteId: ctx.newId(), teamId: ctx.teamId, ...body, createdAt: ctx.now() }
    await insertNote(ctx.transaction(ctx.zone), note)
    return note
  },
  listNotes: async ctx => ({ list: await newestNotes(ctx.transaction(ctx.zone), { teamId: ctx.teamId }) }),
})
