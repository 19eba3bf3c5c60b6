import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstRun, gatekeeperOf, services } from '../services/all.server.ts'
import { boot, type DatabaseUrls } from './boot.ts'
import { readConfig } from './config.ts'
import {
  createDatabases,
  databaseOf,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './database/embedded-postgres.ts'
import type { DatabaseName } from './database/pools.ts'
import { engineTable } from './engines/found.ts'
import { createLog, type Log } from './log.ts'
import { serve } from './siblings/serving.ts'
import { giveBackStartMemory } from './start-memory.ts'

/** What the pools of one process open at most, with its queue and its ear: so many for each. */
const connectionsOfProcess = 200

/** The process that `npm run up` starts: databases, server, work; then one screen of what to know. */
async function main(): Promise<void> {
  const startedAt = performance.now()
  const config = readConfig()
  const log = createLog(config.logLevel)
  const isFirst = config.process === 0
  if (!isFirst) endWithFirst(log)
  const names: DatabaseName[] = ['home', ...config.zones]
  const urls: DatabaseUrls = {}
  for (const name of names) {
    const url = name === 'home' ? config.databaseUrls.home : config.databaseUrls.zones[name]
    if (url) urls[name] = { url, ownerUrl: process.env[`DATABASE_OWNER_URL_${name.toUpperCase()}`] ?? url }
  }
  let embedded: EmbeddedPostgres | undefined
  const missing = names.filter(name => !urls[name])
  if (missing.length > 0) {
    embedded = await startEmbeddedPostgres(config.dataDir, {
      log,
      connections: connectionsOfProcess * config.processes,
    })
    await createDatabases(
      embedded,
      missing.map(name => databaseOf(name)),
    )
    for (const name of missing) {
      urls[name] = { url: embedded.url(databaseOf(name)), ownerUrl: embedded.ownerUrl(databaseOf(name)) }
    }
  }
  const booted = await boot(config, urls, { services, gatekeeperOf }, { log, migrate: isFirst })
  const serving = await serve(booted, urls, fileURLToPath(import.meta.url))
  const signIns = isFirst ? await rememberedSignIns(config.dataDir, () => firstRun(booted.server)) : []
  giveBackStartMemory()

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), 15_000).unref()
    await Promise.all([serving.close(), booted.close()])
    await embedded?.stop()
    process.exit(0)
  }
  if (!isFirst) return endWhenTold(stop)
  if (process.env['LOGGIA_FOLLOWS_PARENT'] === '1') whenOrphaned(() => void stop('the parent is gone'))
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('SIGTERM', () => void stop('SIGTERM'))

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(screen(config.publicUrl, signIns, await engineTable(config, embedded !== undefined), seconds))
}

/**
 * Where the first process was killed a further one ends at once, be it on its way or up: who starts in the place of the first
 * shall not share the port with what is left.
 */
function endWithFirst(log: Log): void {
  const end = () => {
    log.warn('the first process is gone, and so ends this one')
    process.exit(1)
  }
  if (process.connected) process.once('disconnect', end)
  else end()
}

/** A further process is told by the first one alone: what is pressed in a terminal, or sent to a unit, comes to all of them. */
function endWhenTold(stop: (reason: string) => Promise<void>): void {
  process.on('SIGINT', () => undefined)
  process.once('SIGTERM', () => {
    process.on('SIGTERM', () => undefined)
    void stop('SIGTERM')
  })
}

/** `kill -9` of npm tells us nothing; that our parent has changed does. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    act()
  }, 500)
  watch.unref()
}

interface SignIn {
  who: string
  loginName: string
  password: string
}

/** The first sign-ins, kept readable by us only, so that a second start can print them again. */
async function rememberedSignIns(dataDir: string, make: () => Promise<SignIn[] | null>): Promise<SignIn[]> {
  const file = path.join(dataDir, 'first-sign-ins.json')
  const made = await make()
  if (made) writeFileSync(file, JSON.stringify(made, null, 2), { mode: 0o600 })
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SignIn[]) : []
}

function screen(url: string, signIns: SignIn[], engines: string[][], seconds: string): string {
  const people = signIns.map(one => [one.who, one.loginName, one.password])
  return [
    '',
    `Loggia is ready in ${seconds} s: ${url}`,
    '',
    ...columns([['who', 'account', 'first password'], ...people]),
    '',
    ...columns([['engine', 'state', 'what it is for, or how to get it'], ...engines]),
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map(at => Math.max(...rows.map(row => (row[at] ?? '').length)))
  return rows.map(row => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

main().catch(error => {
  process.stderr.write(`Loggia cannot start: ${(error as Error).message}\n`)
  process.exit(1)
})
