import { createDatabases, startEmbeddedPostgres } from '../src/server/database/embedded-postgres.ts'

/** A PostgreSQL that outlives the servers over it; it is started again when it is killed. Prints where it is, once. */
const postgres = await startEmbeddedPostgres(process.argv[2] ?? '')
const databases = ['home', 'cn', 'de']
await createDatabases(
  postgres,
  databases.map(name => `loggia_${name}`),
)
const env = Object.fromEntries(
  databases.flatMap(name => [
    [`DATABASE_URL_${name.toUpperCase()}`, postgres.url(`loggia_${name}`)],
    [`DATABASE_OWNER_URL_${name.toUpperCase()}`, postgres.ownerUrl(`loggia_${name}`)],
  ]),
)
process.stdout.write(`${JSON.stringify(env)}\n`)
process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)))
