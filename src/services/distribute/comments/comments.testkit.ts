import { randomBytes } from 'node:crypto'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import { store } from '../store/contract.ts'
import { putOnShelf } from '../store/shelf.testkit.ts'
import { deviceComments } from './devices/contract.ts'

/** An app of a person with a version on the shelf. */
export async function shelvedApp(stage: Stage, owner: Person) {
  const { projectId } = await owner.ok(projects, 'createProject', {
    body: { name: `Notes ${randomBytes(4).toString('hex')}` },
  })
  const { appId } = await owner.ok(apps, 'createApp', {
    body: { projectId, name: 'Notes', packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4] },
  })
  const packageName = `com.example.t${randomBytes(5).toString('hex')}`
  const one = await putOnShelf(stage, { packageName, versionCode: '7', appId, teamId: owner.teamId })
  await stage.heard('home')
  return { ...one, projectId }
}

export type Shelved = Awaited<ReturnType<typeof shelvedApp>>

export const newDevice = () => ({
  deviceId: `device-${randomBytes(6).toString('hex')}`,
  deviceSecret: randomBytes(24).toString('base64url'),
})
export type Device = ReturnType<typeof newDevice>

/** A device that reported that it installed the app. */
export async function installed(stage: Stage, { versionId }: Shelved, device = newDevice()): Promise<Device> {
  const body = { deviceId: device.deviceId, events: [{ type: 'install_ok' as const, versionId }] }
  await stage.anybody.ok(store, 'reportEvents', { body })
  return device
}

export interface Said {
  stars?: number
  title?: string
  text?: string
  nickname?: string
  language?: string
  country?: string
  revision?: number
}

export function write(stage: Stage, { packageName }: Shelved, device: Device, said: Said = {}) {
  const { stars = 5, text = 'It does what it says.', ...more } = said
  const body = { ...device, stars, text, ...more }
  return stage.anybody.call(deviceComments, 'writeComment', { params: { packageName }, body })
}

/** The comment of a new device that has the app. */
export async function said(stage: Stage, app: Shelved, what: Said = {}) {
  const device = await installed(stage, app)
  const { status, body } = await write(stage, app, device, what)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { ...body, device }
}
