import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { headers } from '../../../kernel/wire.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import type { PackageType } from '../apps/rules.ts'
import { packages } from './contract.ts'
import { packageTasks } from './tasks/contract.ts'

const modules = fileURLToPath(new URL('../../../../node_modules/', import.meta.url))

/** Packages that other people built, from npm: two releases each of one app. */
export const realPackages = {
  /** One signer, which is the public test key: 225, then 278. */
  uiautomator9: `${modules}apk-uiautomator-9/apks/appium-uiautomator2-server-v9.0.0.apk`,
  uiautomator10: `${modules}apk-uiautomator-10/apks/appium-uiautomator2-server-v10.6.6.apk`,
  /** Two signers, debuggable: the second is no update of the first. */
  settings9: `${modules}apk-settings-9/apks/settings_apk-debug.apk`,
  settings10: `${modules}apk-settings-10/apks/settings_apk-debug.apk`,
}

let made = 0

/** A new app in a new project of the person's team, for Android unless said. */
export async function newApp(
  owner: Person,
  name = 'Sample app',
  packageType: PackageType = 'ANDROID',
): Promise<{ appId: string; projectId: string }> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: `${name} ${++made}` } })
  const body = { projectId, name, packageType, defaultLang: 'enUS', deviceTypes: [4] }
  const { appId } = await owner.ok(apps, 'createApp', { body })
  return { appId, projectId }
}

/** Sends bytes as the console does; returns the object's id. */
export async function uploadBytes(
  stage: Stage,
  person: Person,
  bytes: Buffer,
  fileName = 'sample.apk',
  bizTag = 'app_pkg',
): Promise<string> {
  const reply = await stage.app.inject({
    method: 'POST',
    url: `/cfs/file_service/v1/upload/object?${new URLSearchParams({ fileName, bizTag })}`,
    headers: {
      cookie: person.cookie,
      [headers.csrf]: person.csrfToken,
      [headers.team]: person.teamId,
      'content-type': 'application/octet-stream',
    },
    payload: bytes,
  })
  if (reply.statusCode !== 200) throw new Error(`upload answered ${reply.statusCode}: ${reply.body}`)
  return reply.json().urlsInfo[0].objectId
}

export interface Wanted {
  appId: string
  /** A path, or the bytes themselves. */
  file: string | Buffer
  fileName?: string
  usage?: 'TEST_ONLY' | 'TEST_AND_FORMAL'
}

/** Uploads a package and waits until it is processed. */
export async function processed(stage: Stage, person: Person, { appId, file, fileName, usage }: Wanted) {
  const bytes = typeof file === 'string' ? await readFile(file) : file
  const objectId = await uploadBytes(stage, person, bytes, fileName)
  const body = { appId, objectId, ...(usage ? { usage } : {}) }
  const { pkgId, taskId } = await person.ok(packages, 'createPackage', { body })
  // One wait is as long as a call may take; programs of Debian's on a busy machine need more.
  for (let asked = 0; asked < 5; asked++) {
    const { state } = await person.ok(packageTasks, 'getPackageTask', { query: { taskId, wait: 20 } })
    if (state !== 'queued' && state !== 'running') break
  }
  return person.ok(packages, 'getPackage', { query: { pkgId } })
}
