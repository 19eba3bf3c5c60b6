import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { EngineLack } from '../../rules.ts'

/** An engine that answers. */
export interface Connected {
  docker: Docker
  /** It runs for one user: who is root inside is that user outside. */
  isRootless: boolean
  /** It holds containers to the memory that they were given. */
  hasMemoryLimits: boolean
}

export interface Missing {
  lack: EngineLack
  why: string
  install: string
}

interface Info {
  SecurityOptions?: string[]
  MemoryLimit?: boolean
}

const install = 'apt-get install podman runc && systemctl enable --now podman.socket'
const answerWithinMs = 10_000

/**
 * Finds the container engine of this machine: the one that is named, else podman's or Docker's at its usual place.
 *
 * @param address `unix:///run/podman/podman.sock`, or `off` for none
 */
export async function connect(address: string | undefined): Promise<Connected | Missing> {
  if (address === 'off')
    return { lack: 'switchedOff', why: 'the operator switched containers off (LOGGIA_CONTAINERS=off)', install }
  const places = address === undefined ? usualPlaces() : [address.slice('unix://'.length)]
  for (const place of places) {
    const isThere = await access(place, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
    const found = isThere ? await ask(place) : null
    if (found) return found
  }
  return { lack: 'containerEngine', why: 'there is no container engine on this server that answers', install }
}

function usualPlaces(): string[] {
  const own = process.env['XDG_RUNTIME_DIR']
  return ['/run/podman/podman.sock', ...(own ? [`${own}/podman/podman.sock`] : []), '/var/run/docker.sock']
}

async function ask(socketPath: string): Promise<Connected | null> {
  // Large, and for nobody who has no containers.
  const { default: Engine } = await import('dockerode')
  const docker = new Engine({ socketPath })
  try {
    const info: Info | null = await Promise.race([docker.info(), delay(answerWithinMs, null, { ref: false })])
    if (!info) return null
    const security = info.SecurityOptions ?? []
    return { docker, isRootless: security.includes('name=rootless'), hasMemoryLimits: info.MemoryLimit !== false }
  } catch {
    return null
  }
}
