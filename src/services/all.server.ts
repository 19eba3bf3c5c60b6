import type { Gatekeeper } from '../server/gatekeeper.ts'
import type { Implementation } from '../server/implement.ts'
import type { Server } from '../server/server.ts'
import type { Work } from '../server/work.ts'
import collect from './analyse/collect/handlers.ts'
import collectWork from './analyse/collect/jobs.ts'
import appAuthDevice, { keySet as appAuthKeySet } from './build/app-auth/device/handlers.ts'
import authHooks from './build/app-auth/hooks-desk/handlers.ts'
import appUserImports from './build/app-auth/imports/handlers.ts'
import appAuthWork from './build/app-auth/jobs.ts'
import authSettings from './build/app-auth/settings/handlers.ts'
import appUserDesk from './build/app-auth/user-desk/handlers.ts'
import cloudDb from './build/cloud-db/handlers.ts'
import cloudDbWork from './build/cloud-db/jobs.ts'
import cloudDbLive from './build/cloud-db/live/handlers.ts'
import cloudDbObjects from './build/cloud-db/objects/handlers.ts'
import cloudDbSecurity from './build/cloud-db/security/handlers.ts'
import cloudDbTransfer from './build/cloud-db/transfer/handlers.ts'
import cloudDbGateway, { ofDevices as cloudDbDevices } from './build/cloud-db/wire/handlers.ts'
import debugging from './build/debug/handlers.ts'
import debugWork from './build/debug/jobs.ts'
import cloudSwitches from './build/debug/switches/handlers.ts'
import rules from './build/rules/handlers.ts'
import rulesWork from './build/rules/jobs.ts'
import storageDevice from './build/storage/device/handlers.ts'
import storageFiles, { older as storageFilesOlder } from './build/storage/files/handlers.ts'
import storage, { older as storageOlder } from './build/storage/handlers.ts'
import hostedSites from './build/storage/hosting/device-handlers.ts'
import storageHosting, { older as storageHostingOlder } from './build/storage/hosting/handlers.ts'
import storageWork from './build/storage/jobs.ts'
import storageKeys from './build/storage/keys/handlers.ts'
import storageS3 from './build/storage/s3/handlers.ts'
import storageSecurity from './build/storage/security/handlers.ts'
import storageTus from './build/storage/tus/handlers.ts'
import detections, { testTaskConfig } from './distribute/app-check/detection/handlers.ts'
import appCheck from './distribute/app-check/handlers.ts'
import appCheckWork from './distribute/app-check/jobs.ts'
import demoProject from './distribute/apps/demo/handlers.ts'
import { prepareVisitors } from './distribute/apps/demo/visitors.ts'
import appsDesk from './distribute/apps/desk/handlers.ts'
import apps from './distribute/apps/handlers.ts'
import appsWork from './distribute/apps/jobs.ts'
import nonAgApps from './distribute/apps/non-ag/handlers.ts'
import appPlaces from './distribute/apps/places/handlers.ts'
import appTransfer from './distribute/apps/transfer/handlers.ts'
import crowdTest from './distribute/beta-test/activities/crowd-handlers.ts'
import betaActivities from './distribute/beta-test/activities/handlers.ts'
import betaFeedback from './distribute/beta-test/feedback/handlers.ts'
import betaGroups, { secondGeneration as betaGroupsV2 } from './distribute/beta-test/handlers.ts'
import betaInvitations, { secondGeneration as betaInvitationsV2 } from './distribute/beta-test/invitations/handlers.ts'
import betaWork from './distribute/beta-test/jobs.ts'
import betaPeople, { secondGeneration as betaPeopleV2 } from './distribute/beta-test/people/handlers.ts'
import betaTester from './distribute/beta-test/tester/handlers.ts'
import appViews, { secondGeneration as appViewsV2 } from './distribute/distribution-view/apps/handlers.ts'
import testViews, { secondGeneration as testViewsV2 } from './distribute/distribution-view/beta-tests/handlers.ts'
import immersiveDesk from './distribute/distribution-view/immersive/desk/handlers.ts'
import immersive, { secondGeneration as immersiveV2 } from './distribute/distribution-view/immersive/handlers.ts'
import distributionViewWork from './distribute/distribution-view/jobs.ts'
import packageViews, { secondGeneration as packageViewsV2 } from './distribute/distribution-view/packages/handlers.ts'
import releaseViews, { secondGeneration as releaseViewsV2 } from './distribute/distribution-view/releases/handlers.ts'
import serviceViews, { secondGeneration as serviceViewsV2 } from './distribute/distribution-view/services/handlers.ts'
import versionViews, { secondGeneration as versionViewsV2 } from './distribute/distribution-view/versions/handlers.ts'
import lifecycleDesk from './distribute/lifecycle/desk/handlers.ts'
import lifecycle from './distribute/lifecycle/handlers.ts'
import lifecycleWork from './distribute/lifecycle/jobs.ts'
import packageClaims, {
  ofAtomicServices as atomicClaims,
  desk as claimDesk,
} from './distribute/packages/claims/handlers.ts'
import differences, { ofAtomicServices as atomicDifferences } from './distribute/packages/difference/handlers.ts'
import packages, { ofAtomicServices as atomicPackages } from './distribute/packages/handlers.ts'
import packagesWork from './distribute/packages/jobs.ts'
import manyPackages, { ofAtomicServices as atomicMany } from './distribute/packages/many/handlers.ts'
import phones, {
  ofAtomicServices as atomicPhones,
  ofLifecycle as lifecyclePhones,
  desk as phoneDesk,
} from './distribute/packages/phones/handlers.ts'
import madePackages, { checks as signChecks } from './distribute/packages/signed/handlers.ts'
import packageTasks, { ofAtomicServices as atomicTasks } from './distribute/packages/tasks/handlers.ts'
import trustDesk from './distribute/packages/trust/handlers.ts'
import wrappedPackages, { ofAtomicServices as atomicWrapped } from './distribute/packages/wrapped/handlers.ts'
import publishing from './distribute/publishing/handlers.ts'
import qualificationDesk from './distribute/qualification/desk/handlers.ts'
import qualification from './distribute/qualification/handlers.ts'
import qualificationWork from './distribute/qualification/jobs.ts'
import { exempt, metadata } from './distribute/qualification/meta/handlers.ts'
import recordalDesk from './distribute/recordal/desk/handlers.ts'
import recordal from './distribute/recordal/handlers.ts'
import recordalWork from './distribute/recordal/jobs.ts'
import appeals from './distribute/review/appeals/handlers.ts'
import automaticPasses from './distribute/review/auto/handlers.ts'
import reviewDesk from './distribute/review/desk/handlers.ts'
import submissions from './distribute/review/handlers.ts'
import reviewWork from './distribute/review/jobs.ts'
import reviewPolicies from './distribute/review/policies/handlers.ts'
import deskMoves from './distribute/review/senior/handlers.ts'
import sensitiveApps from './distribute/review/sensitive/handlers.ts'
import reviewStatistics from './distribute/review/statistics/handlers.ts'
import series from './distribute/series/handlers.ts'
import seriesWork from './distribute/series/jobs.ts'
import signing from './distribute/signing/handlers.ts'
import signingWork from './distribute/signing/jobs.ts'
import storeField from './distribute/store/field/handlers.ts'
import store from './distribute/store/handlers.ts'
import storeHealth from './distribute/store/health/handlers.ts'
import storeWork from './distribute/store/jobs.ts'
import fdroidOfGroup from './distribute/store/repository/groups/device-handlers.ts'
import storeGroups from './distribute/store/repository/groups/handlers.ts'
import fdroid from './distribute/store/repository/handlers.ts'
import storeTests, { ofRepository as fdroidOfTests } from './distribute/store/testing/handlers.ts'
import transparency from './distribute/store/transparency/handlers.ts'
import versionBulks from './distribute/versions/bulk/handlers.ts'
import versionDeclarations from './distribute/versions/declarations/handlers.ts'
import versions from './distribute/versions/handlers.ts'
import versionHistory from './distribute/versions/history/handlers.ts'
import versionsWork from './distribute/versions/jobs.ts'
import versionListings from './distribute/versions/listing/handlers.ts'
import versionPhased from './distribute/versions/phased/handlers.ts'
import versionRollback from './distribute/versions/rollback/handlers.ts'
import versionShelf from './distribute/versions/shelf/handlers.ts'
import versionTests from './distribute/versions/testing/handlers.ts'
import clues from './earn/clues/handlers.ts'
import cluesWork from './earn/clues/jobs.ts'
import consents from './ground/agreements/consents/handlers.ts'
import developerAgreements from './ground/agreements/developer/handlers.ts'
import agreementDocuments from './ground/agreements/documents/handlers.ts'
import { guardSigning } from './ground/agreements/enforcement.ts'
import agreements from './ground/agreements/handlers.ts'
import agreementsWork from './ground/agreements/jobs.ts'
import appOauth from './ground/api-clients/app-oauth/handlers.ts'
import debugCredentials from './ground/api-clients/debug/handlers.ts'
import clientGrants from './ground/api-clients/grants/handlers.ts'
import apiClients from './ground/api-clients/handlers.ts'
import apiClientsWork from './ground/api-clients/jobs.ts'
import clientKeys from './ground/api-clients/keys/handlers.ts'
import { withClients } from './ground/api-clients/public.ts'
import tokens, { asJson, wellKnown } from './ground/api-clients/tokens/handlers.ts'
import userClients from './ground/api-clients/user-clients/handlers.ts'
import developerSupport from './ground/developer-support/handlers.ts'
import developerSupportWork from './ground/developer-support/jobs.ts'
import files from './ground/files/handlers.ts'
import filesWork from './ground/files/jobs.ts'
import partUploads from './ground/files/parts/handlers.ts'
import fileTasks from './ground/files/tasks/handlers.ts'
import objectUploads, {
  ofContentPages as filesCms,
  ofConsole as filesConsole,
  secondGeneration as filesV2,
} from './ground/files/uploads/handlers.ts'
import developerService from './ground/generic-gateway/developer/handlers.ts'
import gateway from './ground/generic-gateway/handlers.ts'
import announcements from './ground/menu/announcements/handlers.ts'
import billboard from './ground/menu/billboard/handlers.ts'
import menu from './ground/menu/handlers.ts'
import menuWork from './ground/menu/jobs.ts'
import menuOperations from './ground/menu/operations/handlers.ts'
import pageConfiguration from './ground/menu/page-configuration/handlers.ts'
import notices from './ground/notices/handlers.ts'
import noticesWork from './ground/notices/jobs.ts'
import processDesk from './ground/orchestration/desk/handlers.ts'
import orchestration from './ground/orchestration/handlers.ts'
import orchestrationWork from './ground/orchestration/jobs.ts'
import projectApi, { ofCpms as projectApisOfCpms, ofDgs as projectApisOfDgs } from './ground/projects/api/handlers.ts'
import projectConfigFiles from './ground/projects/config-files/handlers.ts'
import projects from './ground/projects/handlers.ts'
import { ofCpms as homeOfCpms, ofDgs as homeOfDgs } from './ground/projects/home/handlers.ts'
import projectsWork from './ground/projects/jobs.ts'
import projectMembers from './ground/projects/members/handlers.ts'
import projectRegion from './ground/projects/region/handlers.ts'
import projectServices from './ground/projects/services/handlers.ts'
import projectSettings from './ground/projects/settings/handlers.ts'
import regions from './ground/regions/handlers.ts'
import accounts from './ground/session/accounts/handlers.ts'
import deletion from './ground/session/deletion/handlers.ts'
import devices from './ground/session/devices/handlers.ts'
import factors from './ground/session/factors/handlers.ts'
import session from './ground/session/handlers.ts'
import sessionWork from './ground/session/jobs.ts'
import passwords from './ground/session/passwords/handlers.ts'
import providers from './ground/session/providers/handlers.ts'
import { openSetUp } from './ground/session/public.ts'
import realNames from './ground/session/real-names/handlers.ts'
import memberBulks from './ground/teams/bulk/handlers.ts'
import { type FirstSignIn, setUpFirstTeam } from './ground/teams/first-team.ts'
import { createGatekeeper } from './ground/teams/gatekeeper.ts'
import teams, { secondGeneration as teamsV2 } from './ground/teams/handlers.ts'
import invitations, { secondGeneration as invitationsV2 } from './ground/teams/invitations/handlers.ts'
import teamsWork from './ground/teams/jobs.ts'
import members, { secondGeneration as membersV2 } from './ground/teams/members/handlers.ts'
import permissionCheck, { explanation, explanationV2 } from './ground/teams/permission-check/handlers.ts'
import roles, { secondGeneration as rolesV2 } from './ground/teams/roles/handlers.ts'
import scopes, { secondGeneration as scopesV2 } from './ground/teams/scopes/handlers.ts'
import serviceProviders, { secondGeneration as serviceProvidersV2 } from './ground/teams/service-providers/handlers.ts'
import testUsers, { secondGeneration as testUsersV2 } from './ground/teams/test-users/handlers.ts'
import transfer, { secondGeneration as transferV2 } from './ground/teams/transfer/handlers.ts'
import visitors from './ground/teams/visitors/handlers.ts'
import webhooks from './ground/webhooks/handlers.ts'
import webhooksWork from './ground/webhooks/jobs.ts'

