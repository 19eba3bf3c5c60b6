import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '../../../server/columns.ts'

/** Who vouches for developers and profiles, for the whole installation; the newest of a role is the one in use. */
export const authorities = pgTable('harmony_authorities', {
  authorityId: id().primaryKey(),
  role: text({ enum: ['ROOT', 'APPLICATION', 'PROFILE', 'PROFILE_SIGNER'] }).notNull(),
  /** PEM. */
  certificate: text().notNull(),
  /** PKCS#8, under the master key. */
  sealedKey: text().notNull(),
  notAfter: instant().notNull(),
  createdAt: instant().notNull(),
})

/** Certificates of all zones that were revoked; told until they would have ended. */
export const revocations = pgTable(
  'harmony_revocations',
  {
    certId: id().primaryKey(),
    /** The application CA that issued it. */
    authorityId: id().notNull(),
    /** Lower-case hex. */
    serial: text().notNull(),
    revokedAt: instant().notNull(),
    expireAt: instant().notNull(),
  },
  table => [index('harmony_revocations_of_authority').on(table.authorityId, table.expireAt)],
)
