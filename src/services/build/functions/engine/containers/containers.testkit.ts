import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { missingPrograms } from '../../../../../server/programs.ts'
import { freePort } from '../../../../../testkit/free-port.ts'
import { until } from '../../functions.testkit.ts'
import { answeringServer } from '../answering.testkit.ts'

const missing = await missingPrograms({ podman: 'podman', runc: 'runc', 'docker-registry': 'docker-registry' })
/** Null where podman can be started; else what is to be done. */
export const noPodman = missing?.install ?? (process.getuid?.() === 0 ? null : 'podman of a test runs as root')

/** What podman needs where cgroups are of both kinds and limits cannot be raised. */
const settings = `
[containers]
default_ulimits = ["nofile=4096:4096","nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`

/** A container engine of a test file's own, with an image that answers at `localhost/answers:1`. */
export async function openPodman() {
  const folder = mkdtempSync('/tmp/lg-pod-')
  const socket = path.join(folder, 'podman.sock')
  const place = [
    '--root',
    path.join(folder, 'root'),
    '--runroot',
    path.join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  writeFileSync(path.join(folder, 'containers.conf'), settings)
  const registryPort = await freePort()
  const registry = `127.0.0.1:${registryPort}`
  writeFileSync(path.join(folder, 'registries.conf'), `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`)
  writeFileSync(path.join(folder, 'registry.json'), JSON.stringify(registrySettings(folder, registry)))
  const env = {
    ...process.env,
    CONTAINERS_CONF: path.join(folder, 'containers.conf'),
    CONTAINERS_REGISTRIES_CONF: path.join(folder, 'registries.conf'),
  }
  const podman = (...args: string[]) =>
    execFileSync('podman', [...place, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const engine = spawn('podman', [...place, 'system', 'service', '--time', '0', `unix://${socket}`], {
    env,
    cwd: folder,
  })
  const shop = spawn('docker-registry', ['serve', path.join(folder, 'registry.json')], { env, stdio: 'ignore' })
  await until(
    async () => existsSync(socket),
    isThere => isThere,
  )

  const root = path.join(folder, 'image')
  copyNode(root)
  const tar = path.join(folder, 'image.tar')
  execFileSync('tar', ['-cf', tar, '-C', root, '.'])
  podman('import', tar, 'localhost/node:1')
  /** One file beside Node of this machine. */
  const image = (name: string, source: string): string => {
    const at = path.join(folder, 'build')
    mkdirSync(at, { recursive: true })
    writeFileSync(path.join(at, 'server.mjs'), source)
    const lines = ['FROM localhost/node:1', 'COPY server.mjs /server.mjs', 'CMD ["/node", "/server.mjs"]']
    writeFileSync(path.join(at, 'Dockerfile'), lines.join('\n'))
    podman('build', '--quiet', '--tag', `localhost/${name}`, at)
    return `localhost/${name}`
  }
  image('answers:1', answeringServer)
  return {
    folder,
    registry,
    /** For an engine that may fetch from nowhere. */
    engine: { address: `unix://${socket}`, registries: [] as string[], folder: path.join(folder, 'doors') },
    podman,
    image,
    containers: () => podman('ps', '--all', '--quiet').split('\n').filter(Boolean).length,
    close: async () => {
      podman('rm', '--all', '--force', '--time', '0')
      await Promise.all([engine, shop].map(ended))
      spawnSync('umount', ['--lazy', path.join(folder, 'root', 'overlay')])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const ended = (child: ChildProcess) =>
  new Promise(resolve => {
    child.once('exit', resolve)
    if (child.exitCode !== null || !child.kill()) resolve(null)
  })

const registrySettings = (folder: string, address: string) => ({
  version: 0.1,
  log: { level: 'error', accesslog: { disabled: true } },
  storage: { filesystem: { rootdirectory: path.join(folder, 'registry') } },
  http: { addr: address },
})

function copyNode(root: string): void {
  mkdirSync(root, { recursive: true })
  copyFileSync(process.execPath, path.join(root, 'node'))
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  for (const one of sharedObjects.filter(name => /^\/(usr\/)?lib(64)?\//.test(name))) {
    mkdirSync(path.dirname(path.join(root, one)), { recursive: true })
    copyFileSync(one, path.join(root, one))
  }
}
