import { refuse } from '../../../../kernel/errors.ts'
import type { Ask } from '../../../../server/asking.ts'
import { publishing } from '../../publishing/contract.ts'
import { versions } from '../../versions/contract.ts'
import { errors } from '../contract.ts'

interface Named {
  appId?: string
  versionId?: string
}
type Found = Awaited<ReturnType<typeof standingOf>>

/** Where the versions of an app stand; a version that is named with it must be one of them. */
function standingOf(ask: Ask, appId: string, versionId?: string) {
  return ask(versions, 'getVersion', { query: { appId, versionId } })
}

/** The version that is named, or the one that `choose` finds among those of the app. Refuses when there is none. */
export async function versionIdOf(
  ask: Ask,
  { appId, versionId }: Named,
  choose: (found: Found) => string | undefined,
): Promise<string> {
  if (appId === undefined) return versionId ?? refuse(errors.whichVersion)
  const found = await standingOf(ask, appId, versionId)
  return versionId ?? choose(found) ?? refuse(publishing.errors.noVersion, { releaseState: found.releaseState })
}

export const underWay = (found: Found) => found.open?.versionId
export const onShelf = (found: Found) => found.onShelf?.versionId
export const inPhases = (found: Found) => found.phased?.versionId ?? found.open?.versionId
/** What went out last: to a share of devices, else to all. */
export const outNow = (found: Found) => found.phased?.versionId ?? found.onShelf?.versionId
/** What the store looks at now. */
export function withStore({ open, onShelf: shelved }: Found): string | undefined {
  const isEditable = open === null || ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED'].includes(open.state)
  return shelved?.state === 'SHELF_OFF_REVIEW' && isEditable ? shelved.versionId : open?.versionId
}
