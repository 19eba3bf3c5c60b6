import type { Static } from '../../../../kernel/shape.ts'
import type { Version } from '../contract.ts'
import { releaseStateOfVersion } from './rules.ts'

/** The number 0 to 13 that older tools know, of one version; null of one that another took the place of. */
export function releaseStateOf(version: Static<typeof Version>): number | null {
  return releaseStateOfVersion(version)
}
