/**
 * When the step after the next begins, where the next was due at `dueAt` and begins `now`: its hold after it was due, so that
 * lateness does not add up; after an outage a whole hold from now, so that steps are not made up for in a burst.
 */
export function dueAfter(dueAt: number, holdMs: number, now: number): number {
  const usual = dueAt + holdMs
  return usual > now ? usual : now + holdMs
}

/** How long a pause has lasted, in milliseconds; 0 where there is none. */
export function stoodFor(pausedAt: number | null, now: number): number {
  return pausedAt === null ? 0 : Math.max(0, now - pausedAt)
}

/** The time of what waited while it was paused: later by as much as the pause lasted. */
export function afterPause(dueAt: number | null, pausedAt: number | null, now: number): number | null {
  return dueAt === null ? null : dueAt + stoodFor(pausedAt, now)
}
