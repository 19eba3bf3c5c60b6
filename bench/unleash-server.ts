import { createRequire } from 'node:module'
import path from 'node:path'

/** unleash-server, the open-source one, as its own pages say to run it; what it allows a minute is lifted by its environment. */
const foreign = createRequire(path.join(path.resolve(process.env['UNLEASH_SERVER'] ?? ''), 'none.js'))
const { start } = await import(foreign.resolve('unleash-server'))
const host = process.env['UNLEASH_DATABASE_HOST']
const database = process.env['UNLEASH_DATABASE']
const db = { user: 'postgres', password: '', host, port: 5432, database, ssl: false }
const { server } = await start({ db, server: { port: 0, host: '127.0.0.1' } })
process.stdout.write(`ready http://127.0.0.1:${server.address().port}\n`)
process.on('SIGTERM', () => process.exit(0))
