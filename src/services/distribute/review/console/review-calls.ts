import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { submissions } from '../contract.ts'
import { reviewDesk } from '../desk/contract.ts'
import { sensitiveApps } from '../sensitive/contract.ts'

export const desk = client(reviewDesk)
export const sensitive = client(sensitiveApps)
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
export type PolicyView = Answer<DeskCalls['listPolicies']>['list'][number]
