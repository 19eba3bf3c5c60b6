import { bigint, customType, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** A decimal string of a 63-bit integer in a `bigint` column: never a JavaScript number on the way. */
export const id = customType<{ data: string; driverData: string }>({ dataType: () => 'bigint' })

/** Epoch milliseconds in a `bigint` column. */
export const instant = customType<{ data: number; driverData: string | number }>({
  dataType: () => 'bigint',
  fromDriver: value => Number(value),
})

/** Bytes, counts and other whole numbers below 2^53. */
export const count = (name?: string) =>
  name === undefined ? bigint({ mode: 'number' }) : bigint(name, { mode: 'number' })

/** Counts writes; every mutable row has one. */
export const revision = () => integer().notNull().default(1)

/** The owner. A table with this column is under row-level security by itself (`database/guard.ts`). */
export const teamId = () => id().notNull()

/** Keys that sign tokens (`key-ring.ts`): published before they sign, and for as long as what they signed is good. */
export const signingKeyTable = (name: string) =>
  pgTable(name, {
    kid: text().primaryKey(),
    publicJwk: jsonb().$type<Record<string, string>>().notNull(),
    /** By the master key. */
    sealedPrivate: text().notNull(),
    signsFrom: instant().notNull(),
    createdAt: instant().notNull(),
  })
