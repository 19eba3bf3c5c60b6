import { packages } from '../services/distribute/packages/contract.ts'
import { newApp, uploadBytes } from '../services/distribute/packages/packages.testkit.ts'
import { versions } from '../services/distribute/versions/contract.ts'
import type { Person, Stage } from './stage.ts'

/** The names under which calls take ids of a team's things. */
export const idNames = [
  'accountId',
  'projectId',
  'appId',
  'objectId',
  'objectIds',
  'pkgId',
  'otherPkgId',
  'versionId',
  'taskId',
]

/** One of everything in the team of `owner`, made through the calls themselves. */
export async function idsOf(stage: Stage, owner: Person): Promise<Record<string, unknown>> {
  const { appId, projectId } = await newApp(owner)
  const objectId = await uploadBytes(stage, owner, Buffer.from('PK no real package'))
  const spare = await uploadBytes(stage, owner, Buffer.from('PK another'))
  const { pkgId, taskId } = await owner.ok(packages, 'createPackage', { body: { appId, objectId } })
  await stage.settle()
  const { versionId } = await owner.ok(versions, 'createVersion', { body: { appId } })
  return {
    accountId: owner.accountId,
    projectId,
    appId,
    objectId: spare,
    objectIds: [spare],
    pkgId,
    otherPkgId: pkgId,
    versionId,
    taskId,
  }
}
