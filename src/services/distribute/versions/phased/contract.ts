import { service } from '../../../../kernel/contract.ts'
import {
  flag,
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
import { gateActions, gateLimits, gateMetrics, gateOps } from '../gates/rules.ts'
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

const Rate = Type.Number({ minimum: 0, maximum: 100 })
const Devices = Type.Integer({ minimum: 0 })

/** Acts by itself when a metric of the version crosses its limit, once so many devices have reported. */
export const Gate = shape({
  metric: oneOf(gateMetrics),
  op: oneOf(gateOps),
  /** Percent, at most two decimals; of `ratingAvg` stars, 1 to 5. */
  value: Rate,
  minUsers: integer(gateLimits.minUsersLeast, gateLimits.minUsersMost),
  action: oneOf(gateActions),
})
const Gates = Type.Array(Gate, { maxItems: gateLimits.gates })

/** How a version is to come to some devices first; what is left out is a curve over everybody, the same devices first. */
export const PhasedPlan = shape({
  kind: optional(oneOf(phasedKinds)),
  /** The first share of a PERCENT. */
  percent: optional(Percent),
  sampling: optional(oneOf(samplings)),
  newInstalls: optional(oneOf(newInstallWays)),
  countries: optional(Countries),
  gates: optional(Gates),
  /** Of a PERCENT: not complete by then, it is cancelled. */
  endAt: optional(Instant),
  /** Who looks for updates by hand gets it before its turn. */
  manualPull: optional(flag()),
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
  endAt: nullable(Instant),
  manualPull: flag(),
  /** Whoever has this version code gets it besides the share. */
  onlyOver: nullable(pattern('^[0-9]{1,19}$', 19, '278')),
  gates: Gates,
  /** Rates and average stars of the devices that reported since it began, and of the full version in the same time; null of none. */
  readings: list(
    shape({
      metric: oneOf(gateMetrics),
      value: nullable(Rate),
      devices: Devices,
      baseline: nullable(Rate),
      baselineDevices: Devices,
    }),
  ),
  /** When the readings were told; null before the first. */
  readAt: nullable(Instant),
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
  /** Said by a person; of the system `pauseBudget`, `newer`, `offShelf`, `curve`, `endTime`, `forward` or `gate`. */
  reason: text(phasedLimits.reasonMax),
  /** Devices that had fetched it by then, and installs they had told of; null until the store has counted. */
  reachedDevices: nullable(Devices),
  installs: nullable(Devices),
  /** Devices that had told how it runs by then, and how many of them in a hundred of a crash. */
  users: nullable(Devices),
  crashRate: nullable(Rate),
  /** Of a gate that acted: its limit, what was seen, and of how many devices. */
  trip: nullable(
    shape({
      metric: oneOf(gateMetrics),
      op: oneOf(gateOps),
      limit: Rate,
      value: Rate,
      devices: Devices,
      action: oneOf(gateActions),
    }),
  ),
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
    pauseBudgetUsed: [
      202030022,
      422,
      'All pauses together may last {days} days, and they are used up; complete it, cancel it or roll it back.',
    ],
  },
  calls: {
    updatePhasedRelease: {
      method: 'PUT',
      path: '/version/phased-release',
      who: 'cp',
      may: 'versions.release',
      summary:
        'Pauses, resumes, enlarges, completes, cancels or rolls back a phased release, or sets its gates; one at a time',
      body: shape({
        versionId: Id,
        state: optional(oneOf(['RELEASE', 'SUSPEND', 'CANCEL', 'ROLLBACK'])),
        /** 4: to everybody now; of a version not yet out, whole instead of phased. */
        releasePhase: optional(Type.Literal(4)),
        percent: optional(Percent),
        phaseDay: optional(integer(2, 7)),
        /** All of them, in place of those before. */
        gates: optional(Gates),
        endAt: optional(nullable(Instant)),
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
