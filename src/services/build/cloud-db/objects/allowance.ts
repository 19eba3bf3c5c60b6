import { refuse } from '../../../../kernel/errors.ts'
import type { Server } from '../../../../server/server.ts'
import type { Place } from '../model.ts'
import { limits } from '../schema/rules.ts'
import { dataErrors } from './rules.ts'

const windows = new WeakMap<Server, Map<string, { second: number; bytes: number }>>()

/** What all clients of a project write in a second is limited, so that none takes the disk from the others. */
export function assertAllowance({ server, database }: Place, bytes: number): void {
  const projects = windows.get(server) ?? new Map<string, { second: number; bytes: number }>()
  windows.set(server, projects)
  const second = Math.floor(server.clock.now() / 1000)
  const known = projects.get(database.projectId)
  const spent = known?.second === second ? known.bytes : 0
  // A write that is large by itself is let through when nothing else was written in its second.
  if (spent > 0 && spent + bytes > limits.writeBytesPerSecond) {
    refuse(dataErrors.tooMuch, { limitBytes: limits.writeBytesPerSecond, retryAfterSeconds: 1 })
  }
  if (projects.size > 5_000) projects.clear()
  projects.set(database.projectId, { second, bytes: spent + bytes })
}
