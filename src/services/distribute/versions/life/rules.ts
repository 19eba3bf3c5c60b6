import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const versionStates = [
  'DRAFT',
  'PRECHECK',
  'PRECHECK_FAILED',
  'IN_REVIEW',
  'REJECTED',
  'PENDING_RELEASE',
  'ON_SHELF',
  'WITHDRAWN',
  'SHELF_OFF_REVIEW',
  'OFF_BY_DEVELOPER',
  'OFF_BY_STORE',
  'SUPERSEDED',
  'PHASED',
  'ROLLED_BACK',
] as const
export type VersionState = (typeof versionStates)[number]

/** Being worked on by the developer. */
export const editableStates = ['DRAFT', 'REJECTED', 'WITHDRAWN', 'PRECHECK_FAILED'] as const
/** With the store: the content is locked. */
export const lockedStates = ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE'] as const
/** Being prepared; an app has at most one of these. */
export const openStates: readonly VersionState[] = [...editableStates, ...lockedStates]
/** What everybody can install; an app has at most one of these. */
export const shelfStates: readonly VersionState[] = ['ON_SHELF', 'SHELF_OFF_REVIEW']
const outStates: readonly VersionState[] = [...shelfStates, 'PHASED']

export const isEditable = (state: VersionState) => (editableStates as readonly VersionState[]).includes(state)
export const isLocked = (state: VersionState) => (lockedStates as readonly VersionState[]).includes(state)
export const isOpen = (state: VersionState) => openStates.includes(state)
export const isOnShelf = (state: VersionState) => outStates.includes(state)

export const versionActions = [
  'edit',
  'delete',
  'submit',
  'passPrecheck',
  'failPrecheck',
  'withdraw',
  'urge',
  'approve',
  'reject',
  'ask',
  'appeal',
  'changeTime',
  'release',
  'releaseOnTime',
  'releaseTogether',
  'expire',
  'supersede',
  'shelfOff',
  'cancelShelfOff',
  'acknowledgeShelfOff',
  'forceOff',
  'restore',
  'completePhase',
  'endPhase',
  'rollBack',
  'returnToShelf',
  'setMinimum',
] as const
export type VersionAction = (typeof versionActions)[number]

export type VersionFact =
  | 'isReady'
  | 'isRecent'
  | 'wasNeverOnShelf'
  | 'hasNoOpenVersion'
  | 'hasWithdrawalsLeft'
  | 'hasUrgesLeft'
  | 'isOverdue'
  | 'releasesAtOnce'
  | 'goesAlone'
  | 'isShelfOffReviewed'
  | 'isShelfOffRefused'
  | 'isShelfFree'
  | 'isSubmitQueued'
  | 'isPhased'
  | 'hasPredecessor'
  | 'hasCode'

/** A phased version stands beside the full one instead of taking its place. */
const ontoShelf = (facts: { isPhased: boolean }) => (facts.isPhased ? 'PHASED' : 'ON_SHELF')