/** One line per service: its calls, and its work where it has any. */
export const services: readonly { calls: readonly Implementation[]; work?: Work }[] = [
  { calls: [session, accounts, passwords, factors, devices, providers, realNames, deletion], work: sessionWork },
  { calls: [teams, teamsV2, members, membersV2, roles, rolesV2, invitations, invitationsV2], work: teamsWork },
  { calls: [scopes, scopesV2, transfer, transferV2, serviceProviders, serviceProvidersV2, testUsers, testUsersV2] },
  { calls: [visitors] },
  { calls: [permissionCheck, explanation, explanationV2, memberBulks] },
  { calls: [files, objectUploads, filesV2, filesCms, filesConsole, partUploads, fileTasks], work: filesWork },
  {
    calls: [
      projects,
      homeOfDgs,
      homeOfCpms,
      projectApi,
      projectApisOfDgs,
      projectApisOfCpms,
      projectConfigFiles,
      projectMembers,
      projectRegion,
      projectServices,
      projectSettings,
    ],
    work: projectsWork,
  },
  { calls: [agreements, consents, agreementDocuments, developerAgreements], work: agreementsWork },
  { calls: [notices], work: noticesWork },
  { calls: [webhooks], work: webhooksWork },
  { calls: [apps, appPlaces, appTransfer, appsDesk, nonAgApps, demoProject], work: appsWork },
  {
    calls: [packages, packageTasks, manyPackages, differences, wrappedPackages, packageClaims, claimDesk],
    work: packagesWork,
  },
  { calls: [phones, phoneDesk, trustDesk, madePackages, signChecks] },
  { calls: [signing], work: signingWork },
  {
    calls: [
      ...[betaGroups, betaGroupsV2, betaPeople, betaPeopleV2, betaInvitations, betaInvitationsV2],
      ...[betaFeedback, betaActivities, crowdTest, betaTester],
    ],
    work: betaWork,
  },
  { calls: [appCheck, detections, testTaskConfig], work: appCheckWork },
  { calls: [lifecycle, lifecycleDesk, lifecyclePhones], work: lifecycleWork },
  { calls: [atomicPackages, atomicTasks, atomicMany, atomicDifferences, atomicWrapped, atomicClaims, atomicPhones] },
  {
    calls: [
      versions,
      versionListings,
      versionShelf,
      versionHistory,
      versionBulks,
      versionDeclarations,
      versionPhased,
      versionRollback,
      versionTests,
    ],
    work: versionsWork,
  },
  { calls: [publishing] },
  {
    calls: [
      appViews,
      appViewsV2,
      versionViews,
      versionViewsV2,
      releaseViews,
      releaseViewsV2,
      testViews,
      testViewsV2,
      packageViews,
      packageViewsV2,
      serviceViews,
      serviceViewsV2,
      immersive,
      immersiveV2,
      immersiveDesk,
    ],
    work: distributionViewWork,
  },
  {
    calls: [
      reviewDesk,
      deskMoves,
      sensitiveApps,
      automaticPasses,
      reviewPolicies,
      reviewStatistics,
      submissions,
      appeals,
    ],
    work: reviewWork,
  },
  { calls: [series], work: seriesWork },
  { calls: [recordal, recordalDesk], work: recordalWork },
  { calls: [qualification, qualificationDesk, metadata, exempt], work: qualificationWork },
  {
    calls: [
      store,
      storeField,
      storeHealth,
      transparency,
      storeGroups,
      storeTests,
      fdroid,
      fdroidOfGroup,
      fdroidOfTests,
    ],
    work: storeWork,
  },
  {
    calls: [apiClients, userClients, clientKeys, clientGrants, debugCredentials, appOauth, tokens, asJson, wellKnown],
    work: apiClientsWork,
  },
  { calls: [regions] },
  { calls: [menu, announcements, billboard, menuOperations, pageConfiguration], work: menuWork },
  { calls: [collect], work: collectWork },
  { calls: [rules], work: rulesWork },
  { calls: [clues], work: cluesWork },
  { calls: [orchestration, processDesk], work: orchestrationWork },
  { calls: [gateway, developerService] },
  { calls: [developerSupport], work: developerSupportWork },
  {
    calls: [appAuthDevice, appAuthKeySet, authSettings, authHooks, appUserDesk, appUserImports],
    work: appAuthWork,
  },
  { calls: [debugging, cloudSwitches], work: debugWork },
  {
    calls: [cloudDb, cloudDbObjects, cloudDbTransfer, cloudDbSecurity, cloudDbGateway, cloudDbDevices, cloudDbLive],
    work: cloudDbWork,
  },
  {
    calls: [
      storage,
      storageOlder,
      storageFiles,
      storageFilesOlder,
      storageSecurity,
      storageHosting,
      storageHostingOlder,
      storageKeys,
      storageDevice,
      storageS3,
      storageTus,
      hostedSites,
    ],
    work: storageWork,
  },
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
