import type Docker from 'dockerode'
import { type ImageReference, mayBePulled, nameOf } from '../../images/rules.ts'
import { BadImage } from '../port.ts'

type Found = Docker.ImageInspectInfo

/**
 * What a reference leads to now: where it may be fetched, the registry's newest; else what is on the engine. Answers the
 * digest that always leads to the same bytes. Throws `BadImage`.
 */
export async function resolveImage(
  docker: Docker,
  reference: ImageReference,
  registries: readonly string[],
): Promise<string> {
  const name = nameOf(reference)
  if (mayBePulled(registries, reference)) await pull(docker, name)
  const found = (await inspect(docker, name)) ?? notThere(registries)
  return digestOf(found, reference)
}

/** The image of a digest, fetched where it is not on this engine any more. Throws `BadImage`. */
export async function pinnedImage(
  docker: Docker,
  reference: ImageReference & { digest: string },
  registries: readonly string[],
): Promise<Found> {
  const here = async () => (await inspect(docker, nameOf(reference))) ?? (await inspect(docker, reference.digest))
  const found = await here()
  if (found) return found
  if (mayBePulled(registries, reference)) await pull(docker, nameOf(reference))
  return (await here()) ?? notThere(registries)
}

function notThere(registries: readonly string[]): never {
  throw registries.length === 0 ? new BadImage('onEngineOnly') : new BadImage('notOnEngine', { registries })
}

/** Of what a registry or the engine says of it by this name; an image that no name leads to has only the one of its settings. */
function digestOf({ Id, RepoDigests }: Found, { repository, digest }: ImageReference): string {
  const own = RepoDigests?.find(one => one.startsWith(`${repository}@`))
  return digest ?? own?.slice(repository.length + 1) ?? (Id.startsWith('sha256:') ? Id : `sha256:${Id}`)
}

async function inspect(docker: Docker, name: string): Promise<Found | null> {
  return docker
    .getImage(name)
    .inspect()
    .catch(error => {
      if ((error as { statusCode?: number }).statusCode === 404) return null
      throw error
    })
}

async function pull(docker: Docker, name: string): Promise<void> {
  const failed = (error: unknown): never => {
    throw new BadImage('notFetched', { said: saidBy(error) })
  }
  const stream = await docker.pull(name).catch(failed)
  const told = await new Promise<{ error?: string }[]>((resolve, reject) => {
    docker.modem.followProgress(stream, (error, all) => (error ? reject(error) : resolve(all)))
  }).catch(failed)
  const wrong = told.find(one => one.error !== undefined)
  if (wrong) failed(wrong.error)
}

/** What an engine said, in one line. */
export const saidBy = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^\(HTTP code \d+\) [^-]*- /, '')
    .split('\n', 1)[0]!
    .trim()
    .slice(0, 300)
