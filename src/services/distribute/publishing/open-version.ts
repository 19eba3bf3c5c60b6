import type { Answer } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { apps } from '../apps/contract.ts'
import { versions } from '../versions/contract.ts'
import type { Ask } from './asking.ts'
import { publishing } from './contract.ts'

export type Version = Answer<(typeof versions.calls)['createVersion']>

/** The app, whose being there is decided before anything else, and where its versions stand. */
export async function appAndVersions(ask: Ask, appId: string) {
  const app = await ask(apps, 'getApp', { query: { appId } })
  return { app, found: await ask(versions, 'getVersion', { query: { appId } }) }
}

/** The version being prepared; the next one is opened where there is none, for tools know of no such step. */
export async function openVersion(ask: Ask, appId: string): Promise<Version> {
  const { found } = await appAndVersions(ask, appId)
  if (found.open && found.version) return found.version
  return ask(versions, 'createVersion', { body: { appId } })
}

/** The version being prepared or with the store. Refuses when there is none. */
export async function versionUnderWay(ask: Ask, appId: string): Promise<Version> {
  const { found } = await appAndVersions(ask, appId)
  if (found.open && found.version) return found.version
  return refuse(publishing.errors.noVersion, { releaseState: found.releaseState })
}

/** The version that goes to a share of devices now or is to. Refuses when there is none. */
export async function phasedVersionId(ask: Ask, appId: string): Promise<string> {
  const { found } = await appAndVersions(ask, appId)
  const versionId = found.phased?.versionId ?? found.open?.versionId
  return versionId ?? refuse(publishing.errors.noVersion, { releaseState: found.releaseState })
}
