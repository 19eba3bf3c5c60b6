import type { Gatekeeper } from '../server/gatekeeper.ts'
import type { Implementation } from '../server/implement.ts'
import type { Server } from '../server/server.ts'
import type { Work } from '../server/work.ts'
import apps from './distribute/apps/handlers.ts'
import appsWork from './distribute/apps/jobs.ts'
import packages from './distribute/packages/handlers.ts'
import packagesWork from './distribute/packages/jobs.ts'
import reviewDesk from './distribute/review/desk-handlers.ts'
import reviewWork from './distribute/review/jobs.ts'
import submissions from './distribute/review/submission-handlers.ts'
import store from './distribute/store/handlers.ts'
import storeWork from './distribute/store/jobs.ts'
import fdroid from './distribute/store/repository-handlers.ts'
import versions from './distribute/versions/handlers.ts'
import versionsWork from './distribute/versions/jobs.ts'
import files, {
  ofContentPages as filesCms,
  ofConsole as filesConsole,
  secondGeneration as filesV2,
} from './ground/files/handlers.ts'
import filesWork from './ground/files/jobs.ts'
import projects, { delegatesOfCpms, delegatesOfDgs } from './ground/projects/handlers.ts'
import projectsWork from './ground/projects/jobs.ts'
import session from './ground/session/handlers.ts'
import { setUpFirstTeam } from './ground/teams/first-team.ts'
import { createGatekeeper } from './ground/teams/gatekeeper.ts'
import teams, { secondGeneration as teamsV2 } from './ground/teams/handlers.ts'

/** One line per service: its calls, and its work where it has any. */
export const services: readonly { calls: readonly Implementation[]; work?: Work }[] = [
  { calls: [session] },
  { calls: [teams, teamsV2] },
  { calls: [files, filesV2, filesCms, filesConsole], work: filesWork },
  { calls: [projects, delegatesOfDgs, delegatesOfCpms], work: projectsWork },
  { calls: [apps], work: appsWork },
  { calls: [packages], work: packagesWork },
  { calls: [versions], work: versionsWork },
  { calls: [reviewDesk, submissions], work: reviewWork },
  { calls: [store, fdroid], work: storeWork },
]

/** How the frame learns who calls. */
export const gatekeeperOf: (server: Server) => Gatekeeper = createGatekeeper

/** Run once on an empty installation. */
export const firstRun = setUpFirstTeam
