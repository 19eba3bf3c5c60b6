import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
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

/** Lists show no deleted app, so their indexes hold none. */
const alive = sql`state <> 'DELETED'`

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
    /** What the developer says of an app that is not on shelf; else it is derived. */
    developStatusSaid: text({ enum: ['NOT_STARTED', 'DEVELOPING', 'TESTING'] }),
    /** From then on the app's data stays in this zone. */
    locationLockedAt: instant(),
    state: text({ enum: ['ACTIVE', 'FROZEN', 'DELETED'] }).notNull(),
    /** Of a demo project: its made-up versions, and until when its made-up numbers go. */
    demo: jsonb().$type<{ versionIds: [string, string]; until: number }>(),
    frozenReason: text(),
    deletedAt: instant(),
    /** Told by versions: the one that is being prepared, and where it stands. */
    openVersionId: id(),
    openVersionState: text(),
    shelf: jsonb().$type<Shelf>(),
    /** Stays when the app goes off shelf; not null means it was ever on shelf. */
    lastShelf: jsonb().$type<Shelf>(),
    /** When the app went on shelf for the first time. */
    firstShelfAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('apps_demo').on(table.teamId).where(sql`${table.demo} IS NOT NULL`),
    index('apps_of_team').on(table.teamId, table.appId),
    index('apps_by_updated').on(table.teamId, table.updatedAt, table.appId).where(alive),
    index('apps_by_created').on(table.teamId, table.createdAt, table.appId).where(alive),
    index('apps_by_name').on(table.teamId, sql`lower(${table.name})`, table.appId).where(alive),
    index('apps_of_store').on(table.updatedAt, table.appId).where(alive),
    index('apps_of_project').on(table.projectId, table.appId),
    index('apps_to_purge').on(table.deletedAt).where(sql`${table.state} = 'DELETED'`),
  ],
)

/** Apps known to the store but not managed here. */
export const nonAgApps = pgTable(
  'non_ag_apps',
  {
    id: id().primaryKey(),
    teamId: teamId(),
    appName: text().notNull(),
    icon: text().notNull(),
    storeUrl: text().notNull(),
    platform: text().notNull(),
    packageName: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('non_ag_apps_name').on(table.teamId, table.platform, table.packageName)],
)
