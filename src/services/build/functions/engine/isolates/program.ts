import { createRequire } from 'node:module'
import { type EngineCapability, neverThere } from '../port.ts'
import { canWall } from '../sandbox.ts'

const kinds: Readonly<Record<string, string>> = {
  'linux-x64': '@cloudflare/workerd-linux-64',
  'linux-arm64': '@cloudflare/workerd-linux-arm64',
}

const version = '1.20261117.1'
const name = kinds[`${process.platform}-${process.arch}`]

/** What brings workerd to a machine whose installation went without it. */
export const installLine = name && `npm install --no-save ${name}@${version}`

/** Where workerd is on this machine; null where it is not. */
export function findWorkerd(): string | null {
  if (name === undefined) return null
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/workerd`)
  } catch {
    return null
  }
}

/** What functions of Node have, and isolates have not. */
const lacking: readonly EngineCapability[] = [
  {
    ...{ name: 'files', isThere: false },
    why: 'an isolate has no files but those it puts in /tmp, which is memory; the package is code alone',
  },
  {
    ...{ name: 'computing', isThere: false },
    why: 'the functions of a project share one thread, and one that keeps it for more than half a second is ended',
  },
  { name: 'tls', isThere: false, why: 'an isolate speaks TLS by fetch and https alone, not over a socket of its own' },
]

/** What is there of what isolates need, and what they lack. */
export async function isolateCapabilities(
  program: string | null,
  walls: () => Promise<boolean> = canWall,
): Promise<readonly EngineCapability[]> {
  const isWalled = await walls()
  const why = 'isolates need a sandbox around their process, for which this user must be able to make namespaces'
  const isolation = {
    name: 'isolation',
    isThere: isWalled,
    ...(!isWalled && { lack: 'sandbox' as const, why, install: 'apt-get install bubblewrap' }),
  }
  return [program === null ? noProgram : { ...isolation, name: 'start' }, isolation, ...lacking, ...neverThere]
}

const noProgram: EngineCapability = {
  ...{
    name: 'start',
    isThere: false,
    lack: 'workerd',
    why: 'workerd is not installed; there is one for Linux on x64 and arm64',
  },
  ...(installLine && { install: installLine }),
}
