import path from 'node:path'
import { type ZoneId, zoneIds, zoneOfCode } from '../kernel/zones.ts'

export interface Config {
  port: number
  host: string
  /** What people and devices type; links in mails and the store index are made from it, never from a Host header. */
  publicUrl: string
  dataDir: string
  zones: readonly ZoneId[]
  /** The home database first, then one per zone; empty where the embedded server is used. */
  databaseUrls: { home?: string; zones: Partial<Record<ZoneId, string>> }
  /** `files` or `s3://bucket?endpoint=...&region=...`; the zone's slug becomes a prefix. */
  bytes: string
  masterKey?: string
  logLevel: string
  trustProxy: boolean
  /** Multiplies every rate limit; 1 unless an operator has a reason. */
  rateFactor: number
  node: number
}

/** Reads the environment once. Throws a sentence that names the variable when a value cannot be used. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = wholeNumber(env, 'PORT', 8080, 0, 65_535)
  const databaseUrls: Config['databaseUrls'] = { zones: {} }
  if (env['DATABASE_URL_HOME']) databaseUrls.home = env['DATABASE_URL_HOME']
  for (const zone of zoneIds) {
    const url = env[`DATABASE_URL_${zone}`]
    if (url) databaseUrls.zones[zone] = url
  }
  return {
    port,
    host: env['HOST'] ?? '127.0.0.1',
    publicUrl: (env['LOGGIA_URL'] ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir: path.resolve(env['LOGGIA_DATA'] ?? 'data'),
    zones: env['ZONES'] ? env['ZONES'].split(',').map(code => zoneOfCode(code.trim())) : zoneIds,
    databaseUrls,
    bytes: env['LOGGIA_BYTES'] ?? 'files',
    ...(env['LOGGIA_MASTER_KEY'] ? { masterKey: env['LOGGIA_MASTER_KEY'] } : {}),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    trustProxy: env['LOGGIA_TRUST_PROXY'] === '1',
    rateFactor: wholeNumber(env, 'LOGGIA_RATE_FACTOR', 1, 1, 1_000_000),
    node: wholeNumber(env, 'LOGGIA_NODE', process.pid % 1024, 0, 1023),
  }
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const raw = env[name]
  if (raw === undefined || raw === '') return fallback
  const value = Number(raw)
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} is ${JSON.stringify(raw)}; it must be a whole number from ${min} to ${max}`)
  }
  return value
}
