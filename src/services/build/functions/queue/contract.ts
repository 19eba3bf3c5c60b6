import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
  AnyJson,
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
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { aliasPattern, limits, namePattern } from '../rules.ts'
import { asyncStates, attemptOutcomes, destinationKinds, settingLimits, toldOutcomes } from './rules.ts'

const Qualifier = pattern(`^(\\$latest|[1-9][0-9]{0,8}|${aliasPattern.slice(1, -1)})$`, 63, '$latest')
const Destination = shape({ kind: oneOf([...destinationKinds]), target: text(130, 1) })

const Settings = shape({
  qualifier: text(63),
  maxRetry: integer(...settingLimits.maxRetry),
  maxAgeSec: integer(...settingLimits.maxAgeSec),
  onSuccess: nullable(Destination),
  onFailure: nullable(Destination),
  updatedAt: nullable(Instant),
  /** Null where nothing was set: these are the usual ones. */
  revision: nullable(Revision),
})

const AsyncCall = shape({
  requestId: Id,
  qualifier: text(63),
  source: oneOf(['APP', 'CONSOLE', 'TRIGGER', 'FUNCTION']),
  triggerId: nullable(Id),
  state: oneOf([...asyncStates]),
  attempt: integer(0, 1000),
  maxRetry: integer(0, 1000),
  payloadBytes: integer(0, 10_000_000),
  reason: nullable(text(4000)),
  /** Of the function, or one of our own: `tooOld`, `canceled`, `serverEnded`, `serverStopped`, or the number of a refusal. */
  errorType: nullable(text(200)),
  /** What became of telling its destination. */
  told: nullable(shape({ outcome: oneOf([...toldOutcomes]), target: text(130) })),
  availableAt: Instant,
  expiresAt: Instant,
  createdAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
})

const Attempt = shape({
  attempt: integer(1, 1000),
  /** The call of the record, with its lines. */
  invocationId: nullable(Id),
  /** An attempt before this one may have run. */
  isRepeat: flag(),
  startedAt: Instant,
  endedAt: nullable(Instant),
  outcome: nullable(oneOf([...attemptOutcomes])),
  errorType: nullable(text(200)),
  errorMessage: nullable(text(4000)),
})

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const ofFunction = shape({ functionId: Id })
const one = shape({ functionId: Id, requestId: Id })
const errors = {
  noVersion: functionErrors.noVersion,
  payloadTooLarge: functionErrors.payloadTooLarge,
  queueFull: functionErrors.queueFull,
  notWaiting: functionErrors.notWaiting,
}

/** Calls that nobody waits for: what became of them, and how they are made. */
export const functionQueue = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors,
  calls: {
    listAsyncCalls: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/async',
      summary: 'Asynchronous calls of a function, the newest first',
      params: ofFunction,
      query: shape({ state: optional(oneOf([...asyncStates])), triggerId: optional(Id), ...PageQuery }),
      answer: pageOf(AsyncCall),
    },
    getAsyncCall: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/async/:requestId',
      summary: 'One asynchronous call with its attempts',
      params: one,
      answer: shape({
        call: AsyncCall,
        attempts: list(Attempt),
        payload: AnyJson,
        /** Null where there is none, or it was too large to be kept. */
        result: AnyJson,
      }),
    },
    cancelAsyncCall: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/async/:requestId/cancel',
      summary: 'Gives up a call that waits',
      params: one,
      answer: shape({ call: AsyncCall }),
    },
    replayAsyncCall: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/async/:requestId/replay',
      summary: 'Makes a call that failed or was given up once more, as a new one',
      params: one,
      answer: shape({ requestId: Id }),
    },
    getAsyncConfig: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/asyncconfig',
      summary: 'How asynchronous calls of a version or alias are made',
      params: ofFunction,
      query: shape({ qualifier: optional(Qualifier) }),
      answer: shape({ asyncConfig: Settings }),
    },
    putAsyncConfig: {
      ...edit,
      method: 'PUT',
      path: '/function/:functionId/asyncconfig',
      summary: 'Changes how asynchronous calls of a version or alias are made, for those to come',
      params: ofFunction,
      body: shape({
        qualifier: Qualifier,
        maxRetry: integer(...settingLimits.maxRetry),
        maxAgeSec: integer(...settingLimits.maxAgeSec),
        onSuccess: optional(nullable(Destination)),
        onFailure: optional(nullable(Destination)),
        /** Of the settings as they were read; none where there were none. */
        revision: optional(Revision),
      }),
      answer: shape({ asyncConfig: Settings }),
    },
  },
})

/** The newer generation: one call for both ways, answered as the function answers, or 202 with the id of the call. */
export const functionInvoke = service({
  name: 'build/functions',
  prefix: '/fgs/function-service/v2',
  zone: 'current',
  permissions: ['functions.edit'],
  errors: functionErrors,
  calls: {
    invokeFunction: {
      ...edit,
      method: 'POST',
      path: '/:functionName/invoke',
      kind: 'download',
      transaction: false,
      bodyLimit: limits.eventBytes,
      summary: 'Calls a function and waits, or has it called later: 202 with the id of the call',
      params: shape({ functionName: pattern(namePattern, 63, 'resize-pictures') }),
      query: shape({ projectId: Id }),
      body: shape({
        qualifier: optional(Qualifier),
        mode: optional(oneOf(['SYNC', 'ASYNC'])),
        payload: optional(AnyJson),
      }),
    },
  },
})
