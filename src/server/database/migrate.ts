import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { guardTables } from './guard.ts'
import type { DatabaseName } from './pools.ts'

const root = new URL('../../../', import.meta.url).pathname

/** Brings one database to the newest migration. Two processes that start at once take turns. */
export async function migrateDatabase(name: DatabaseName, ownerUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: ownerUrl,
    application_name: 'loggia migrations',
    connectionTimeoutMillis: 10_000,
  })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock(7205759403792793)')
    const migrationsFolder = `${root}migrations/${name === 'home' ? 'home' : 'zone'}`
    await migrate(drizzle({ client }), { migrationsFolder, migrationsSchema: 'public', migrationsTable: 'migrations' })
    await guardTables(client)
  } finally {
    await client.end()
  }
}
