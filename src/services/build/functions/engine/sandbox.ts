import { execFile } from 'node:child_process'
import { chmod, chown, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './alive.ts'
import { usualNice } from './processor-turn.ts'

export const isRoot = process.getuid?.() === 0
/** As root, what functions run as: nobody's, without a group. */
export const sandboxUid = isRoot ? 65_534 : undefined
const bwrap = '/usr/bin/bwrap'
const asNobody =
  sandboxUid === undefined ? [] : ['setpriv', `--reuid=${sandboxUid}`, `--regid=${sandboxUid}`, '--clear-groups']
const prefix = 'loggia-fn-'
/** Of `/tmp` of one sandbox, which is memory. */
export const tmpMb = 512

/** Where a process finds its things, inside. */
export interface Places {
  /** On this machine, made for one process and removed with it. */
  home: string
  runner: string
  code: string
  layers: string
  doors: string
  /** What was compiled before; only behind walls, where the code lies at the same place in each process. */
  compiled: string | null
}

export interface Launch {
  command: string
  args: string[]
  env: Record<string, string>
  places: Places
}

/**
 * The folder of all sandboxes of one server process, readable by whom they run as: below the temporary folder, since
 * the data folder may be closed. Holds the runner as plain JavaScript.
 */
export async function makeRunFolder(): Promise<string> {
  await removeLeftovers(prefix)
  const folder = await mkdtemp(path.join(os.tmpdir(), `${prefix}${process.pid}-`))
  await chmod(folder, 0o711)
  const target = path.join(folder, 'runner')
  await mkdir(target, { mode: 0o755 })
  for (const [name, code] of Object.entries(await plainSources(['runner', 'frames.ts'])))
    await writeFile(path.join(target, name), code, { mode: 0o644 })
  return folder
}

/** Sources of this folder, files or whole folders, as plain JavaScript that lies side by side. */
export async function plainSources(wanted: readonly string[]): Promise<Record<string, string>> {
  const files: string[] = []
  for (const one of wanted.map(one => path.join(import.meta.dirname, one))) {
    if (one.endsWith('.ts')) files.push(one)
    else
      files.push(...(await readdir(one)).filter(name => /^[a-z-]+\.ts$/.test(name)).map(name => path.join(one, name)))
  }
  const read = async (file: string) => {
    const code = stripTypeScriptTypes(await readFile(file, 'utf8'))
    return [`${path.basename(file, '.ts')}.mjs`, code.replaceAll(/from '[./a-z-]*\/([a-z-]+)\.ts'/g, "from './$1.mjs'")]
  }
  return Object.fromEntries(await Promise.all(files.map(read)))
}

let probe: Promise<boolean> | undefined

/** Whether walls can be put up: the program is there, and the kernel lets us. Tried once. */
export function canWall(): Promise<boolean> {
  const tried = [
    '--unshare-all',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    'true',
  ]
  const [command = '', ...args] = [...asNobody, bwrap, ...tried]
  probe ??= promisify(execFile)(command, args, { timeout: 10_000 }).then(
    () => true,
    () => false,
  )
  return probe
}

/** The command of one sandboxed Node: no network, no other process, no file but its own; what it may use is fixed here. */
export async function prepareLaunch(options: {
  runFolder: string
  id: string
  memoryMb: number
  isSandboxed: boolean
}): Promise<Launch> {
  const { runFolder, id, memoryMb, isSandboxed } = options
  const home = path.join(runFolder, id)
  for (const name of ['', 'fn', 'opt', 'out', 'cache']) await mkdir(path.join(home, name), { mode: 0o755 })
  if (sandboxUid !== undefined) await chown(path.join(home, 'out'), sandboxUid, sandboxUid)
  const runner = path.join(runFolder, 'runner')
  const outside = {
    home,
    runner,
    code: path.join(home, 'fn'),
    layers: path.join(home, 'opt'),
    doors: path.join(home, 'out'),
    compiled: null,
  }
  const inside = { runner: '/runner', code: '/fn', layers: '/opt', doors: '/run/out', compiled: '/cache' }
  const places = isSandboxed ? { home, ...inside } : outside
  const compiled = isSandboxed ? [inside.compiled] : []
  const flags = [
    ...nodeInside({
      reads: [places.runner, places.code, places.layers, places.doors, '/tmp', ...compiled],
      // Node takes nothing from a folder that it may not write to; nothing can be written there all the same.
      writes: [places.doors, '/tmp', ...compiled],
      memoryMb: Math.floor(memoryMb * 0.8),
    }),
    '--enable-source-maps',
    '--disable-warning=ExperimentalWarning',
  ]
  const env = {
    HOME: '/tmp',
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    // The second is where layers that were made for AWS have theirs.
    NODE_PATH: `${places.layers}/node_modules:${places.layers}/nodejs/node_modules`,
  }
  const node = [isSandboxed ? '/node' : process.execPath, ...flags, `${places.runner}/main.mjs`]
  if (!isSandboxed) return { command: 'nice', args: [...limited, ...node], env, places }
  const binds = [
    ...['--ro-bind', process.execPath, '/node', '--ro-bind', runner, '/runner'],
    ...['--ro-bind', outside.code, '/fn', '--ro-bind', outside.layers, '/opt', '--ro-bind', outside.doors, '/run/out'],
    ...['--ro-bind', path.join(home, 'cache'), inside.compiled, '--chdir', '/fn'],
  ]
  return { command: 'nice', args: [...limited, ...behindWalls(env, binds), ...node], env: {}, places }
}

/** What Node may do inside; what it compiles for one such process is good for the others. */
export const nodeInside = (may: {
  reads: readonly string[]
  writes: readonly string[]
  memoryMb: number
}): string[] => [
  '--permission',
  ...may.reads.map(place => `--allow-fs-read=${place}`),
  ...may.writes.map(place => `--allow-fs-write=${place}`),
  // Else a function that makes much garbage, or code that is compiled anew, takes all processors at once.
  '--single-threaded-gc',
  '--v8-pool-size=1',
  `--max-old-space-size=${may.memoryMb}`,
]

/** What `nice` begins a sandboxed program by. */
export const limited = ['-n', String(usualNice), 'prlimit', '--nofile=1024:1024', '--core=0']

/**
 * The start of a command that runs behind walls, with the environment and the files that are named and no other. Not by
 * itself in a new session: the launcher began one for all of it.
 */
export function behindWalls(env: Readonly<Record<string, string>>, binds: readonly string[]): string[] {
  return [
    ...[...asNobody, bwrap],
    ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL', '--clearenv', '--hostname', 'function'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/lib', '/lib', '--ro-bind', '/usr/lib', '/usr/lib', '--ro-bind-try', '/lib64', '/lib64'],
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(tmpMb * 1024 * 1024), '--tmpfs', '/tmp'],
    ...binds,
  ]
}

/** Puts a folder's files into another without copying their bytes where the disk is the same; what is there gives way. */
export async function linkTree(from: string, to: string): Promise<void> {
  await giveWay(mkdir(to, { mode: 0o755 }), async () => {
    if ((await lstat(to)).isDirectory()) return
    await rm(to)
    await mkdir(to, { mode: 0o755 })
  })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await linkTree(source, target)
    else if (entry.isFile())
      await giveWay(link(source, target), async () => {
        await rm(target, { recursive: true })
        await link(source, target)
      })
  }
}

/** Does something about what stands in the way. */
async function giveWay(trying: Promise<unknown>, otherwise: () => Promise<void>): Promise<void> {
  await trying.catch(error => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return otherwise()
  })
}

export async function removeHome(home: string): Promise<void> {
  await rm(home, { recursive: true, force: true })
}

/** Takes away what servers left that were killed: folders named after processes that live no more. */
export async function removeLeftovers(named: string, folder = os.tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(named) ? /^[1-9][0-9]*(?=-)/.exec(name.slice(named.length))?.[0] : undefined
    if (pid !== undefined && !isAlive(Number(pid))) await removeHome(path.join(folder, name))
  }
}
