import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { LocalText } from '../../../kernel/language.ts'
import { id, instant, revision } from '../../../server/columns.ts'

/** What texts of listings must not say, or should not. */
export const words = pgTable(
  'lifecycle_words',
  {
    wordId: id().primaryKey(),
    language: text({ enum: ['all', 'zh', 'en', 'ru'] }).notNull(),
    word: text().notNull(),
    /** As it is looked for. */
    wordKey: text().notNull(),
    topic: text({ enum: ['banned', 'price', 'superlative', 'ranking', 'medical', 'other'] }).notNull(),
    level: text({ enum: ['BLOCK', 'WARN'] }).notNull(),
    isOff: boolean().notNull(),
    note: text().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('lifecycle_words_by_key').on(table.language, table.wordKey)],
)

/** What staff keep for developers: demos, rules of copyright papers, crowd-test activities, criteria of alpha ratings. */
export const kept = pgTable(
  'lifecycle_kept',
  {
    rowId: id().primaryKey(),
    kind: text({ enum: ['DEMO', 'COPYRIGHT', 'VANTEST', 'ALPHA'] }).notNull(),
    titles: jsonb().$type<LocalText>().notNull(),
    texts: jsonb().$type<LocalText>().notNull(),
    link: text().notNull(),
    /** ISO 3166 codes, and tags of categories; empty is all. */
    countries: text().array().notNull(),
    kindTags: integer().array().notNull(),
    startAt: instant(),
    endAt: instant(),
    place: integer().notNull(),
    isShown: boolean().notNull(),
    updatedBy: id().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('lifecycle_kept_of_kind').on(table.kind, table.place, table.rowId)],
)
