import { fileURLToPath } from 'node:url'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { serve } from '../src/server/siblings/serving.ts'
import { giveBackStartMemory } from '../src/server/start-memory.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'

/** Loggia over the databases that the environment names. */
const config = readConfig({ PORT: '0', ...process.env, ZONES: 'CN', LOG_LEVEL: 'warn', LOGGIA_RATE_FACTOR: '1000000' })
const at = (name: string) => ({
  url: process.env[`DATABASE_URL_${name}`] ?? '',
  ownerUrl: process.env[`DATABASE_OWNER_URL_${name}`] ?? '',
})
const databases = { home: at('HOME'), CN: at('CN') }
const isFirst = config.process === 0
const booted = await boot(config, databases, { services, gatekeeperOf }, { migrate: isFirst })
const serving = await serve(booted, databases, fileURLToPath(import.meta.url))
giveBackStartMemory()
const close = () => void Promise.all([serving.close(), booted.close()]).then(() => process.exit(0))
process.on('SIGTERM', close)
await serving.all
if (isFirst) process.stdout.write(`ready ${[serving.address, ...serving.pids()].join(' ')}\n`)
else if (process.connected) process.once('disconnect', close)
else close()
