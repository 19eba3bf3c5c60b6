import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { behindWalls, limited, plainSources, sandboxUid } from '../sandbox.ts'

/** Where one process of workerd has its things, on this machine. */
export interface Place {
  home: string
  /** The socket that it listens at. */
  inward: string
  /** The socket that it asks for connections at. */
  outward: string
}

/**
 * More than all copies of a process ever hold, and less than `inside/collect` asks for. It holds for what the process may
 * write to; what V8 sets aside of addresses does not count.
 */
const dataLimit = 8 * 1024 ** 3

/**
 * What V8 is told. workerd brings its own modules compiled, for these flags and their like alone: by any that concerns code,
 * the collector's start or its extensions, each isolate compiles them anew, which takes it as long as all else does.
 */
export const v8Flags = (heapMb: number): string[] => [`--max-old-space-size=${heapMb}`, '--max-semi-space-size=4']

/** Folders for one process: its configuration, and two sockets that nobody else sees. */
export async function makePlace(runFolder: string, id: string, heapMb: number): Promise<Place> {
  const home = path.join(runFolder, id)
  for (const name of ['', 'config', 'in', 'out']) await mkdir(path.join(home, name), { mode: 0o755 })
  if (sandboxUid !== undefined) await chown(path.join(home, 'in'), sandboxUid, sandboxUid)
  const { 'host.mjs': host = '' } = await plainSources(['isolates/inside/host.ts'])
  await writeFile(path.join(home, 'config', 'host.mjs'), host, { mode: 0o644 })
  await writeFile(path.join(home, 'config', 'config.capnp'), configOf(heapMb), { mode: 0o644 })
  return {
    home,
    inward: path.join(home, 'in', 'socket'),
    outward: path.join(home, 'out', 'socket'),
  }
}

/** From now on the process cannot put anything else in the place of its socket. */
export async function closePlace({ inward }: Place): Promise<void> {
  if (sandboxUid === undefined) return
  await chown(path.dirname(inward), 0, 0)
  await chmod(path.dirname(inward), 0o755)
}

/** The command of workerd behind walls: no network, no other process, no file but its configuration. */
export function launchOf(program: string, { home }: Place) {
  const binds = [
    ...['--ro-bind', program, '/program', '--ro-bind', path.join(home, 'config'), '/config'],
    ...[
      '--bind',
      path.join(home, 'in'),
      '/run/in',
      '--ro-bind',
      path.join(home, 'out'),
      '/run/out',
      '--chdir',
      '/config',
    ],
  ]
  const inside = ['/program', 'serve', '--experimental', '/config/config.capnp']
  return {
    command: 'nice',
    args: [...limited, `--data=${dataLimit}`, ...behindWalls({ LANG: 'C.UTF-8' }, binds), ...inside],
    env: {},
  }
}

const configOf = (heapMb: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(v8Flags(heapMb))},
  services = [
    (name = "host", worker = .host),
    (name = "internet", external = (address = "unix:/run/out/socket", http = (style = proxy))),
  ],
  sockets = [(name = "http", address = "unix:/run/in/socket", http = (), service = "host")],
);
const host :Workerd.Worker = (
  modules = [(name = "host.mjs", esModule = embed "host.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "LOADER", workerLoader = ()), (name = "PROXY", service = "internet")],
);
`
