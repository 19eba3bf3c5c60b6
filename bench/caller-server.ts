import { service } from '../src/kernel/contract.ts'
import { Type } from '../src/kernel/shape.ts'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { implement } from '../src/server/implement.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'
import { appCallerOf } from '../src/services/build/app-auth/public.ts'

/** Loggia with one call more, which does nothing but say who calls. */
const door = service({
  name: 'bench/door',
  prefix: '/bench',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    whoCalls: {
      method: 'GET',
      path: '/door',
      who: 'anonymous',
      may: 'none',
      transaction: false,
      rate: 'data',
      summary: 'Who calls',
      answer: Type.Object({ projectId: Type.String(), uid: Type.String() }),
    },
  },
})
const calls = implement(door, {
  whoCalls: async (ctx, _input, { request }) => {
    const { projectId, user } = await appCallerOf(ctx.server, request.headers)
    return { projectId, uid: user?.uid ?? '' }
  },
})
const config = readConfig({
  ...process.env,
  PORT: '0',
  ZONES: 'CN',
  LOG_LEVEL: 'warn',
  LOGGIA_RATE_FACTOR: '1000000',
})
const at = (name: string) => ({
  url: process.env[`DATABASE_URL_${name}`] ?? '',
  ownerUrl: process.env[`DATABASE_OWNER_URL_${name}`] ?? '',
})
const parts = { services: [...services, { calls: [calls] }], gatekeeperOf }
const { app, close } = await boot(
  { ...config, publicUrl: process.env['ISSUER_URL'] ?? '' },
  { home: at('HOME'), CN: at('CN') },
  parts,
)
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.on('SIGTERM', () => void close().then(() => process.exit(0)))
