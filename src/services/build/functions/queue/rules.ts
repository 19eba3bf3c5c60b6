/** What asynchronous calls are held to; sizes in bytes, times in milliseconds. */
export const asyncLimits = {
  payloadBytes: 1024 * 1024,
  /** A result that is larger is not kept. */
  resultBytes: 64 * 1024,
  /** Of one function; what apps and people add beyond is refused. */
  waiting: 10_000,
  timeoutMs: 1_800_000,
  keptMs: 7 * 86_400_000,
  leaseMs: 15_000,
  heartbeatMs: 5_000,
  /** Calls at once in one process, and of these of one function. */
  hands: 16,
  handsOfFunction: 6,
} as const

export const asyncStates = ['WAIT', 'RUNNING', 'SUCCESS', 'FAIL', 'DISCARD'] as const
export type AsyncState = (typeof asyncStates)[number]
/** `THROTTLED` was put off, as too many calls run or the breaker is open, and uses none of the retries up. */
export const attemptOutcomes = ['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED', 'THROTTLED', 'LOST'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

export const settingLimits = { maxRetry: [0, 3], maxAgeSec: [60, 86_400] } as const
export const usualSettings = { maxRetry: 2, maxAgeSec: 3600, onSuccess: null, onFailure: null } as const

/** How long after an attempt the next one is made: 1, 4, 16 seconds. */
export function retryAfterMs(attempt: number): number {
  return Math.min(60_000, 1000 * 4 ** (attempt - 1))
}

/** The same where attempts were put off: at most five minutes, as they may be for a day. */
export function putOffMs(attempt: number): number {
  return Math.min(300_000, 1000 * 4 ** (attempt - 1))
}

export type AfterAttempt = { state: 'SUCCESS' } | { state: 'FAIL' } | { state: 'WAIT'; availableAt: number }

/** How many retries a call has after an attempt: one that was put off adds one. */
export const retriesAfter = (maxRetry: number, outcome: AttemptOutcome): number =>
  outcome === 'THROTTLED' ? maxRetry + 1 : maxRetry

function pauseMs(attempt: number, outcome: AttemptOutcome): number {
  // The server is to blame for a lost one: it goes on as soon as somebody has a hand free.
  if (outcome === 'LOST') return 0
  return outcome === 'THROTTLED' ? putOffMs(attempt) : retryAfterMs(attempt)
}

/** What becomes of a call after an attempt: it is over, or is tried again while it may and is not too old. */
export function afterAttempt(
  call: { attempt: number; maxRetry: number; expiresAt: number },
  outcome: AttemptOutcome,
  now: number,
): AfterAttempt {
  if (outcome === 'SUCCESS') return { state: 'SUCCESS' }
  if (call.attempt > retriesAfter(call.maxRetry, outcome)) return { state: 'FAIL' }
  const availableAt = now + pauseMs(call.attempt, outcome)
  return availableAt > call.expiresAt ? { state: 'FAIL' } : { state: 'WAIT', availableAt }
}

/** Who may be told of the end of a call, and where: a function, a topic, a file in a bucket, people. */
export const destinationKinds = ['FUNCTION', 'EVENT', 'STORAGE', 'ALARM'] as const
export type DestinationKind = (typeof destinationKinds)[number]

/** People are those of the team who hold one of these permissions. */
export const alarmTargets = ['functions.edit', 'functions.read'] as const
/** People are told once in so long how calls of one version or alias end. */
export const alarmEveryMs = 600_000

/** What became of telling a destination; a file and people are told a moment after the call has ended. */
export const toldOutcomes = [
  'CALLED',
  'PUBLISHED',
  'MISSING',
  'NO_TRIGGER',
  'CIRCLE',
  'HANDED_OVER',
  'WRITTEN',
  'ALARMED',
  'REFUSED',
] as const
export type ToldOutcome = (typeof toldOutcomes)[number]

/** `name` or `name:alias`, as destinations name a function. */
export function readTarget(target: string): { name: string; qualifier: string } {
  const at = target.indexOf(':')
  return at < 0
    ? { name: target, qualifier: '$latest' }
    : { name: target.slice(0, at), qualifier: target.slice(at + 1) }
}

const targets = {
  FUNCTION: /^[a-z][a-z0-9-]{0,61}[a-z0-9](:(\$latest|[1-9][0-9]{0,8}|[A-Za-z](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?))?$/,
  EVENT: /^[A-Za-z][A-Za-z0-9._-]{0,127}$/,
  STORAGE: /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[A-Za-z0-9_.=-]+)*\/?$/,
  ALARM: /^functions\.(edit|read)$/,
} satisfies Record<DestinationKind, RegExp>

/** Whether a destination can be written like this; that it is there is another question. */
export function isTarget(kind: DestinationKind, target: string): boolean {
  return targets[kind].test(target)
}

/** The bucket, and the file that tells of a call: `bucket/failed/` has `failed/REQUEST.json`. */
export function readPlace(target: string, requestId: string): { bucketId: string; path: string } {
  const [bucketId = '', ...folders] = target.split('/').filter(one => one !== '')
  return { bucketId, path: [...folders, `${requestId}.json`].join('/') }
}
