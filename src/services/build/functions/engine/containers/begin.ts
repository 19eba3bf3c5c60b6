import { rm } from 'node:fs/promises'
import type Docker from 'dockerode'
import { nanoCpusOf } from '../../images/rules.ts'
import { port } from '../exchange.ts'
import type { InstanceSpec } from '../port.ts'
import type { Connected } from './connection.ts'
import { type Labels, labelsOf } from './leftovers.ts'
import type { DoorPlace } from './place.ts'
import { openProxy, proxyEnvironment } from './proxy.ts'

/** Both containers of one copy, made and not begun. */
export interface Made {
  door: Docker.Container
  own: Docker.Container
  socket: string
  remove(): Promise<void>
}

const doorMb = 96
const tmpBytes = 512 * 1024 * 1024
/** Of one that names no user or root: as in the field, and nobody on this machine. */
const usualUser = '1003:1003'
const megabyte = 1024 * 1024

/** What holds each container of ours, whatever is in it. */
function held(memoryMb: number): Docker.HostConfig {
  return {
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    PidsLimit: 256,
    Memory: memoryMb * megabyte,
    MemorySwap: memoryMb * megabyte,
    // Some engines ask for more than they may give where nothing is said.
    Ulimits: [
      { Name: 'nofile', Soft: 1024, Hard: 1024 },
      { Name: 'nproc', Soft: 4096, Hard: 4096 },
    ],
    // Read as it comes and kept nowhere.
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    IpcMode: 'private',
  }
}

/**
 * Makes the door first, which has no network but its own loopback; the function's container joins that and nothing else:
 * it reaches neither this machine nor any other but by the proxy behind the door.
 */
export async function make(
  { docker, isRootless }: Connected,
  place: DoorPlace,
  spec: InstanceSpec,
  image: Docker.ImageInspectInfo,
): Promise<Made> {
  const { folder, socket, outgoing } = await place.newSockets()
  const { Binds, ...program } = place.program(folder, port, spec.connect !== null)
  const ourselves = isRootless ? '0:0' : `${process.getuid?.()}:${process.getgid?.()}`
  const labels = (role: Labels['role']) => labelsOf({ role, functionName: spec.functionName, version: spec.version })
  const made: Docker.Container[] = []
  const endProxy = spec.connect && (await openProxy(outgoing, spec.connect))
  const remove = async () => {
    for (const one of [...made].reverse()) await one.remove({ force: true, v: true }).catch(() => undefined)
    await endProxy?.()
    await rm(folder, { recursive: true, force: true })
  }
  const create = async (options: Docker.ContainerCreateOptions) => {
    const container = await docker.createContainer({ Image: image.Id, ...options })
    made.push(container)
    return container
  }
  try {
    const door = await create({
      ...program,
      User: ourselves,
      Env: [],
      Labels: labels('door'),
      HostConfig: { ...held(doorMb), NetworkMode: 'none', Binds },
    })
    const { User = '', Volumes } = image.Config
    const own = await create({
      User: /^(|root|0)(:|$)/.test(User) ? usualUser : User,
      Env: Object.entries({ PORT: String(port), ...(endProxy && proxyEnvironment()), ...spec.env }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      Labels: labels('function'),
      HostConfig: {
        ...held(spec.memoryMb),
        NanoCpus: nanoCpusOf(spec.memoryMb),
        NetworkMode: `container:${door.id}`,
        Tmpfs: Object.fromEntries(['/tmp', ...Object.keys(Volumes ?? {})].map(where => [where, tmpOptions])),
      },
    })
    return { door, own, socket, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const tmpOptions = `rw,nosuid,nodev,mode=1777,size=${tmpBytes}`
