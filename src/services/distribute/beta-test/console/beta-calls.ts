import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../apps/contract.ts'
import { betaActivities } from '../activities/contract.ts'
import { betaGroups } from '../contract.ts'
import { betaFeedback } from '../feedback/contract.ts'
import { betaInvitations } from '../invitations/contract.ts'
import { betaPeople } from '../people/contract.ts'

export const appsApi = client(apps)
export const groupsApi = client(betaGroups)
export const peopleApi = client(betaPeople)
export const invitationsApi = client(betaInvitations)
export const feedbackApi = client(betaFeedback)
export const activitiesApi = client(betaActivities)

export type GroupView = Answer<(typeof betaGroups.calls)['getGroup']>
export type UserView = Answer<(typeof betaPeople.calls)['listUsers']>['list'][number]
export type LinkView = Answer<(typeof betaInvitations.calls)['createLink']>
export type FeedbackView = Answer<(typeof betaFeedback.calls)['moveFeedback']>
export type ActivityView = Answer<(typeof betaActivities.calls)['getActivity']>
