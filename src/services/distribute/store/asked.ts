import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { zoneOfSlug } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { RepositoryZone } from './repository/address.ts'

/** Who fetches, where the client does not say: devices behind one address with one client count as one. */
export function deviceOf(ctx: Context): string {
  return `address ${ctx.place.ip ?? ''}`
}

/** The zone of a repository by its slug; refuses 404. */
export function repositoryZone(slug: string): RepositoryZone {
  if (slug === 'all') return 'all'
  return zoneOfSlug(slug) ?? refuse(commonErrors.notFound, { entity: 'repository', id: slug })
}

export function noSuchFile(name: string): never {
  refuse(commonErrors.notFound, { entity: 'file', id: name })
}
