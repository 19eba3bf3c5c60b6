import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { giveBackStartMemory } from '../src/server/start-memory.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'

/** Loggia over the databases that the environment names. */
const config = readConfig({ ...process.env, PORT: '0', ZONES: 'CN', LOG_LEVEL: 'warn', LOGGIA_RATE_FACTOR: '1000000' })
const at = (name: string) => ({
  url: process.env[`DATABASE_URL_${name}`] ?? '',
  ownerUrl: process.env[`DATABASE_OWNER_URL_${name}`] ?? '',
})
const { app, close } = await boot(config, { home: at('HOME'), CN: at('CN') }, { services, gatekeeperOf })
const address = await app.listen({ port: 0, host: '127.0.0.1' })
giveBackStartMemory()
process.stdout.write(`ready ${address}\n`)
process.on('SIGTERM', () => void close().then(() => process.exit(0)))
