import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'
import notes from './notes.ts'

/** Loggia with the notes service, over the databases that the environment names. */
const config = readConfig({ ...process.env, PORT: '0', ZONES: 'CN', LOG_LEVEL: 'warn', LOGGIA_RATE_FACTOR: '1000000' })
const home = { url: process.env['DATABASE_URL_HOME'] ?? '', ownerUrl: process.env['OWNER_URL_HOME'] ?? '' }
const zone = { url: process.env['DATABASE_URL_CN'] ?? '', ownerUrl: process.env['OWNER_URL_CN'] ?? '' }
const parts = { services: [...services, { calls: [notes] }], gatekeeperOf }
const { app } = await boot(config, { home, CN: zone }, parts)
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.on('SIGINT', () => process.exit(0))
