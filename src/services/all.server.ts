import type { Gatekeeper } from '../server/gatekeeper.ts'
import type { Implementation } from '../server/implement.ts'
import type { Server } from '../server/server.ts'
import type { Work } from '../server/work.ts'
import session from './ground/session/handlers.ts'
import { setUpFirstTeam } from './ground/teams/first-team.ts'
import { createGatekeeper } from './ground/teams/gatekeeper.ts'
import teams, { secondGeneration as teamsV2 } from './ground/teams/handlers.ts'

/** One line per service: its calls, and its work where it has any. */
export const services: readonly { calls: readonly Implementation[]; work?: Work }[] = [
  { calls: [session] },
  { calls: [teams, teamsV2] },
]

/** How the frame learns who calls. */
export const gatekeeperOf: (server: Server) => Gatekeeper = createGatekeeper

/** Run once on an empty installation. */
export const firstRun = setUpFirstTeam
