import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import {
  newInstallWays,
  percentPattern,
  phasedActions,
  phasedKinds,
  phasedLimits,
  phasedStates,
  samplings,
} from './rules.ts'

export const Percent = pattern(percentPattern, 6, '5.00')
const Countries = Type.Array(text(2), { maxItems: 250, uniqueItems: true })
export const Description = text(phasedLimits.descriptionLength)
export const Reason = text(phasedLimits.reasonMax, phasedLimits.reasonMin)

/** How a version is to come to some devices first; what is left out is a curve over everybody, the same devices first. */
export const PhasedPlan = shape({
  kind: optional(oneOf(phasedKinds)),
  /** The first share of a PERCENT. */
  percent: optional(Percent),
  sampling: optional(oneOf(samplings)),
  newInstalls: optional(oneOf(newInstallWays)),
  countries: optional(Countries),
})

export const Phased = shape({
  versionId: Id,
  appId: Id,
  kind: oneOf(phasedKinds),
  sampling: oneOf(samplings),
  newInstalls: oneOf(newInstallWays),
  description: Description,
  percent: Percent,
  /** Of the curve. */
  day: nullable(integer(1, 7)),
  countries: list(text(2)),
  state: oneOf(phasedStates),
  startAt: nullable(Instant),
  nextDayAt: nullable(Instant),
  pausedAt: nullable(Instant),
  /** How much longer it may stand still, all pauses together. */
  pauseLeftMs: integer(0, phasedLimits.pauseMs),
  endedAt: nullable(Instant),
  allowedActions: list(oneOf(phasedActions)),
  revision: Revision,
})

const PhasedChange = shape({
  changeId: Id,
  action: oneOf(phasedActions),
  state: oneOf(phasedStates),
  percent: Percent,
  day: nullable(integer(1, 7)),
  /** Null: the system did it. */
  actor: nullable(text(64)),
  /** Said by a person; of the system `pauseBudget`, `newer`, `offShelf` or `curve`. */
  reason: text(phasedLimits.reasonMax),
  /** Devices that had fetched it by then, and installs they had told of; null until the store has counted. */
  reachedDevices: nullable(Type.Integer({ minimum: 0 })),
  installs: nullable(Type.Integer({ minimum: 0 })),
  at: Instant,
})

/** A version that comes to a growing share of devices while the others keep getting the full one. */
export const versionPhased = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.release'],
  errors: {
    notForFirst: [
      202030020,
      422,
      'A phased release needs a full version on shelf that the other devices keep; release this one whole.',
    ],
    notRunning: [204144715, 422, 'The phased release is {state}; {action} is not possible now.'],
    percentCannotDecrease: [
      202030021,
      422,
      'The share is {percent} % already and cannot shrink; pause, cancel or roll back instead.',
    ],
    pauseBudgetUsed: [202030022, 422, 'All pauses together may last {days} days, and they are used up.'],
  },
  calls: {
    updatePhasedRelease: {
      method: 'PUT',
      path: '/version/phased-release',
      who: 'cp',
      may: 'versions.release',
      summary: 'Pauses, resumes, enlarges, completes, cancels or rolls back a phased release; one of these at a time',
      body: shape({
        versionId: Id,
        state: optional(oneOf(['RELEASE', 'SUSPEND', 'CANCEL', 'ROLLBACK'])),
        /** 4: to everybody now; of a version not yet out, whole instead of phased. */
        releasePhase: optional(Type.Literal(4)),
        percent: optional(Percent),
        phaseDay: optional(integer(2, 7)),
        description: optional(Description),
        /** Needed for ROLLBACK. */
        reason: optional(Reason),
        revision: optional(Revision),
      }),
      answer: Phased,
    },
    listPhasedChanges: {
      method: 'GET',
      path: '/version/phased-release/history',
      who: 'cp',
      may: 'versions.read',
      summary: 'The phased release of a version and each change of it with the reach at that time, the newest first',
      query: shape({ versionId: Id, ...PageQuery }),
      answer: shape({
        phased: nullable(Phased),
        total: Type.Integer({ minimum: 0 }),
        list: list(PhasedChange),
        nextCursor: nullable(Type.String()),
      }),
    },
  },
})
