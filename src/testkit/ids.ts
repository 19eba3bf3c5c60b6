import type { Person, Stage } from './stage.ts'

/** The names under which calls take ids of a team's things. */
export const idNames = [
  'accountId',
  'projectId',
  'appId',
  'objectId',
  'objectIds',
  'pkgId',
  'versionId',
  'submissionId',
  'taskId',
]

/** One of everything in the team of `owner`, made through the calls themselves. */
export async function idsOf(_stage: Stage, owner: Person): Promise<Record<string, unknown>> {
  return { accountId: owner.accountId }
}
