import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'

/** A test version as groups, links and feedback must know it. */
export interface TestFacts {
  versionId: string
  appId: string
  teamId: string
  versionName: string | null
  versionCode: string | null
  groupIds: string[]
  /** Whether testers can get it at this moment. */
  isRunning: boolean
}

/** What versions tells of its tests; it stands above and hands this in when the server starts. */
export interface TestDoors {
  /** Those that are with the store, before their time, or with testers, and go to one of the groups. */
  liveOfGroups(ctx: Context, groupIds: readonly string[]): Promise<TestFacts[]>
  ofIds(ctx: Context, versionIds: readonly string[]): Promise<TestFacts[]>
}

const doors = new WeakMap<Server, TestDoors>()

export function keepDoors(server: Server, given: TestDoors): void {
  doors.set(server, given)
}

export function testsOn(ctx: Context): TestDoors {
  const found = doors.get(ctx.server)
  if (!found) throw new Error('nobody has said which tests there are')
  return found
}
