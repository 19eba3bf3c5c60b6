import path from 'node:path'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { newClient } from '../../ground/api-clients/clients.testkit.ts'
import { apps } from '../apps/contract.ts'
import { buildApk } from '../packages/apk/build-apk.testkit.ts'
import { reviewDesk } from '../review/desk/contract.ts'
import { draftVersion } from '../review/review.testkit.ts'
import { versions } from '../versions/contract.ts'
import { publishing } from './contract.ts'
import type { Tool } from './tools.testkit.ts'

export const packageName = 'com.example.courier'

/** A real signed package of that version, built by Android's own tools. */
export const builtApk = (folder: string, versionCode: number) =>
  buildApk(path.join(folder, `courier-${versionCode}.apk`), {
    package: packageName,
    versionCode,
    versionName: `${versionCode}.0`,
    targetSdk: 34,
  })

/** What a client needs that releases, and looks how it went. */
export const releasing = [
  'apps.read',
  'packages.read',
  'packages.upload',
  'versions.read',
  'versions.edit',
  'versions.submit',
]

export interface Scene {
  stage: Stage
  origin: string
  owner: Person
  reviewer: Person
  appId: string
  /** A client of the owner's team as a tool has it. */
  tool(permissions?: string[]): Promise<Tool>
  /** A reviewer takes the task of the app from the desk and decides. */
  decide(verdict: 'APPROVE' | 'REJECT', appId?: string): Promise<void>
  /** What `app-info` says. */
  info(appId?: string): Promise<Record<string, unknown> & { appInfo: { releaseState: number } }>
}

/** A server that listens, and an app whose page in the store is written; what the tools of the field take for granted. */
export async function openScene(outboundAllow: string[] = []): Promise<Scene> {
  const stage = await openStage({ zones: ['CN', 'DE'], outboundAllow })
  const owner = await stage.person()
  const reviewer = await stage.person({ staff: ['reviewer', 'seniorReviewer'] })
  const { appId } = await draftVersion(stage, owner, 'Automator', 'ANDROID')
  const { revision } = await owner.ok(apps, 'getApp', { query: { appId } })
  await owner.ok(apps, 'updatePackageName', { body: { appId, packageName, revision } })
  const origin = await stage.listen()
  return {
    stage,
    origin,
    owner,
    reviewer,
    appId,
    tool: async (permissions = releasing) => {
      const { clientId, secret } = await newClient(owner, { permissions })
      return { origin, clientId, clientSecret: secret }
    },
    decide: async (verdict, ofApp = appId) => {
      await stage.settle()
      const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: ofApp, state: 'QUEUED' } })
      const taskId = list[0]?.taskId
      if (taskId === undefined) throw new Error('the desk has no task')
      await reviewer.ok(reviewDesk, 'claimTask', { body: { taskId } })
      const issues = [{ policyId: '1.1', severity: 'MUST_FIX', text: 'It stops at the first screen.' }]
      await reviewer.ok(reviewDesk, 'submitTask', {
        body: { taskId, verdict, ...(verdict === 'REJECT' ? { issues: issues as never } : {}) },
      })
      await stage.settle()
    },
    info: async (ofApp = appId) => {
      const reply = await owner.call(publishing, 'getAppInfo', { query: { appId: ofApp } })
      return reply.body as never
    },
  }
}

/** Writes what is new, which every next version has to say. */
export async function sayWhatIsNew(owner: Person, appId: string, words: string): Promise<void> {
  const { open } = await owner.ok(versions, 'getVersion', { query: { appId } })
  if (!open) await owner.ok(versions, 'createVersion', { body: { appId } })
  await owner.ok(publishing, 'updateLanguageInfo', { query: { appId }, body: { lang: 'en-US', newFeatures: words } })
}
