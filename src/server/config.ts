import os from 'node:os'
import path from 'node:path'
import { type ZoneId, zoneIds, zoneOfCode } from '../kernel/zones.ts'

export interface Config {
  port: number
  host: string
  /** What people and devices type; links in mails and the store index are made from it, never from a Host header. */
  publicUrl: string
  /** A host of its own for downloads, so that what people upload never shares an origin with the console. */
  filesUrl?: string
  /** Sites are served as `<site>.<domain>`: origins of their own. Without it, below `/hosting/`, where they get none. */
  hostingDomain?: string
  /** A host of its own for S3 clients that know no path before the bucket. */
  s3Url?: string
  dataDir: string
  zones: readonly ZoneId[]
  /** Served by other processes over the same home database, so that a project may be made for them here. */
  zonesElsewhere: readonly ZoneId[]
  /** The home database first, then one per zone; empty where the embedded server is used. */
  databaseUrls: { home?: string; zones: Partial<Record<ZoneId, string>> }
  /** `files` or `s3://bucket?endpoint=...&region=...`; the zone's slug becomes a prefix. */
  bytes: string
  /** `smtp://user:password@host:587` or `smtps://...`; without it mails are kept below the data folder. */
  smtp?: string
  /** `Loggia <no-reply@example.com>`; made from `publicUrl` unless given. */
  mailFrom?: string
  masterKey?: string
  logLevel: string
  trustProxy: boolean
  /** Private targets that requests outside may reach: `host:port`, an address or a network each. */
  outboundAllow: readonly string[]
  /** Origins whose pages may hold the console in a frame, for its embedded mode. */
  embedOrigins: readonly string[]
  /** Hosts that take the console's analytics for zones that this one does not serve: `DE` to `https://eu.example.com`. */
  reportOrigins: Partial<Record<ZoneId, string>>
  /** A script of the operator's own analytics, for pages of people who agreed to it; the switch decides whether it is used. */
  analyticsScript?: string
  /** What happens on an empty installation: accounts to begin with, or a page for whoever holds the token of the log. */
  firstRun: 'seed' | 'set-up'
  /** Whether people without a session may look around in a demo project. */
  demo: 'on' | 'off'
  /** Whether functions run where their sandbox is missing; they then reach what this process reaches. */
  functions: 'walled' | 'unwalled'
  /**
   * Where functions from images run: the socket of a container engine, `unix:///run/podman/podman.sock`; a namespace of a
   * cluster with Knative, `knative://functions`; or `off`. An engine of this machine is looked for unless given.
   */
  containers?: string
  /** How the cluster is reached; without it, by the account that it gave to this process. */
  kubeconfig?: string
  /** From where images of functions may be fetched: `registry.example.com` or `registry.example.com/team` each. */
  imageRegistries: readonly string[]
  /** Whether people may make their own accounts. */
  signUp: 'open' | 'closed'
  /** Staff rights only in sessions that showed a second factor. */
  staffSecondFactor: boolean
  /** Multiplies every rate limit; 1 unless an operator has a reason. */
  rateFactor: number
  /** What one query over events may use, in MB of 1,000,000 bytes, in the process that such queries have. */
  analyticsMemoryMb: number
  node: number
  /** How many processes of this machine serve the port, and which of them this one is: from 0, which starts the others. */
  processes: number
  process: number
}

export const knativePrefix = 'knative://'

/** Reads the environment once. Throws a sentence that names the variable when a value cannot be used. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = wholeNumber(env, 'PORT', 8080, 0, 65_535)
  const usual = env['DATABASE_URL_HOME'] ? 1 : usualProcesses()
  const processes = wholeNumber(env, 'LOGGIA_PROCESSES', usual, 1, 64)
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
    ...(env['LOGGIA_FILES_URL'] ? { filesUrl: env['LOGGIA_FILES_URL'].replace(/\/+$/, '') } : {}),
    ...(env['LOGGIA_HOSTING_DOMAIN'] ? { hostingDomain: domainOf(env, 'LOGGIA_HOSTING_DOMAIN') } : {}),
    ...(env['LOGGIA_S3_URL'] ? { s3Url: env['LOGGIA_S3_URL'].replace(/\/+$/, '') } : {}),
    dataDir: path.resolve(env['LOGGIA_DATA'] ?? 'data'),
    zones: env['ZONES'] ? zonesIn(env['ZONES']) : zoneIds,
    zonesElsewhere: zonesIn(env['LOGGIA_ZONES_ELSEWHERE'] ?? ''),
    databaseUrls,
    bytes: env['LOGGIA_BYTES'] ?? 'files',
    ...(env['LOGGIA_SMTP'] ? { smtp: env['LOGGIA_SMTP'] } : {}),
    ...(env['LOGGIA_MAIL_FROM'] ? { mailFrom: env['LOGGIA_MAIL_FROM'] } : {}),
    ...(env['LOGGIA_MASTER_KEY'] ? { masterKey: env['LOGGIA_MASTER_KEY'] } : {}),
    logLevel: env['LOG_LEVEL'] ?? 'info',
    trustProxy: env['LOGGIA_TRUST_PROXY'] === '1',
    outboundAllow: (env['LOGGIA_OUTBOUND_ALLOW'] ?? '').split(',').filter(one => one.trim() !== ''),
    embedOrigins: originsOf(env, 'LOGGIA_EMBED_ORIGINS'),
    reportOrigins: originsByZone(env, 'LOGGIA_REPORT_ORIGINS'),
    ...(env['LOGGIA_ANALYTICS_SCRIPT'] ? { analyticsScript: scriptAddress(env, 'LOGGIA_ANALYTICS_SCRIPT') } : {}),
    firstRun: oneOf(env, 'LOGGIA_FIRST_RUN', ['seed', 'set-up']),
    demo: oneOf(env, 'LOGGIA_DEMO', ['on', 'off']),
    functions: oneOf(env, 'LOGGIA_FUNCTIONS', ['walled', 'unwalled']),
    ...containersOf(env),
    imageRegistries: registriesOf(env, 'LOGGIA_IMAGE_REGISTRIES'),
    signUp: oneOf(env, 'LOGGIA_SIGN_UP', ['closed', 'open']),
    staffSecondFactor: oneOf(env, 'LOGGIA_STAFF_SECOND_FACTOR', ['0', '1']) === '1',
    rateFactor: wholeNumber(env, 'LOGGIA_RATE_FACTOR', 1, 1, 1_000_000),
    analyticsMemoryMb: wholeNumber(env, 'LOGGIA_ANALYTICS_MEMORY_MB', 512, 64, 1_000_000),
    node: wholeNumber(env, 'LOGGIA_NODE', process.pid % 1024, 0, 1023),
    processes,
    process: wholeNumber(env, 'LOGGIA_PROCESS', 0, 0, processes - 1),
  }
}

/**
 * One for each processor, four at most, where there are 4 GB of memory for each. That is of a server that brings its own
 * database: how many connections another one has for each process only its operator knows.
 */
