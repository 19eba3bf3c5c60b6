import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** What is on shelf, or was last. */
export interface Shelf {
  versionId: string
  /** Null for an app that is a store page only. */
  pkgId: string | null
  versionCode: string
  versionName: string
  /** SHA-256 of the certificates that may sign the next package, those of the lineage included. */
  signers: string[]
  at: number
}

export interface Contact {
  email?: string
  phone?: string
  inAppPath?: string
}

export const apps = pgTable(
  'apps',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    packageType: text().notNull(),
    packageName: text(),
    /** True once a package was accepted: the name stays for ever. */
    packageNameSettled: boolean().notNull().default(false),
    /** The developer has chosen the name himself; that is possible once. */
    packageNameChosen: boolean().notNull().default(false),
    defaultLang: text().notNull(),
    /** In the default language: of the version on shelf, else of the draft. */
    name: text().notNull(),
    iconObjectId: text(),
    isGame: boolean().notNull(),
    gameNetType: integer(),
    kindMainTag: integer(),
    kindSubTags: integer().array().notNull(),
    deviceTypes: integer().array().notNull(),
    developerNameCn: text().notNull().default(''),
    developerNameEn: text().notNull().default(''),
    developerWebsite: text().notNull().default(''),
    contact: jsonb().$type<Contact>().notNull(),
    familyShare: boolean().notNull().default(false),
    encrypted: boolean().notNull().default(false),
    state: text({ enum: ['ACTIVE', 'FROZEN', 'DELETED'] }).notNull(),
    frozenReason: text(),
    deletedAt: instant(),
    /** Told by versions: the one that is being prepared, and where it stands. */
    openVersionId: id(),
    openVersionState: text(),
    shelf: jsonb().$type<Shelf>(),
    /** Stays when the app goes off shelf; not null means it was ever on shelf. */
    lastShelf: jsonb().$type<Shelf>(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('apps_of_team').on(table.teamId, table.appId),
    index('apps_of_project').on(table.projectId, table.appId),
    index('apps_to_purge').on(table.deletedAt).where(sql`${table.state} = 'DELETED'`),
  ],
)
