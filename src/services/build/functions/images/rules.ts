import { type Problem, problemOf } from '../problems/rules.ts'

/** An image as people name it, with its registry: `registry.example.com/team/resize:1.2`. */
export interface ImageReference {
  /** `localhost` of what was built on the engine itself. */
  registry: string
  /** With the registry, without tag and digest. */
  repository: string
  tag: string | null
  digest: string | null
}

export const imageLimits = { reference: 400 } as const
export const digestPattern = '^sha256:[0-9a-f]{64}$'

const registryLike = /^(localhost|[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)(:[0-9]{1,5})?$/
const nameLike = /^[a-z0-9]+([._-]+[a-z0-9]+)*$/
const tagLike = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Why a text is no image that can be found without guessing; null when it is one. */
export function imageProblem(text: string): Problem | null {
  const read = cut(text)
  if (text.length > imageLimits.reference) return problemOf('longImage', { limit: imageLimits.reference })
  if (!/[.:]|^localhost$/.test(read.registry) || !registryLike.test(read.registry)) return problemOf('noRegistry')
  const names = read.repository.split('/').slice(1)
  if (names.length === 0 || !names.every(name => nameLike.test(name))) return problemOf('imageName')
  if (read.tag !== null && !tagLike.test(read.tag)) return problemOf('imageTag')
  if (read.digest !== null && !new RegExp(digestPattern).test(read.digest)) return problemOf('imageDigest')
  return null
}

/** A text that has no problem, in its parts; without a tag and a digest it is `latest`. */
export function readImage(text: string): ImageReference {
  const { tag, digest, ...rest } = cut(text)
  return { ...rest, tag: tag === null && digest === null ? 'latest' : tag, digest }
}

function cut(text: string): ImageReference {
  const [named = '', digest = null] = text.split('@', 2)
  const slash = named.lastIndexOf('/')
  const colon = named.indexOf(':', slash + 1)
  const repository = colon === -1 ? named : named.slice(0, colon)
  const registry = repository.includes('/') ? (repository.split('/', 1)[0] ?? '') : ''
  return { registry, repository, tag: colon === -1 ? null : named.slice(colon + 1), digest }
}

/** As an engine is asked for it. */
export const nameOf = ({ repository, tag, digest }: ImageReference): string =>
  digest === null ? `${repository}:${tag}` : `${repository}@${digest}`

/**
 * Whether an image may be fetched.
 *
 * @param allowed registries, or what repositories begin with: `registry.example.com`, `registry.example.com/team`
 */
export const mayBePulled = (allowed: readonly string[], { repository }: ImageReference): boolean =>
  allowed.some(one => repository.startsWith(`${one}/`) || repository === one)

/** The share of the processors that a container gets, in billionths of one: half of one, and more with more memory. */
export const nanoCpusOf = (memoryMb: number): number => Math.max(500, memoryMb / 2) * 1_000_000
