import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { migrateDatabase } from './database/migrate.ts'
import { type DatabaseName, Pools } from './database/pools.ts'
import { Analytics } from './engines/analytics/analytics.ts'
import { openBytes } from './engines/bytes/open.ts'
import type { BytesEngine } from './engines/bytes/port.ts'
import { openMail } from './engines/mail/open.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { Gathered } from './gathered.ts'
import { keepHandovers } from './handover.ts'
import { buildApp } from './http/app.ts'
import { IdMaker } from './ids.ts'
import { InsideCalls } from './inside.ts'
import { createLog, type Log } from './log.ts'
import { loadMasterKey } from './master-key.ts'
import { Metrics } from './metrics.ts'
import { openOutbound } from './outbound.ts'
import type { Server } from './server.ts'
import type { Service } from './service.ts'
import { Siblings } from './siblings/siblings.ts'
import { Signals } from './signals.ts'
import { Worker } from './worker.ts'

/** Where each database is: the address the application uses and the owner's, for migrations. */
export type DatabaseUrls = Partial<Record<DatabaseName, { url: string; ownerUrl: string }>>

export interface Parts {
  services: readonly Service[]
  gatekeeperOf: (server: Server) => Gatekeeper
}

export interface Booted {
  server: Server
  app: FastifyInstance
  worker: Worker
  close(): Promise<void>
}

/** Makes one server process over databases that are there: migrates, mounts every call, starts the work. */
export async function boot(
  config: Config,
  databases: DatabaseUrls,
  parts: Parts,
  options: { clock?: Clock; log?: Log; migrate?: boolean } = {},
): Promise<Booted> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? createLog(config.logLevel)
  if (options.migrate !== false) {
    await Promise.all(
      Object.entries(databases).map(([name, { ownerUrl }]) => migrateDatabase(name as DatabaseName, ownerUrl)),
    )
  }
  const urls = Object.fromEntries(Object.entries(databases).map(([name, { url }]) => [name, url]))
  const pools = new Pools(urls, log)
  const engines = new Map<string, BytesEngine>()
  const bytes: Server['bytes'] = (zone, area = 'files') => {
    const key = `${area} ${zone}`
    let engine = engines.get(key)
    if (!engine) {
      engine = openBytes(config, zone, area)
      engines.set(key, engine)
    }
    return engine
  }
  const siblings = new Siblings({ at: config.process, of: config.processes })
  const server: Server = {
    config,
    clock,
    ids: new IdMaker(clock, config.node),
    log,
    pools,
    masterKey: loadMasterKey(config.dataDir, config.masterKey),
    metrics: new Metrics(),
    signals: new Signals(pools, log, siblings),
    siblings,
    gathered: new Gathered(siblings),
    bytes,
    analytics: new Analytics(config, bytes, log),
    mail: openMail(config, clock),
    outbound: openOutbound(config),
    inside: new InsideCalls(),
    deliver: async () => {
      throw new Error('no worker is running')
    },
    isHeard: () => true,
  }
  keepHandovers(
    server,
    parts.services.flatMap(one => one.work?.handover ?? []),
  )
  const gatekeeper = parts.gatekeeperOf(server)
  gatekeeper.start()
  const worker = new Worker(
    server,
    parts.services.flatMap(one => (one.work ? [one.work] : [])),
  )
  const app = await buildApp(
    server,
    gatekeeper,
    parts.services.flatMap(one => one.calls),
  )
  const ends = parts.services.flatMap(one => one.work?.start?.(server) ?? [])
  await server.signals.start()
  await worker.start()
  const close = async () => {
    await app.close()
    await worker.stop()
    await Promise.all(ends.map(end => end()))
    await server.analytics.close()
    await server.mail.close()
    await server.outbound.close()
    await server.signals.close()
    await pools.close()
  }
  return { server, app, worker, close }
}
