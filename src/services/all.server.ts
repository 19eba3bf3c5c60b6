import type { Gatekeeper } from '../server/gatekeeper.ts'
import type { Server } from '../server/server.ts'
import type { Service } from '../server/service.ts'
import appEvents from './analyse/app-events/service.ts'
import collect from './analyse/collect/service.ts'
import appAuth from './build/app-auth/service.ts'
import cloudDb from './build/cloud-db/service.ts'
import debug from './build/debug/service.ts'
import functions from './build/functions/service.ts'
import preload from './build/preload/service.ts'
import rules from './build/rules/service.ts'
import storage from './build/storage/service.ts'
import appCheck from './distribute/app-check/service.ts'
import { prepareVisitors } from './distribute/apps/demo/visitors.ts'
import apps from './distribute/apps/service.ts'
import betaTest from './distribute/beta-test/service.ts'
import comments from './distribute/comments/service.ts'
import distributionView from './distribute/distribution-view/service.ts'
import harmony from './distribute/harmony/service.ts'
import lifecycle from './distribute/lifecycle/service.ts'
import material from './distribute/material/service.ts'
import packages from './distribute/packages/service.ts'
import publishing from './distribute/publishing/service.ts'
import qualification from './distribute/qualification/service.ts'
import recordal from './distribute/recordal/service.ts'
import review from './distribute/review/service.ts'
import series from './distribute/series/service.ts'
import signing from './distribute/signing/service.ts'
import store from './distribute/store/service.ts'
import versions from './distribute/versions/service.ts'
import clues from './earn/clues/service.ts'
import { guardSigning } from './ground/agreements/enforcement.ts'
import agreements from './ground/agreements/service.ts'
import { withClients } from './ground/api-clients/public.ts'
import apiClients from './ground/api-clients/service.ts'
import developerSupport from './ground/developer-support/service.ts'
import files from './ground/files/service.ts'
import genericGateway from './ground/generic-gateway/service.ts'
import menu from './ground/menu/service.ts'
import notices from './ground/notices/service.ts'
import orchestration from './ground/orchestration/service.ts'
import projects from './ground/projects/service.ts'
import regions from './ground/regions/service.ts'
import { openSetUp } from './ground/session/public.ts'
import session from './ground/session/service.ts'
import { type FirstSignIn, setUpFirstTeam } from './ground/teams/first-team.ts'
import { createGatekeeper } from './ground/teams/gatekeeper.ts'
import teams from './ground/teams/service.ts'
import webhooks from './ground/webhooks/service.ts'
import experiments from './grow/experiments/service.ts'
import remoteConfig from './grow/remote-config/service.ts'
import targeting from './grow/targeting/service.ts'

/** One line per service. */
export const services: readonly Service[] = [
  session,
  teams,
  files,
  projects,
  agreements,
  notices,
  webhooks,
  apps,
  packages,
  signing,
  betaTest,
  appCheck,
  lifecycle,
  material,
  versions,
  publishing,
  distributionView,
  review,
  series,
  harmony,
  comments,
  recordal,
  qualification,
  store,
  apiClients,
  regions,
  menu,
  collect,
  rules,
  clues,
  orchestration,
  genericGateway,
  developerSupport,
  appAuth,
  debug,
  cloudDb,
  storage,
  functions,
  preload,
  remoteConfig,
  targeting,
  appEvents,
  experiments,
]

/** How the frame learns who calls. */
export const gatekeeperOf = (server: Server): Gatekeeper =>
  guardSigning(server, withClients(server, createGatekeeper(server)))

/** Run at each start: on an empty installation the first accounts to print, or the link that makes them. */
export async function firstRun(server: Server): Promise<FirstSignIn[] | null> {
  await prepareVisitors(server)
  if (server.config.firstRun === 'seed') return setUpFirstTeam(server)
  const link = await openSetUp(server)
  if (link) server.log.warn({ link }, 'nobody has an account yet: open this link within a day to make the first one')
  return null
}
