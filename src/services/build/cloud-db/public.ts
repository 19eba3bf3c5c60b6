import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { changesAfter, type DataChange, type LogMark } from './change-log.ts'
import { changesChannel } from './live/tell.ts'

export type { DataChange, LogMark } from './change-log.ts'

/**
 * What was written in projects after a mark by transactions that have ended, in the zone of the call and at most `limit`
 * rows; the log reaches a day back. `isWhole` where nothing was left for the next look, which begins at the new mark.
 */
export function readChanges(
  ctx: Context,
  projectIds: readonly string[],
  mark: LogMark,
  limit: number,
): Promise<{ changes: DataChange[]; mark: LogMark; isWhole: boolean }> {
  return changesAfter(ctx, projectIds, mark, limit)
}

/** Calls `hear` when rows were written through this process: a hint to look. Before the signals start. */
export function onChanges(server: Server, zone: ZoneId, hear: () => void): void {
  server.signals.on(zone, changesChannel, hear)
}
