import type { Static } from '../../../../kernel/shape.ts'
import type { Version } from '../contract.ts'

type VersionState = Static<typeof Version>['state']

export interface ShelfPicture {
  /** The state of the version being prepared. */
  open: VersionState | null
  /** ON_SHELF or SHELF_OFF_REVIEW. */
  onShelf: VersionState | null
  /** A shelf-off was refused and the developer has not yet acknowledged it. */
  isShelfOffRefused: boolean
  /** The state of the version that was on shelf last, when nothing is. */
  off: VersionState | null
}

const openCodes: Readonly<Partial<Record<VersionState, number>>> = {
  PRECHECK: 12,
  PRECHECK_FAILED: 13,
  PENDING_RELEASE: 3,
  WITHDRAWN: 11,
}

/**
 * The one number older tools know, derived: 0 on shelf, 1 rejected, 2 off by the store, 3 waiting for release, 4 in
 * review, 5 upgrade in review, 6 shelf-off in review, 7 draft, 8 upgrade rejected, 9 shelf-off refused, 10 off by the
 * developer, 11 withdrawn, 12 pre-check, 13 pre-check failed. Null when there is no version at all. A draft counts only
 * while nothing is or was on shelf, or when `ofOpen` asks for the version being prepared.
 */
export function releaseStateOf(picture: ShelfPicture, ofOpen = false): number | null {
  const { open, onShelf, off } = picture
  if (open === 'IN_REVIEW') return onShelf ? 5 : 4
  if (open === 'REJECTED') return onShelf ? 8 : 1
  if (open === 'DRAFT' && (ofOpen || (!onShelf && !off))) return 7
  const code = open === null ? undefined : openCodes[open]
  if (code !== undefined) return code
  if (onShelf === 'SHELF_OFF_REVIEW') return 6
  if (onShelf) return picture.isShelfOffRefused ? 9 : 0
  if (off === 'OFF_BY_DEVELOPER') return 10
  return off === 'OFF_BY_STORE' ? 2 : null
}

/** The same number of one version by itself: null of one that another took the place of. */
export function releaseStateOfVersion(version: {
  state: VersionState
  isFirst: boolean
  lastShelfOff: { state: string } | null
}): number | null {
  const { state, isFirst, lastShelfOff } = version
  const nothing = { open: null, onShelf: null, isShelfOffRefused: false, off: null }
  if (state === 'ON_SHELF' || state === 'SHELF_OFF_REVIEW' || state === 'PHASED') {
    return releaseStateOf({ ...nothing, onShelf: state, isShelfOffRefused: lastShelfOff?.state === 'REJECTED' })
  }
  if (state === 'OFF_BY_DEVELOPER' || state === 'OFF_BY_STORE') return releaseStateOf({ ...nothing, off: state })
  if (state === 'SUPERSEDED' || state === 'ROLLED_BACK') return null
  return releaseStateOf({ ...nothing, open: state, onShelf: isFirst ? null : 'ON_SHELF' }, true)
}
