import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { appeals } from '../appeals/contract.ts'
import { automaticPasses } from '../auto/contract.ts'
import { submissions } from '../contract.ts'
import { reviewDesk } from '../desk/contract.ts'
import { reviewPolicies } from '../policies/contract.ts'
import { deskMoves } from '../senior/contract.ts'
import { sensitiveApps } from '../sensitive/contract.ts'
import { reviewStatistics } from '../statistics/contract.ts'

export const desk = client(reviewDesk)
export const sensitive = client(sensitiveApps)
export const moves = client(deskMoves)
export const policyApi = client(reviewPolicies)
export const automatic = client(automaticPasses)
export const statisticsApi = client(reviewStatistics)
export const appealApi = client(appeals)
export const threads = client(submissions)
export const filesApi = client(files)

type DeskCalls = typeof reviewDesk.calls
export type TaskView = Answer<DeskCalls['claimTask']>
export type TaskDetail = Answer<DeskCalls['getTask']>
export type EvidenceView = TaskDetail['evidence']
export type DifferenceView = NonNullable<TaskDetail['difference']>
export type SubmissionView = Answer<(typeof submissions.calls)['getSubmission']>
export type ItemView = SubmissionView['items'][number]
export type MessageView = SubmissionView['messages'][number]
export type AttachmentView = MessageView['attachments'][number]
export type IssueView = MessageView['issues'][number]
export type RuleView = Answer<(typeof reviewPolicies.calls)['listPolicies']>['list'][number]
export type PolicyView = Pick<RuleView, 'policyId' | 'version' | 'titles' | 'texts'>
export type StatisticsView = Answer<(typeof reviewStatistics.calls)['getStatistics']>
