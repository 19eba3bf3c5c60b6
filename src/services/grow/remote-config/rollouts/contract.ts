import { service } from '../../../../kernel/contract.ts'
import { guardCauses, guardLimits, guardRoles, srmActions, verdicts } from '../../../../kernel/ramp/guards.ts'
import { rampLimits } from '../../../../kernel/ramp/ramp.ts'
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
  pageOf,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Count, Name, remoteConfigErrors, Where } from '../contract.ts'
import { kinds, limits } from '../rules.ts'
import { askedActions, reasonLength, rolloutDeeds, rolloutStates } from './rules.ts'

const Key = text(limits.keyLength, 1)
const Reason = text(reasonLength)

/** A share in percent, and how long it is held; null waits for somebody to approve. What makes no sense is told by `/steps/1/percent`. */
const Step = shape({ percent: Type.Number(), holdMs: nullable(integer(0, rampLimits.mostHoldMs)) })
const Person = nullable(shape({ accountId: Id, name: text(200) }))

const Said = { at: Instant, reason: Reason, by: Person }

/** Metrics by id. */
const Metrics = list(Id, { maxItems: guardLimits.most })
const Arm = shape({ n: Count, mean: Type.Number() })

/** What was found of the step: those who are in beside those who are not, in the metric's own unit. */
const Look = shape({
  at: Instant,
  inUnits: Count,
  outUnits: Count,
  /** Null of too few units. */
  splitP: nullable(Type.Number()),
  isSplitHealthy: flag(),
  judged: list(
    shape({
      metricId: Id,
      role: oneOf(guardRoles),
      verdict: oneOf(verdicts),
      /** Null of a metric that is gone. */
      reading: nullable(
        shape({
          name: Type.String(),
          direction: oneOf(['up', 'down']),
          inside: Arm,
          outside: Arm,
          change: nullable(shape({ by: Type.Number(), low: Type.Number(), high: Type.Number() })),
        }),
      ),
    }),
  ),
})

export const Rollout = shape({
  rolloutId: Id,
  projectId: Id,
  kind: oneOf(kinds),
  name: Name,
  parameter: text(limits.keyLength),
  /** Whose value it replaces; null is the default. */
  condition: nullable(text(limits.nameLength)),
  value: text(limits.valueChars),
  /** What units are told apart by. */
  unitAttr: text(100),
  steps: list(Step),
  /** Metrics that take it back, and those that hold it while they fail. */
  guardrails: Metrics,
  signals: Metrics,
  srmAction: oneOf(srmActions),
  /** When a draft is to begin; null is at once. */
  startAt: nullable(Instant),
  state: oneOf(rolloutStates),
  /** Place of the step, from 0. */
  step: Count,
  /** How many units get the value now. */
  percent: Type.Number(),
  /** When it begins, or the next step does; null where no clock moves it. */
  dueAt: nullable(Instant),
  waitsForApproval: flag(),
  pausedAt: nullable(Instant),
  /** What paused it where no person did; it goes on by itself when that recovers. */
  heldBy: nullable(oneOf(guardCauses)),
  /** When it is looked at next; null where nothing is to be judged. */
  lookAt: nullable(Instant),
  isLooking: flag(),
  look: nullable(Look),
  /** Why the last look found nothing. */
  lookProblem: nullable(Type.String()),
  startedAt: nullable(Instant),
  endedAt: nullable(Instant),
  createdAt: Instant,
  createdBy: Person,
  revision: Revision,
  /** How many others must agree to a start or a completion. */
  approvalsNeeded: Count,
  /** What others are asked to agree to, and who did. */
  asked: nullable(shape({ action: oneOf(askedActions), ...Said, agreed: list(shape(Said)) })),
  allowedActions: list(oneOf([...rolloutDeeds, 'remove'])),
})

const Change = shape({
  changeId: Id,
  action: oneOf(rolloutDeeds),
  state: oneOf(rolloutStates),
  step: Count,
  percent: Type.Number(),
  /** The version that brought it to apps; null where nothing changed for them. */
  version: nullable(Count),
  reason: Reason,
  at: Instant,
  /** Null of the clock, and of an account that is gone. */
  by: Person,
  /** What a look found, where that moved it. */
  cause: nullable(oneOf(guardCauses)),
  /** The reason in the languages of the console, where a look gave it. */
  found: nullable(shape({ zh: Type.String(), en: Type.String(), ru: Type.String() })),
  /** Whoever may force did it, though others should have agreed. */
  isForced: flag(),
})

