import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

export const kindRows = pgTable(
  'agreement_kinds',
  {
    agrType: integer().notNull(),
    branchId: integer().notNull(),
    name: jsonb().$type<{ zh: string; en: string; ru: string }>().notNull(),
    signer: text({ enum: ['person', 'team'] }).notNull(),
    isRequired: boolean().notNull(),
    isWithdrawable: boolean().notNull(),
    /** Of a team: the rights that wait for the signature. */
    permissions: text().array().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.agrType, table.branchId] })],
)

export const documentRows = pgTable(
  'agreement_documents',
  {
    documentId: id().primaryKey(),
    agrType: integer().notNull(),
    branchId: integer().notNull(),
    country: text().notNull(),
    version: integer().notNull(),
    state: text({ enum: ['draft', 'published', 'recalled'] }).notNull(),
    /** Of a draft null: as soon as it is published. */
    effectiveAt: instant(),
    graceDays: integer().notNull(),
    requireResign: boolean().notNull(),
    publishedAt: instant(),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('agreement_documents_version').on(table.agrType, table.branchId, table.country, table.version),
    uniqueIndex('agreement_documents_draft')
      .on(table.agrType, table.branchId, table.country)
      .where(sql`${table.state} = 'draft'`),
  ],
)

/** Never changed once the document is published: signatures point here. */
export const textRows = pgTable(
  'agreement_texts',
  {
    documentId: id().notNull(),
    language: text().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    /** SHA-256 of the body in UTF-8, in hex. */
    bodyHash: text().notNull(),
  },
  table => [primaryKey({ columns: [table.documentId, table.language] })],
)

const signed = {
  signId: id().primaryKey(),
  agrType: integer().notNull(),
  branchId: integer().notNull(),
  country: text().notNull(),
  language: text().notNull(),
  version: integer().notNull(),
  documentId: id().notNull(),
  /** False where it was withdrawn. */
  isAgree: boolean().notNull(),
  bodyHash: text().notNull(),
  signedAt: instant().notNull(),
  accountId: id().notNull(),
  method: text({ enum: ['click', 'api', 'import'] }).notNull(),
  ip: text(),
  userAgent: text(),
}

/** Added to, never changed; of an erased account the addresses go and the rest stays. */
export const signRows = pgTable('agreement_signs', signed, table => [
  index('agreement_signs_account').on(table.accountId, table.agrType, table.branchId, table.country, table.signId),
  index('agreement_signs_document').on(table.documentId),
])

/** What a leader signed for the team; as `agreement_signs`. */
export const teamSignRows = pgTable('agreement_team_signs', { ...signed, teamId: teamId() }, table => [
  index('agreement_team_signs_team').on(table.teamId, table.agrType, table.branchId, table.country, table.signId),
  index('agreement_team_signs_document').on(table.documentId),
  index('agreement_team_signs_account').on(table.accountId),
])

export const consentRows = pgTable(
  'consents',
  {
    consentId: id().primaryKey(),
    accountId: id().notNull(),
    purpose: text({
      enum: ['ANALYTICS', 'PUSH_MARKETING', 'SMS_MARKETING', 'EMAIL_MARKETING', 'LOCATION', 'PROFILE'],
    }).notNull(),
    isAgree: boolean().notNull(),
    signedAt: instant().notNull(),
    method: text({ enum: ['click', 'api', 'import'] }).notNull(),
    ip: text(),
    userAgent: text(),
  },
  table => [index('consents_account').on(table.accountId, table.purpose, table.consentId)],
)

export const developerRows = pgTable(
  'developer_agreements',
  {
    agreementId: id().primaryKey(),
    teamId: teamId(),
    kind: text({ enum: ['EULA', 'PRIVACY', 'SERVICE'] }).notNull(),
    country: text().notNull(),
    language: text().notNull(),
    version: integer().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    bodyHash: text().notNull(),
    state: text({ enum: ['draft', 'submitted', 'approved', 'rejected', 'effective', 'superseded'] }).notNull(),
    /** Null: as soon as it is approved. */
    effectiveAt: instant(),
    note: text().notNull().default(''),
    createdBy: id().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('developer_agreements_version').on(
      table.teamId,
      table.kind,
      table.country,
      table.language,
      table.version,
    ),
    index('developer_agreements_state').on(table.state, table.agreementId),
    index('developer_agreements_team').on(table.teamId, table.agreementId),
  ],
)
