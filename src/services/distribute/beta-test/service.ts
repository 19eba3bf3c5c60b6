import type { Service } from '../../../server/service.ts'
import crowdTest from './activities/crowd-handlers.ts'
import betaActivities from './activities/handlers.ts'
import betaFeedback from './feedback/handlers.ts'
import betaGroups, { secondGeneration as betaGroupsV2 } from './handlers.ts'
import betaInvitations, { secondGeneration as betaInvitationsV2 } from './invitations/handlers.ts'
import betaWork from './jobs.ts'
import betaPeople, { secondGeneration as betaPeopleV2 } from './people/handlers.ts'
import betaTester from './tester/handlers.ts'

export default {
  calls: [
    betaGroups,
    betaGroupsV2,
    betaPeople,
    betaPeopleV2,
    betaInvitations,
    betaInvitationsV2,
    betaFeedback,
    betaActivities,
    crowdTest,
    betaTester,
  ],
  work: betaWork,
} satisfies Service
