import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision } from '../../../server/columns.ts'

/**
 * Somebody says that a package name is his. Over all zones, because a name is; the columns are not called team_id
 * because two teams see the row: who claims, and who holds the name.
 */
export const packageClaims = pgTable(
  'package_claims',
  {
    claimId: id().primaryKey(),
    claimantTeamId: id().notNull(),
    /** The app that is to get the name, and its zone. */
    appId: id().notNull(),
    zone: text().notNull(),
    packageType: text().notNull(),
    packageName: text().notNull(),
    nameKey: text().notNull(),
    holderTeamId: id(),
    holderAppId: id(),
    holderZone: text(),
    method: text({ enum: ['SIGNATURE', 'DOMAIN', 'DOCUMENT'] }).notNull(),
    /** Whose owner the claimant says to be, where that is the proof. */
    domain: text(),
    /** What the proof must hold. */
    challenge: text().notNull(),
    /** What the proof must be signed with: digests of the certificates the store knows the name by. */
    expectedSigners: text().array().notNull(),
    /** What was handed in, in the zone of the app. */
    objectId: text(),
    evidence: text().notNull().default(''),
    proof: jsonb().$type<{ signers: string[]; reason: string | null }>(),
    objection: text(),
    verdict: text(),
    state: text({
      enum: ['PROVING', 'NOTICE', 'OBJECTED', 'REVIEW', 'GRANTED', 'REFUSED', 'CANCELED'],
    }).notNull(),
    /** Until then the holder may object. */
    noticeUntil: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('package_claims_of_claimant').on(table.claimantTeamId, table.claimId),
    index('package_claims_of_holder').on(table.holderTeamId, table.claimId),
    index('package_claims_by_notice').on(table.noticeUntil).where(sql`${table.state} = 'NOTICE'`),
    uniqueIndex('package_claims_open')
      .on(table.claimantTeamId, table.packageType, table.nameKey)
      .where(sql`${table.state} IN ('PROVING', 'NOTICE', 'OBJECTED', 'REVIEW')`),
  ],
)

/** Certificates whose word the operator takes for who signed packages; over all zones. */
export const trustedRoots = pgTable(
  'package_trusted_roots',
  {
    rootId: id().primaryKey(),
    purpose: text({ enum: ['HARMONY', 'AUTHENTICODE'] }).notNull(),
    certSha256: text().notNull(),
    subject: text().notNull(),
    notBefore: instant().notNull(),
    notAfter: instant().notNull(),
    pem: text().notNull(),
    addedBy: id().notNull(),
    createdAt: instant().notNull(),
  },
  table => [uniqueIndex('package_trusted_roots_once').on(table.purpose, table.certSha256)],
)

/** Models of devices that people have, for telling which of them a package reaches. */
export const deviceModels = pgTable(
  'device_models',
  {
    model: text().primaryKey(),
    brand: text().notNull(),
    name: text().notNull(),
    deviceType: text().notNull(),
    os: text({ enum: ['ANDROID', 'HARMONY'] }).notNull(),
    /** API level it runs. */
    sdk: integer().notNull(),
    abis: text().array().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    density: integer().notNull(),
    ramMegabytes: integer().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [index('device_models_by_brand').on(table.brand, table.model)],
)