/** The formal lane, distribution.md 3.6. */
export const versionLifeCycle = lifeCycle<VersionState, VersionAction, VersionFact>({
  entity: 'version',
  states: versionStates,
  moves: [
    { from: editableStates, action: 'edit', to: 'DRAFT', may: 'versions.edit', event: 'version.updated' },
    {
      from: editableStates,
      action: 'delete',
      to: null,
      may: 'versions.edit',
      needs: ['wasNeverOnShelf'],
      event: 'version.deleted',
    },
    {
      from: editableStates,
      action: 'submit',
      to: 'PRECHECK',
      may: 'versions.submit',
      needs: ['isReady'],
      event: 'version.submitted',
    },
    {
      from: ['OFF_BY_DEVELOPER'],
      action: 'submit',
      to: 'PRECHECK',
      may: 'versions.submit',
      needs: ['isRecent', 'hasNoOpenVersion', 'isReady'],
      event: 'version.submitted',
    },
    { from: ['PRECHECK'], action: 'passPrecheck', to: 'IN_REVIEW', may: 'system', event: 'version.review.queued' },
    {
      from: ['PRECHECK'],
      action: 'failPrecheck',
      to: 'PRECHECK_FAILED',
      may: 'system',
      event: 'version.precheck.failed',
    },
    {
      from: editableStates,
      action: 'withdraw',
      to: 'DRAFT',
      may: 'versions.withdraw',
      needs: ['isSubmitQueued'],
      event: 'version.updated',
    },
    {
      from: lockedStates,
      action: 'withdraw',
      to: 'WITHDRAWN',
      may: 'versions.withdraw',
      needs: ['hasWithdrawalsLeft'],
      event: 'version.withdrawn',
    },
    ...(['PRECHECK', 'IN_REVIEW'] as const).map(state => ({
      from: [state],
      action: 'urge' as const,
      to: state,
      may: 'versions.submit',
      needs: ['hasUrgesLeft', 'isOverdue'] as const,
      event: 'review.urged',
    })),
    {
      from: ['IN_REVIEW'],
      action: 'approve',
      to: facts => (facts.releasesAtOnce ? ontoShelf(facts) : 'PENDING_RELEASE'),
      may: 'review.decide',
      event: 'version.approved',
    },
    { from: ['IN_REVIEW'], action: 'reject', to: 'REJECTED', may: 'review.decide', event: 'version.rejected' },
    { from: ['IN_REVIEW'], action: 'ask', to: 'IN_REVIEW', may: 'review.decide', event: 'version.review.question' },
    // What was rejected is looked at again as it is; an edit makes a draft of it, and that is handed in anew.
    { from: ['REJECTED'], action: 'appeal', to: 'IN_REVIEW', may: 'versions.submit', event: 'version.appealed' },
    ...lockedStates.map(state => ({
      from: [state],
      action: 'changeTime' as const,
      to: state,
      may: 'versions.release',
      needs: ['goesAlone'] as const,
      event: 'version.time.changed',
    })),
    ...(['release', 'releaseOnTime'] as const).map(action => ({
      from: ['PENDING_RELEASE'] as const,
      action,
      to: ontoShelf,
      may: action === 'release' ? 'versions.release' : 'system',
      needs: ['goesAlone'] as const,
      event: 'version.on_shelf',
    })),
    { from: ['PENDING_RELEASE'], action: 'releaseTogether', to: ontoShelf, may: 'system', event: 'version.on_shelf' },
    { from: ['PENDING_RELEASE'], action: 'expire', to: 'WITHDRAWN', may: 'system', event: 'version.expired' },
    { from: outStates, action: 'supersede', to: 'SUPERSEDED', may: 'system', event: 'version.superseded' },
    {
      from: ['ON_SHELF'],
      action: 'shelfOff',
      to: facts => (facts.isShelfOffReviewed ? 'SHELF_OFF_REVIEW' : 'OFF_BY_DEVELOPER'),
      may: 'versions.shelfOff',
      event: 'version.shelfoff.requested',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'cancelShelfOff',
      to: 'ON_SHELF',
      may: 'versions.withdraw',
      event: 'version.shelfoff.canceled',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'approve',
      to: 'OFF_BY_DEVELOPER',
      may: 'review.decide',
      event: 'version.off_shelf',
    },
    {
      from: ['SHELF_OFF_REVIEW'],
      action: 'reject',
      to: 'ON_SHELF',
      may: 'review.decide',
      event: 'version.shelfoff.refused',
    },
    {
      from: ['ON_SHELF'],
      action: 'acknowledgeShelfOff',
      to: 'ON_SHELF',
      may: 'versions.shelfOff',
      needs: ['isShelfOffRefused'],
      event: 'version.updated',
    },
    { from: outStates, action: 'forceOff', to: 'OFF_BY_STORE', may: 'store.operate', event: 'version.forced_off' },
    {
      from: ['OFF_BY_STORE'],
      action: 'restore',
      to: 'ON_SHELF',
      may: 'review.senior',
      needs: ['isShelfFree'],
      event: 'version.restored',
    },
    { from: ['PHASED'], action: 'completePhase', to: 'ON_SHELF', may: 'system', event: 'version.on_shelf' },
    { from: ['PHASED'], action: 'endPhase', to: 'OFF_BY_DEVELOPER', may: 'system', event: 'version.off_shelf' },
    {
      from: ['ON_SHELF', 'PHASED'],
      action: 'rollBack',
      to: 'ROLLED_BACK',
      may: 'versions.release',
      needs: ['hasPredecessor'],
      event: 'version.rolled_back',
    },
    ...(['ON_SHELF', 'PHASED'] as const).map(state => ({
      from: [state],
      action: 'setMinimum' as const,
      to: state,
      may: 'versions.release',
      needs: ['hasCode'] as const,
      event: 'version.minimum.changed',
    })),
    { from: ['SUPERSEDED'], action: 'returnToShelf', to: 'ON_SHELF', may: 'system', event: 'version.restored' },
  ],
})
