import type { Contract } from '../../../kernel/contract.ts'
import { systemContext } from '../../../server/context.ts'
import type { Person, Reply, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { projectServices } from '../../ground/projects/services/contract.ts'
import { apps } from '../apps/contract.ts'
import type { PackageType } from '../apps/rules.ts'
import { solidPng } from '../packages/apk/png.testkit.ts'
import { uploadBytes } from '../packages/packages.testkit.ts'
import { decideVersion } from '../versions/public.ts'
import { fillDraft, putPackage } from '../versions/versions.testkit.ts'
import { appViews, appViewsV2 } from './apps/contract.ts'
import { testViews, testViewsV2 } from './beta-tests/contract.ts'
import { immersive, immersiveV2 } from './immersive/contract.ts'
import { packageViews, packageViewsV2 } from './packages/contract.ts'
import { releaseViews, releaseViewsV2 } from './releases/contract.ts'
import { serviceViews, serviceViewsV2 } from './services/contract.ts'
import { versionViews, versionViewsV2 } from './versions/contract.ts'

/** Every part of the older face, in both generations. */
export const parts = {
  apps: [appViews, appViewsV2],
  versions: [versionViews, versionViewsV2],
  releases: [releaseViews, releaseViewsV2],
  tests: [testViews, testViewsV2],
  packages: [packageViews, packageViewsV2],
  services: [serviceViews, serviceViewsV2],
  immersive: [immersive, immersiveV2],
} as const
type Part = keyof typeof parts

/** What one call answered, to whom it belongs and to who has no business there. */
export interface Told {
  status: number
  body: Record<string, unknown>
  stranger: { status: number; text: string }
  powerless: { status: number; code: number }
}

interface Asked {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

/** What the parts read of answers to go on. */
interface Said {
  appId: string
  versionId: string
  pkgVersion: string
  revision: number
  app: { revision: number }
  version: { versionId: string }
  pkg: { revision: number }
}

/** Calls by name, the last answer of each. */
export type Life = Map<string, Told>

export interface People {
  stage: Stage
  owner: Person
  /** Leads another team. */
  stranger: Person
  /** Of the owner's team, without a right. */
  powerless: Person
}

/**
 * Everything that can be told through the older face, told through one generation of it: an app is made, released to a
 * share, to all, taken back and taken off. Before each call of the owner's the others make it.
 */
export async function live(people: People, generation: 0 | 1): Promise<Life> {
  const { stage, owner, stranger, powerless } = people
  const life: Life = new Map()
  const at = (part: Part) => parts[part][generation] as unknown as Contract
  const send = (who: Person, part: Part, name: string, input: Asked) =>
    who.call(at(part), name, input as never) as unknown as Promise<Reply<Record<string, unknown>>>
  const say = async (part: Part, name: string, input: Asked): Promise<Said> => {
    const refused = await send(powerless, part, name, input)
    const foreign = await send(stranger, part, name, input)
    const reply = await send(owner, part, name, input)
    life.set(`${part} ${name}`, {
      status: reply.status,
      body: reply.body,
      stranger: { status: foreign.status, text: foreign.text },
      powerless: { status: refused.status, code: refused.body.ret.code },
    })
    if (reply.status !== 200) throw new Error(`${part} ${name} answered ${reply.status}: ${reply.text}`)
    return reply.body as unknown as Said
  }
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Lantern' } })
  const appOf = async (packageType: PackageType) => {
    const body = { projectId, name: `Lantern ${packageType}`, packageType, defaultLang: 'enUS', deviceTypes: [4] }
    return (await owner.ok(apps, 'createApp', { body })).appId
  }
  await tellApp()
  await tellServices()
  await tellPackages()
  const appId = await tellRelease()
  await tellTests(appId)
  await tellPicture(appId)
  return life

  async function newApp(appName: string): Promise<string> {
    const texts = { appName, defaultLang: 'en-US', appAdapters: '4', grandChildType: 10101 }
    const body = { projectId, packageType: 'ANDROID', ...texts }
    return (await say('apps', 'createApp', { body })).appId
  }

  async function tellApp() {
    const made = await newApp('Lantern for now')
    const params = { appId: made }
    const { app } = await say('apps', 'getApp', { params })
    const fields = { developerNameEn: 'Lamp works', privacyPolicy: 'https://example.org/p', publishCountry: 'DE,CN' }
    await say('apps', 'updateApp', { params, body: { ...fields, revision: app.revision } })
    const texts = { appName: 'Laterne', briefInfo: 'Kurz', appDesc: 'Lang' }
    await say('apps', 'updateLanguage', { params: { ...params, language: 'de-DE' }, body: texts })
    await say('apps', 'deleteLanguage', { params: { ...params, language: 'de-DE' } })
    await say('apps', 'listAppInfo', { query: { search: made } })
    await say('apps', 'makeTempUrl', { body: { fileName: 'shot.png', size: 1000 } })
    await say('apps', 'deleteApp', { params })
  }

  async function tellServices() {
    const which = { appId: await appOf('WEB') }
    const terms = { projectId, agreementId: 'service-terms', version: 1 }
    await owner.ok(projectServices, 'signAgreement', { body: terms })
    const serviceId = 'remote-config'
    await say('services', 'listServices', { query: which })
    await say('services', 'addService', { body: { ...which, serviceId } })
    const { revision } = await say('services', 'getService', { query: { ...which, serviceId } })
    const config = { fetchIntervalMinutes: 60 }
    await say('services', 'updateService', { body: { ...which, serviceId, config, revision } })
    await say('services', 'getAppServices', { query: which })
    await say('services', 'listRegionNames', {})
    await say('services', 'removeService', { query: { ...which, serviceId } })
    await say('services', 'getApiService', { query: which })
    await say('services', 'setApiService', { body: { ...which, apis: [{ apiId: 'reports', isEnabled: true }] } })
    await say('services', 'setAlliance', { body: { ...which, allianceName: 'Open stores', contact: 'a@example.org' } })
    await say('services', 'cutOver', { body: which })
    await say('services', 'getAlliance', { query: which })
  }

  async function tellPackages() {
    const android = await appOf('ANDROID')
    const kinds: [of: string, appId: string, fileName: string][] = [
      ['Exe', await appOf('PC_EXE'), 'lantern.exe'],
      ['Apk', android, 'lantern.apk'],
      ['Rpk', await appOf('QUICK_APP'), 'lantern.rpk'],
      ['Obb', android, 'main.1.org.lantern.obb'],
      ['Pkg', await appOf('HARMONY'), 'lantern.hap'],
      ['Wpk', await appOf('WEB'), 'lantern.wpk'],
    ]
    for (const [of, ofApp, fileName] of kinds) {
      const objectId = await uploadBytes(stage, owner, Buffer.from(`PK ${fileName}`), fileName)
      const { pkgVersion: pkgId } = await say('packages', `add${of}`, { body: { appId: ofApp, objectId } })
      await stage.settle()
      await say('packages', `list${of}s`, { query: { appId: ofApp } })
      await (of === 'Exe' || of === 'Apk' ? tellOne(of, pkgId) : say('packages', `remove${of}`, { query: { pkgId } }))
    }
    const body = { projectId, appName: 'Lantern soon', defaultLang: 'en-US', appAdapters: '4' }
    const { appId: soon } = await say('packages', 'addNoApk', { body })
    await say('packages', 'removeNoApk', { query: { appId: soon } })
  }

  async function tellOne(of: 'Exe' | 'Apk', pkgId: string) {
    const params = of === 'Exe' ? { exeId: pkgId } : { pkgVersion: pkgId }
    const { pkg } = await say('packages', `get${of}`, { params })
    await say('packages', `update${of}`, { params, body: { remark: 'For the shop', revision: pkg.revision } })
    if (of === 'Apk') {
      await say('packages', 'compile', { body: { pkgId } })
      await stage.settle()
      await say('packages', 'getCompile', { query: { pkgId } })
    }
    await say('packages', `remove${of}`, { params })
  }

  async function tellRelease() {
    const ofApp = await newApp(`Lantern of ${owner.loginName}`)
    const which = { appId: ofApp }
    await fillDraft(stage, owner, ofApp, 10)
    const { version } = await say('releases', 'submitAudit', { body: which })
    await stage.settle()
    await say('releases', 'cancelAudit', { body: which })
    await say('releases', 'submitAudit', { body: which })
    await stage.settle()
    await stage.sql('CN', 'UPDATE versions SET review_due_at = 1 WHERE version_id = $1', [version.versionId])
    await say('releases', 'urgeAudit', { body: { ...which, reason: 'It has been long' } })
    await approve(version.versionId)
    const next = await fillDraft(stage, owner, ofApp, 20)
    const plan = { releasePhase: 3, phased: { kind: 'PERCENT', percent: '5.00' } }
    await say('releases', 'submitAudit', { body: { ...which, ...plan } })
    await stage.settle()
    await approve(next.versionId)
    await say('releases', 'updatePhased', { body: { ...which, phasedReleasePercent: 20 } })
    await say('releases', 'getPhased', { query: which })
    await say('versions', 'listVersions', { query: which })
    await say('versions', 'listHistory', { query: which })
    await say('versions', 'getHistory', { params: { versionId: version.versionId } })
    await say('releases', 'rollBack', { body: { ...which, mode: 'STOP', reason: 'It burns too bright' } })
    await say('releases', 'shelfOff', { body: { ...which, reason: 'The season is over' } })
    return ofApp
  }

  async function approve(versionId: string) {
    const system = systemContext(stage.booted.server, 'CN', { name: 'review' })
    await system.transact(ctx => decideVersion(ctx, { versionId, verdict: 'approve' }))
    await stage.settle()
  }

  async function tellTests(ofApp: string) {
    const pkgId = await putPackage(stage, owner, { appId: ofApp, versionCode: 30 })
    const body = { appId: ofApp, pkgId, testDesc: 'Look at the light' }
    const { versionId } = await say('tests', 'createTest', { body })
    const endAt = stage.clock.now() + 86_400_000
    await say('tests', 'listTests', { query: { appId: ofApp } })
    await say('tests', 'updateTest', { body: { versionId, action: 'RELEASE', testType: 4, endAt } })
    await say('tests', 'updateTest', { body: { versionId, action: 'STOP' } })
    await say('tests', 'deleteTest', { query: { versionId } })
  }

  async function tellPicture(ofApp: string) {
    const objectId = await uploadBytes(stage, owner, await solidPng(1440), 'hero.png', 'app_img')
    await say('immersive', 'getColours', { body: { objectId } })
    await say('immersive', 'setImmersive', { body: { appId: ofApp, objectId } })
    await say('immersive', 'submitImmersive', { body: { appId: ofApp } })
    await say('immersive', 'getImmersive', { query: { appId: ofApp } })
  }
}

/** An answer without what is of one time and one thing: ids, instants, addresses, digests, names of files and people. */
export function compared(value: unknown): unknown {
  if (typeof value === 'string') return comparedText(value)
  if (typeof value === 'number') return value > 1_000_000_000_000 ? '<instant>' : value
  if (Array.isArray(value)) return value.map(compared)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, compared(one)]))
}

function comparedText(text: string): string {
  if (/^[1-9][0-9]{14,18}$/.test(text)) return '<id>'
  return text
    .replace(/HMAC-SHA256 \S+/g, 'HMAC-SHA256 <signature>')
    .replace(/^p[0-9a-f]{12}$/, '<person>')
    .replace(/https?:\/\/localhost\S+/g, '<address>')
    .replace(/[a-z]{2}\/\d{10}\/[0-9a-f-]{36}\.[a-z0-9]+/g, '<object>')
    .replace(/\b[0-9a-f]{64}\b/g, '<digest>')
    .replace(/Lantern of \S+/g, '<name>')
}
