import { missingPrograms } from '../../../../server/programs.ts'

export interface ImageSupport {
  canRun: boolean
  why: string
  /** The line that brings an engine; null where one is there. */
  install: string | null
}

const engines = { podman: 'podman runc', docker: 'docker.io' } as const

/**
 * Whether functions run from images on this machine, and why not. They do not: every function is a package in a sandbox of
 * bubblewrap; what is missing first is told first.
 *
 * @param path where programs are looked for
 */
export async function imageSupport(path?: string): Promise<ImageSupport> {
  const names = ['podman', 'docker'] as const
  const missing = await Promise.all(names.map(name => missingPrograms({ [name]: engines[name] }, path)))
  const at = missing.indexOf(null)
  if (at === -1) {
    const why = 'Images need a container engine, and there is neither podman nor Docker on this server.'
    return { canRun: false, why, install: missing[0]?.install ?? null }
  }
  const why = `${names[at]} is there, but functions of this server run from packages only; no image is started.`
  return { canRun: false, why, install: null }
}
