import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, revision, teamId } from '../../../server/columns.ts'

/** What is shown and compared of a certificate. Digests are lower-case hex, instants epoch milliseconds. */
export interface KnownCertificate {
  certSha256: string
  certSha1: string
  certMd5: string
  subject: string
  notBefore: number
  notAfter: number
  keyAlgorithm: string
  keyBits: number | null
}

/** A key that signed before the one in use; old devices still get its signature. */
export interface OlderKey {
  sealedKey: string
  certificate: string
  certSha256: string
  madeAt: number
}

/** Who signs an app, a row an app. Rows from before there was a choice hold the key that was made for bundles. */
export const signingProfiles = pgTable(
  'app_signing_keys',
  {
    appId: id().primaryKey(),
    teamId: teamId(),
    state: text({ enum: ['NONE', 'DEVELOPER', 'STORE'] })
      .notNull()
      .default('STORE'),
    /** PKCS#8, under the master key; null while the store holds none. */
    sealedKey: text(),
    /** PEM. */
    certificate: text(),
    certSha256: text(),
    source: text({ enum: ['GENERATED', 'IMPORTED'] })
      .notNull()
      .default('GENERATED'),
    /** When the key in use came. */
    keyMadeAt: instant(),
    /** When the store's key first signed a package that was accepted; null while it has signed none. */
    usedAt: instant(),
    /** Oldest first, without the one in use. */
    olderKeys: jsonb().$type<OlderKey[]>().notNull().default([]),
    /** The proof of rotation as apksigner keeps it, base64; null without one. */
    lineage: text(),
    rotatedAt: instant(),
    /** What uploads must be signed with; null until it is registered or the first one is accepted. */
    uploadCertSha256: text(),
    /** What signs where the store does not. */
    developerCert: jsonb().$type<KnownCertificate>(),
    developerCertSha256: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull().default(0),
    revision: revision(),
  },
  table => [index('app_signing_keys_by_developer').on(table.developerCertSha256)],
)

/** Every key that the store ever held, so that none signs two apps. */
export const heldKeys = pgTable('signing_held_keys', {
  /** SHA-256 of the public key. */
  keySha256: text().primaryKey(),
  appId: id().notNull(),
  teamId: teamId(),
  heldAt: instant().notNull(),
})

/** What uploads are signed with: the one in force, the one that waits, and those before. */
export const uploadCertificates = pgTable(
  'signing_upload_certs',
  {
    certId: id().primaryKey(),
    appId: id().notNull(),
    teamId: teamId(),
    state: text({ enum: ['PENDING', 'ACTIVE', 'REPLACED', 'CANCELED'] }).notNull(),
    /** Null of one that was taken from the first upload. */
    pem: text(),
    certificate: jsonb().$type<KnownCertificate>().notNull(),
    /** From when on it counts. */
    effectiveAt: instant().notNull(),
    /** Null of one that was taken from the first upload. */
    registeredBy: id(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('signing_upload_certs_active').on(table.appId).where(sql`${table.state} = 'ACTIVE'`),
    uniqueIndex('signing_upload_certs_pending').on(table.appId).where(sql`${table.state} = 'PENDING'`),
    index('signing_upload_certs_of_app').on(table.appId, table.certId),
    index('signing_upload_certs_due').on(table.effectiveAt).where(sql`${table.state} = 'PENDING'`),
  ],
)

/** What people encrypt a key to before they send it; the newest is handed out, all are understood. */
export const transportKeys = pgTable('signing_transport_keys', {
  kid: id().primaryKey(),
  sealedKey: text().notNull(),
  /** SPKI, PEM. */
  publicKey: text().notNull(),
  createdAt: instant().notNull(),
})
