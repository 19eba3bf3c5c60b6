import type { Answer, Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { languageKeyOf, languageTagOf } from '../../../kernel/field-words.ts'
import type { Ask } from '../../../server/asking.ts'
import { apps } from '../apps/contract.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import { publishing } from './contract.ts'

export type App = Answer<(typeof apps.calls)['getApp']>
export type Version = Answer<(typeof versions.calls)['createVersion']>
type Listing = Answer<(typeof versionListings.calls)['listListings']>['list'][number]

/** Where the versions of an app stand, and the app. Refuses 404. */
export async function appAndVersions(ask: Ask, appId: string) {
  // In this order: an app that nobody asked of before gets its first version, and tells of it.
  const found = await ask(versions, 'getVersion', { query: { appId } })
  return { app: await ask(apps, 'getApp', { query: { appId } }), found }
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

/** What the field calls the facts of an app. */
export function appFieldsOf(app: App) {
  return {
    defaultLang: languageTagOf(app.defaultLang),
    parentType: app.parentType,
    childType: app.childType,
    grandChildType: app.kindMainTag,
    appAdapters: app.deviceTypes.join(','),
    developerNameCn: app.developerNameCn,
    developerNameEn: app.developerNameEn,
    packageName: app.packageName,
  }
}

/** An app as the field shows it, with its state 0 to 13, what the reviewer said, and its languages or one of them. */
export async function appView(ask: Ask, appId: string, lang?: string) {
  const { app, found } = await appAndVersions(ask, appId)
  const { version, open, onShelf, phased } = found
  const listings = version
    ? (await ask(versionListings, 'listListings', { query: { versionId: version.versionId } })).list
    : []
  const wanted = lang === undefined ? undefined : languageKeyOf(lang)
  const view = {
    appInfo: {
      releaseState: found.releaseState,
      ...appFieldsOf(app),
      privacyPolicy: version?.privacyPolicyUrl,
      publishCountry: version?.countries.join(','),
      versionNumber: version?.versionName,
      versionCode: version?.versionCode,
      onShelfVersionNumber: onShelf?.versionName,
      onShelfVersionCode: onShelf?.versionCode,
      releaseTime: version?.onShelfTime,
    },
    auditInfo: { auditOpinion: version?.rejection?.note ?? '' },
    languages: listings.filter(one => wanted === undefined || one.lang === wanted).map(languageInfo),
    // Next to the one number, so that nobody has to decode it.
    open,
    onShelf,
    phased,
  }
  return { app, version, view }
}

function languageInfo({ lang, appName, appDesc, briefInfo, newFeatures }: Listing) {
  return { lang: languageTagOf(lang), appName, appDesc, briefInfo, newFeatures }
}

type AppFields = Omit<Input<(typeof apps.calls)['updateApp']>['body'], 'appId' | 'revision'>

/** Changes what stands in the app, then what stands in the version being prepared, which is opened where it must be. */
export async function changeApp(
  ask: Ask,
  app: App,
  wish: { app?: AppFields; privacyPolicy?: string; publishCountry?: string; revision?: number },
): Promise<void> {
  const { appId } = app
  if (Object.values(wish.app ?? {}).some(value => value !== undefined)) {
    await ask(apps, 'updateApp', { body: { appId, ...wish.app, revision: wish.revision ?? app.revision } })
  }
  const { privacyPolicy, publishCountry } = wish
  if (privacyPolicy === undefined && publishCountry === undefined) return
  const { versionId, revision } = await openVersion(ask, appId)
  await ask(versions, 'updateVersion', {
    body: {
      versionId,
      revision,
      privacyPolicyUrl: privacyPolicy?.trim(),
      countries: publishCountry?.split(',').map(one => one.trim()),
    },
  })
}

export interface LanguageTexts {
  appName?: string
  appDesc?: string
  briefInfo?: string
  newFeatures?: string
  iconObjectId?: string | null
}

/** Writes the listing of the version being prepared in one language; what is left out stays. */
export async function changeLanguage(ask: Ask, appId: string, lang: string, texts: LanguageTexts) {
  const { versionId, revision } = await openVersion(ask, appId)
  const { appName, appDesc, briefInfo, newFeatures, iconObjectId } = texts
  return ask(versionListings, 'updateListing', {
    body: {
      versionId,
      revision,
      lang: languageKeyOf(lang),
      // Tools send files as they are, with the line break at the end.
      appName: appName?.trim(),
      appDesc: appDesc?.trim(),
      briefInfo: briefInfo?.trim(),
      newFeatures: newFeatures?.trim(),
      iconObjectId,
    },
  })
}

/** Takes a language out of the version being prepared. */
export async function removeLanguage(ask: Ask, appId: string, lang: string) {
  const { versionId } = await openVersion(ask, appId)
  return ask(versionListings, 'deleteListing', { query: { versionId, lang: languageKeyOf(lang) } })
}
