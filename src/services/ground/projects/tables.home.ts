import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { zoneIds } from '../../../kernel/zones.ts'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export interface AllianceAttr {
  isMember: boolean
  allianceName: string
  contact: string
}

const zoneCodes = zoneIds as ['CN', ...typeof zoneIds]

/** The index over all zones; what a project holds is in its zone. */
export const projects = pgTable(
  'projects',
  {
    projectId: id().primaryKey(),
    teamId: teamId(),
    name: text().notNull(),
    /** The name as compared: NFKC, one case, single spaces. */
    nameKey: text().notNull(),
    zone: text({ enum: zoneCodes }).notNull(),
    appCount: integer().notNull().default(0),
    /** Made to be looked at: nobody changes it. */
    isDemo: boolean().notNull().default(false),
    description: text().notNull().default(''),
    /** What the team says of the project's place in an alliance of stores. */
    alliance: jsonb().$type<AllianceAttr>(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('projects_name').on(table.teamId, table.nameKey),
    uniqueIndex('projects_demo').on(table.teamId, table.zone).where(sql`${table.isDemo}`),
    index('projects_made').on(table.teamId, table.createdAt, table.projectId),
    index('projects_changed').on(table.teamId, table.updatedAt, table.projectId),
  ],
)

/** The apps of projects as their zones told. Ended ones stay, so that a late `app.created` does not revive one. */
export const projectApps = pgTable(
  'project_apps',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    hasEnded: boolean().notNull().default(false),
    name: text().notNull().default(''),
    packageType: text().notNull().default(''),
  },
  table => [index('project_apps_of_project').on(table.projectId)],
)

export const projectProperties = pgTable(
  'project_properties',
  {
    projectId: id().notNull(),
    teamId: teamId(),
    name: text().notNull(),
    value: text().notNull(),
    updatedBy: id().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.name] })],
)

/** What a project is called in other systems. */
export const projectMappings = pgTable(
  'project_mappings',
  {
    teamId: teamId(),
    system: text().notNull(),
    externalId: text().notNull(),
    projectId: id().notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.teamId, table.system, table.externalId] }),
    index('project_mappings_of_project').on(table.projectId),
  ],
)

/** Who answers for a project, out of the members of its team. */
export const projectMembers = pgTable(
  'project_members',
  {
    projectId: id().notNull(),
    accountId: id().notNull(),
    teamId: teamId(),
    role: text({ enum: ['owner', 'developer', 'watcher'] }).notNull(),
    addedBy: id().notNull(),
    addedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.accountId] }),
    index('project_members_of_account').on(table.teamId, table.accountId),
  ],
)

/** The project that cloud services take when none is named. */
export const teamProjects = pgTable('team_projects', {
  teamId: id().primaryKey(),
  projectId: id().notNull(),
  updatedBy: id().notNull(),
  updatedAt: instant().notNull(),
})

export const serviceOrders = pgTable(
  'service_orders',
  {
    orderId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    serviceId: text().notNull(),
    state: text({ enum: ['REFUSED', 'ENABLED', 'DISABLED'] }).notNull(),
    /** Why an application was refused. */
    reason: text(),
    config: jsonb().$type<Record<string, string | number | boolean>>().notNull().default({}),
    purpose: text().notNull().default(''),
    orderedBy: id().notNull(),
    orderedAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [uniqueIndex('service_orders_of_project').on(table.projectId, table.serviceId)],
)

export const projectAgreements = pgTable(
  'project_agreements',
  {
    projectId: id().notNull(),
    agreementId: text().notNull(),
    version: integer().notNull(),
    teamId: teamId(),
    signedBy: id().notNull(),
    signedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.agreementId, table.version] })],
)

/** Interfaces that are open for a project's keys. */
export const projectApis = pgTable(
  'project_apis',
  {
    projectId: id().notNull(),
    apiId: text().notNull(),
    teamId: teamId(),
    enabledBy: id().notNull(),
    enabledAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.apiId] })],
)

export const projectApiKeys = pgTable(
  'project_api_keys',
  {
    keyId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    name: text().notNull(),
    /** The first characters, by which people know a key. */
    prefix: text().notNull(),
    /** sha256 of the key; the key itself is shown once. */
    keyHash: text().notNull(),
    /** The key before a rotation, good until then. */
    formerHash: text(),
    formerUntil: instant(),
    apis: text().array().notNull().default([]),
    packageNames: text().array().notNull().default([]),
    state: text({ enum: ['ACTIVE', 'DISABLED', 'REVOKED'] }).notNull(),
    expireAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('project_api_keys_of_project').on(table.projectId),
    uniqueIndex('project_api_keys_hash').on(table.keyHash),
    index('project_api_keys_former').on(table.formerHash),
  ],
)

/** What an app's SDK reads; the secrets in it are sealed. */
export const configFiles = pgTable(
  'config_files',
  {
    configFileId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    packageName: text().notNull(),
    clientId: id().notNull(),
    sealedSecret: text().notNull(),
    keyId: id().notNull(),
    sealedKey: text().notNull(),
    /** The zone it speaks of; another one than the project's makes it stale. */
    zone: text({ enum: zoneCodes }).notNull(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    downloadedAt: instant(),
  },
  table => [
    uniqueIndex('config_files_of_app').on(table.projectId, table.appId),
    uniqueIndex('config_files_client').on(table.clientId),
  ],
)

export const regionChanges = pgTable(
  'region_changes',
  {
    changeId: id().primaryKey(),
    projectId: id().notNull(),
    teamId: teamId(),
    fromZone: text({ enum: zoneCodes }).notNull(),
    toZone: text({ enum: zoneCodes }).notNull(),
    /** Endorsed by a person who has just proven who they are; used once. */
    endorsedBy: id().notNull(),
    endorsedAt: instant().notNull(),
    expireAt: instant().notNull(),
    doneAt: instant(),
  },
  table => [index('region_changes_of_project').on(table.projectId, table.endorsedAt)],
)

/** What the home page tells of zones: packages that failed, versions that wait for somebody, releases. */
export const homeItems = pgTable(
  'home_items',
  {
    kind: text({ enum: ['failedPackage', 'task', 'release'] }).notNull(),
    entityId: id().notNull(),
    teamId: teamId(),
    appId: id().notNull(),
    zone: text({ enum: zoneCodes }).notNull(),
    /** What is to be done about a version; null while nothing is. */
    need: text({ enum: ['fix', 'answer', 'release'] }),
    isOpen: boolean().notNull(),
    at: instant().notNull(),
  },
  table => [
    primaryKey({ columns: [table.kind, table.entityId] }),
    index('home_items_open').on(table.teamId, table.kind, table.at),
  ],
)
