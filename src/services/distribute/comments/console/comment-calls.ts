import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../apps/contract.ts'
import { comments } from '../contract.ts'
import { commentDesk } from '../desk/contract.ts'

export const api = client(comments)
export const desk = client(commentDesk)
export const appsApi = client(apps)

export type CommentView = Answer<typeof comments.calls.queryComments>['list'][number]
export type ReplyView = NonNullable<CommentView['reply']>
export type StatsView = Answer<typeof comments.calls.getCommentStats>
export type ReportView = Answer<typeof commentDesk.calls.listReports>['list'][number]