/** What a draft has besides its value. */
const Plan = {
  unitAttr: optional(text(100, 1)),
  /** 1, 5, 10, 25, 50 and 100 % for a day each unless said. */
  steps: optional(list(Step)),
  guardrails: optional(Metrics),
  signals: optional(Metrics),
  /** What happens where more or fewer units are in than the step says. */
  srmAction: optional(oneOf(srmActions)),
  /** When it is to begin; null is at once. */
  startAt: optional(nullable(Instant)),
}

const read = { who: 'cp', may: 'remoteConfig.read' } as const
const edit = { who: 'cp', may: 'remoteConfig.edit' } as const
const byId = shape({ rolloutId: Id })
const moving = { reason: optional(Reason), revision: Revision }
const move = { who: 'cp', may: 'remoteConfig.publish', method: 'POST', params: byId, answer: Rollout } as const
const moved = { ...move, body: shape(moving) } as const

/** Values that more and more units get instead of the ones in force, step by step. */
export const rollouts = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    listRollouts: {
      ...read,
      method: 'GET',
      path: '/rollouts',
      summary: 'The rollouts of a template, the newest first',
      query: shape({
        ...Where,
        ...PageQuery,
        /** A part of name or parameter. */
        search: optional(text(100)),
        state: optional(oneOf(rolloutStates)),
      }),
      answer: pageOf(Rollout),
    },
    createRollout: {
      ...edit,
      method: 'POST',
      path: '/rollouts',
      summary: 'Makes a draft of a rollout: the value of a parameter in force, and the steps to everybody',
      body: shape({
        ...Where,
        ...{ name: Name, parameter: Key, condition: optional(nullable(Name)), value: text(limits.valueChars) },
        ...Plan,
      }),
      bodyLimit: 2 * limits.valueChars,
      answer: Rollout,
    },
    getRollout: {
      ...read,
      method: 'GET',
      path: '/rollouts/:rolloutId',
      summary: 'A rollout: where it is, and what comes next',
      params: byId,
      answer: Rollout,
    },
    updateRollout: {
      ...edit,
      method: 'PUT',
      path: '/rollouts/:rolloutId',
      summary: 'Changes a draft; what is left out stays as it is',
      params: byId,
      body: shape({
        ...{ name: optional(Name), parameter: optional(Key), condition: optional(nullable(Name)) },
        ...{ value: optional(text(limits.valueChars)), ...Plan, revision: Revision },
      }),
      bodyLimit: 2 * limits.valueChars,
      answer: Rollout,
    },
    deleteRollout: {
      ...edit,
      method: 'DELETE',
      path: '/rollouts/:rolloutId',
      summary: 'Deletes a draft; what ever ran stays with its history',
      params: byId,
    },
    startRollout: {
      ...move,
      path: '/rollouts/:rolloutId/start',
      summary: 'Starts a rollout now or at its time; after a rollback the same units are first again',
      /** Left out it starts as its draft says, null is at once. */
      body: shape({ ...moving, startAt: optional(nullable(Instant)) }),
    },
    advanceRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/advance',
      summary: 'Takes the next step before its time',
    },
    approveRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/approve',
      summary: 'Lets a rollout go on that waits for approval',
    },
    pauseRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/pause',
      summary: 'Stops the clock of a rollout; who has the value keeps it',
    },
    resumeRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/resume',
      summary: 'Goes on after a pause; the next step comes later by as long as it lasted',
    },
    rollBackRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/rollback',
      summary: 'Gives everybody the old value at once',
    },
    completeRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/complete',
      summary: 'Gives everybody the new value at once, as a part of the template',
    },
    cancelRollout: {
      ...moved,
      path: '/rollouts/:rolloutId/cancel',
      summary: 'Gives a rollout up for good; everybody gets the old value',
    },
    randomiseRollout: {
      ...{ ...moved, may: 'remoteConfig.edit' },
      path: '/rollouts/:rolloutId/randomise',
      summary: 'Draws anew who is first, while nobody is in',
    },
    lookAtRollout: {
      ...move,
      path: '/rollouts/:rolloutId/look',
      summary: 'Judges the step by what came until now, and does what guardrails and signals ask',
    },
    listRolloutMetrics: {
      ...read,
      method: 'GET',
      path: '/rollout-metrics',
      summary: 'What rollouts of a project can be judged by',
      query: shape({ projectId: Id }),
      answer: shape({ list: list(shape({ metricId: Id, name: Type.String() })) }),
    },
    listRolloutChanges: {
      ...read,
      method: 'GET',
      path: '/rollouts/:rolloutId/history',
      summary: 'What became of a rollout: who, when, how many percent, why; the newest first',
      params: byId,
      query: shape(PageQuery),
      answer: pageOf(Change),
    },
  },
})

export type RolloutView = Static<typeof Rollout>
export type RolloutChangeView = Static<typeof Change>