function usualProcesses(): number {
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(1, Math.min(4, os.availableParallelism(), Math.floor(memory / 4e9)))
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

/** `LOGGIA_CONTAINERS`, or what programs of Docker go by where that is a socket of this machine. */
function containersOf(env: NodeJS.ProcessEnv): Pick<Config, 'containers' | 'kubeconfig'> {
  const given = env['LOGGIA_CONTAINERS']
  const usual = env['DOCKER_HOST']?.startsWith('unix://') ? env['DOCKER_HOST'] : undefined
  const containers = given || usual
  if (containers === undefined) return {}
  const isNamespace = new RegExp(`^${knativePrefix}[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`).test(containers)
  if (containers !== 'off' && !isNamespace && !/^unix:\/\/\/.+/.test(containers))
    throw new Error(
      `LOGGIA_CONTAINERS is ${JSON.stringify(containers)}; it must be off, unix:// and a path on this machine, or ${knativePrefix} and a namespace`,
    )
  return { containers, ...(isNamespace && env['KUBECONFIG'] ? { kubeconfig: env['KUBECONFIG'] } : {}) }
}

/** Registries, or what names of images begin with: `registry.example.com/team`. */
function registriesOf(env: NodeJS.ProcessEnv, name: string): string[] {
  const given = (env[name] ?? '').split(',').map(one => one.trim())
  return given.filter(Boolean).map(one => {
    if (!/^(localhost|[a-z0-9.-]+\.[a-z0-9-]+|[a-z0-9.-]+(?=:))(:\d{1,5})?(\/[a-z0-9._-]+)*$/.test(one))
      throw new Error(`${name} has ${JSON.stringify(one)}; each must be like registry.example.com/team`)
    return one
  })
}

/** `sites.example.com`, with a port where it is not the usual one. */
function domainOf(env: NodeJS.ProcessEnv, name: string): string {
  const raw = (env[name] ?? '').trim().toLowerCase()
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(raw))
    throw new Error(`${name} is ${JSON.stringify(raw)}; it must be a domain such as sites.example.com`)
  return raw
}

function zonesIn(codes: string): ZoneId[] {
  const given = codes.split(',').map(code => code.trim())
  return given.filter(Boolean).map(zoneOfCode)
}

function originsOf(env: NodeJS.ProcessEnv, name: string): string[] {
  const given = (env[name] ?? '').split(',').map(one => one.trim())
  return given.filter(Boolean).map(one => {
    if (!URL.canParse(one) || new URL(one).origin !== one)
      throw new Error(`${name} has ${JSON.stringify(one)}; each must be an origin such as https://apps.example.com`)
    return one
  })
}

/** `DE=https://eu.example.com,RU=https://ru.example.com`; origins only, as they go into the page's policy. */
function originsByZone(env: NodeJS.ProcessEnv, name: string): Partial<Record<ZoneId, string>> {
  const origins: Partial<Record<ZoneId, string>> = {}
  for (const pair of (env[name] ?? '').split(',').filter(one => one.trim() !== '')) {
    const [code = '', address = ''] = pair.trim().split('=')
    const isOrigin = URL.canParse(address) && new URL(address).origin === address && /^https?:/.test(address)
    if (!isOrigin) throw new Error(`${name} has ${JSON.stringify(pair)}; it must be like DE=https://eu.example.com`)
    origins[zoneOfCode(code)] = address
  }
  return origins
}

/** An https address without credentials or anything that would end a directive of the page's policy. */
function scriptAddress(env: NodeJS.ProcessEnv, name: string): string {
  const raw = (env[name] ?? '').trim()
  const url = URL.canParse(raw) ? new URL(raw) : undefined
  const isRight =
    url?.protocol === 'https:' && url.username === '' && url.password === '' && /^[\w.:[\]-]+$/.test(url.host)
  if (!url || !isRight || raw.length > 2000)
    throw new Error(
      `${name} is ${JSON.stringify(raw)}; it must be an https address such as https://stats.example.com/a.js`,
    )
  return url.href
}

/** The first one unless another is named. */
function oneOf<const W extends readonly [string, ...string[]]>(
  env: NodeJS.ProcessEnv,
  name: string,
  words: W,
): W[number] {
  const raw = env[name]
  if (raw === undefined || raw === '') return words[0]
  if (!words.includes(raw)) throw new Error(`${name} is ${JSON.stringify(raw)}; it must be one of ${words.join(', ')}`)
  return raw
}
