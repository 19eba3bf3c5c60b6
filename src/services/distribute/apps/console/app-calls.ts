import { client } from '../../../../console/client.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { files } from '../../../ground/files/contract.ts'
import { dgsDelegates, type Project, projects } from '../../../ground/projects/contract.ts'
import { submissions } from '../../review/contract.ts'
import { versionBulks } from '../../versions/bulk/contract.ts'
import { type App, apps } from '../contract.ts'

export const api = client(apps)
export const projectCalls = client(projects)
export const homeCalls = client(dgsDelegates)
export const bulkCalls = client(versionBulks)
export const submissionCalls = client(submissions)
export const fileCalls = client(files)

export type AppView = Static<typeof App>
export type ProjectView = Static<typeof Project>
