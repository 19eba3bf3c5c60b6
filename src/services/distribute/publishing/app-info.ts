import type { Answer, Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { apps } from '../apps/contract.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import type { Ask } from './asking.ts'
import { publishing } from './contract.ts'
import { appAndVersions, openVersion } from './open-version.ts'
import { languageKeyOf, languageTagOf, limits } from './rules.ts'

type Calls = (typeof publishing)['calls']
type Listing = Answer<(typeof versionListings.calls)['listListings']>['list'][number]

export async function appIds(ask: Ask, { query }: Input<Calls['listAppIds']>) {
  const names = [...new Set(query.packageName.split(',').map(one => one.trim()))].slice(0, limits.appsAtOnce)
  const appids = []
  for (const name of names) {
    const { list } = await ask(apps, 'listApps', { query: { search: name, pageSize: 100 } })
    appids.push(...list.filter(app => app.packageName === name).map(app => ({ key: app.name, value: app.appId })))
  }
  return { appids }
}

export async function appInfo(ask: Ask, { query }: Input<Calls['getAppInfo']>) {
  const { app, found } = await appAndVersions(ask, query.appId)
  const { version, open, onShelf, phased } = found
  const listings = version
    ? (await ask(versionListings, 'listListings', { query: { versionId: version.versionId } })).list
    : []
  const wanted = query.lang === undefined ? undefined : languageKeyOf(query.lang)
  return {
    appInfo: {
      releaseState: found.releaseState,
      defaultLang: languageTagOf(app.defaultLang),
      parentType: app.parentType,
      childType: app.childType,
      grandChildType: app.kindMainTag,
      appAdapters: app.deviceTypes.join(','),
      developerNameCn: app.developerNameCn,
      developerNameEn: app.developerNameEn,
      packageName: app.packageName,
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
}

function languageInfo({ lang, appName, appDesc, briefInfo, newFeatures }: Listing) {
  return { lang: languageTagOf(lang), appName, appDesc, briefInfo, newFeatures }
}

const changeable = ['defaultLang', 'privacyPolicy', 'publishCountry']

export async function changeAppInfo(ask: Ask, { query, body }: Input<Calls['updateAppInfo']>) {
  const { app } = await appAndVersions(ask, query.appId)
  const { appId } = app
  const others = Object.keys(body).filter(field => !changeable.includes(field))
  if (others.length > 0) refuse(publishing.errors.fieldNotTaken, { fields: others })
  const { defaultLang, privacyPolicy, publishCountry } = body
  if (defaultLang !== undefined) {
    await ask(apps, 'updateApp', {
      body: { appId, defaultLang: languageKeyOf(defaultLang), revision: app.revision } as never,
    })
  }
  if (privacyPolicy === undefined && publishCountry === undefined) return {}
  const { versionId, revision } = await openVersion(ask, appId)
  await ask(versions, 'updateVersion', {
    body: {
      versionId,
      revision,
      ...(privacyPolicy === undefined ? {} : { privacyPolicyUrl: privacyPolicy.trim() }),
      ...(publishCountry === undefined ? {} : { countries: publishCountry.split(',').map(one => one.trim()) }),
    },
  })
  return {}
}

export async function changeLanguage(ask: Ask, { query, body }: Input<Calls['updateLanguageInfo']>) {
  const { versionId, revision } = await openVersion(ask, query.appId)
  const { lang, appName, appDesc, briefInfo, newFeatures } = body
  const texts = Object.entries({ appName, appDesc, briefInfo, newFeatures }).flatMap(([field, written]) =>
    // Tools send files as they are, with the line break at the end.
    written === undefined ? [] : [[field, written.trim()]],
  )
  await ask(versionListings, 'updateListing', {
    body: { versionId, revision, lang: languageKeyOf(lang), ...Object.fromEntries(texts) },
  })
  return {}
}

export async function removeLanguage(ask: Ask, { query }: Input<Calls['deleteLanguageInfo']>) {
  const { versionId } = await openVersion(ask, query.appId)
  await ask(versionListings, 'deleteListing', { query: { versionId, lang: languageKeyOf(query.lang) } })
  return {}
}
