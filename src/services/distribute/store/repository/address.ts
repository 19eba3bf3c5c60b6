import { type ZoneId, zones } from '../../../../kernel/zones.ts'

/** A zone's repository, or that of all. */
export type RepositoryZone = ZoneId | 'all'

/** Where clients find a repository, and fetch its packages. */
export function addressOf(publicUrl: string, repository: RepositoryZone): string {
  return `${publicUrl}/fdroid/${repository === 'all' ? 'all' : zones[repository].slug}/repo`
}
