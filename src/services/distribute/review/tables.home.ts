import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

/** Words in the console's three languages. */
export interface PolicyWords {
  zh: string
  en: string
  ru: string
}

/** What a rejection may name, in each version staff published; version 1 of the first ones comes with the program. */
export const policyVersions = pgTable(
  'review_policies',
  {
    policyId: text().notNull(),
    version: integer().notNull(),
    titles: jsonb().$type<PolicyWords>().notNull(),
    texts: jsonb().$type<PolicyWords>().notNull(),
    /** No longer named in new rejections; old ones keep what they named. */
    isRetired: boolean().notNull(),
    publishedBy: id().notNull(),
    publishedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.policyId, table.version] })],
)

/** When the store passes something without a look. One row, of all zones. */
export const autoRules = pgTable('review_auto_rules', {
  one: integer().primaryKey().default(1),
  isOn: boolean().notNull(),
  /** A page of the store that changed, and no package. */
  passesListings: boolean().notNull(),
  /** An update with the permissions, libraries and signer of what is on shelf. */
  passesUpdates: boolean().notNull(),
  cleanDays: integer().notNull(),
  samplePercent: integer().notNull(),
  changedBy: id().notNull(),
  updatedAt: instant().notNull(),
  revision: revision(),
})
