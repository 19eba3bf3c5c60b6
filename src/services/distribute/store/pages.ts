import type { Answer, Input } from '../../../kernel/contract.ts'
import type { store } from './contract.ts'
import { chooseLocale } from './rules.ts'
import type { Shelf } from './shelf.ts'
import type { ShelfVersion } from './shelf-version.ts'
import type { MediaRef } from './tables.home.ts'

type Calls = typeof store.calls
type List = Answer<Calls['listApps']>
type Page = Answer<Calls['getApp']>

/** What a list shows of an app, in the language asked for. */
export function faceOf(publicUrl: string, version: ShelfVersion, lang: string | undefined): List['list'][number] {
  const locale = chooseLocale(version.locales, lang, version.defaultLocale)
  const listing = version.listings[locale]
  return {
    appId: version.appId,
    packageName: version.packageName,
    lang: locale,
    name: listing?.name ?? version.packageName,
    brief: listing?.brief ?? '',
    developerName: version.developerName,
    iconUrl: listing?.icon ? mediaUrl(publicUrl, listing.icon) : null,
    category: version.category,
    versionCode: version.versionCode,
    versionName: version.versionName,
    sizeBytes: version.sizeBytes,
    updatedAt: version.onShelfAt,
  }
}

/** The rest of an app's page. */
export function pageOf(publicUrl: string, versions: readonly ShelfVersion[], lang: string | undefined) {
  const [newest] = versions as [ShelfVersion]
  const listing = newest.listings[chooseLocale(newest.locales, lang, newest.defaultLocale)]
  return {
    description: listing?.description ?? '',
    releaseNotes: listing?.releaseNotes ?? '',
    screenshotUrls: (listing?.screenshots ?? []).map(one => mediaUrl(publicUrl, one)),
    film: listing?.film
      ? {
          url: mediaUrl(publicUrl, listing.film),
          coverUrl: listing.filmCover ? mediaUrl(publicUrl, listing.filmCover) : null,
        }
      : null,
    hero: newest.hero && {
      pictureUrl: mediaUrl(publicUrl, newest.hero),
      dominantColor: newest.hero.dominantColor,
      textColor: newest.hero.textColor,
    },
    languages: [...newest.locales],
    downloadUrl: newest.url,
    versions: versions.map(version => versionOf(version, lang)),
  }
}

/** With which editions an app is one product. */
export function seriesOf(
  publicUrl: string,
  shelf: Shelf,
  version: ShelfVersion,
  { lang, country }: Input<Calls['getApp']>['query'],
): Page['series'] {
  if (!version.series) return null
  const editions = shelf.editions.of(version).map(one => {
    const { name, iconUrl } = faceOf(publicUrl, one, lang)
    const { packageType = '', deviceTypes = [], role = 'SUB' } = one.series ?? {}
    return { packageName: one.packageName, packageType, deviceTypes, name, iconUrl, isMain: role === 'MAIN' }
  })
  const replacedBy = shelf.editions.replacementOf(version, country)?.packageName ?? null
  return editions.length < 2 ? null : { name: version.series.name, editions, replacedBy }
}

function versionOf(version: ShelfVersion, lang: string | undefined): Page['versions'][number] {
  const locale = chooseLocale(version.locales, lang, version.defaultLocale)
  return {
    versionId: version.versionId,
    versionCode: version.versionCode,
    versionName: version.versionName,
    releaseNotes: version.listings[locale]?.releaseNotes ?? '',
    sizeBytes: version.sizeBytes,
    sha256: version.sha256,
    downloadUrl: version.url,
    minSdk: version.minSdk,
    targetSdk: version.targetSdk,
    abis: [...version.abis],
    permissions: version.permissions,
    signers: [...version.signers],
    countries: [...version.countries],
    onShelfAt: version.onShelfAt,
  }
}

/** A page of the apps on shelf, the newest first. The cursor names the last one seen, so nothing is seen twice. */
export function searchShelf(
  publicUrl: string,
  shelf: Shelf,
  query: Input<Calls['listApps']>['query'],
  shownAs: (version: ShelfVersion) => ShelfVersion,
): List {
  const wanted = query.search?.trim().toLowerCase() ?? ''
  const found: ShelfVersion[] = []
  for (const app of shelf.apps()) {
    const version = app.versions.find(
      one => !query.country || one.countries.length === 0 || one.countries.includes(query.country),
    )
    if (!version || !app.haystack.includes(wanted)) continue
    if (!isListed(shelf, version, query.country, wanted)) continue
    if (query.category !== undefined && version.category !== query.category) continue
    found.push(version)
  }
  found.sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  const after = readCursor(query.cursor)
  const rest = after ? found.filter(version => comparePlaces(placeOf(version), after) > 0) : found
  const list = rest.slice(0, query.pageSize ?? 20)
  const last = list.at(-1)
  return {
    total: found.length,
    list: list.map(version => faceOf(publicUrl, shownAs(version), query.lang)),
    nextCursor: last && rest.length > list.length ? placeOf(last).join('.') : null,
  }
}

/** Of a product with editions a list shows one; who searches sees each that is shown where he is. */
function isListed({ editions }: Shelf, version: ShelfVersion, country: string | undefined, wanted: string): boolean {
  if (!version.series) return true
  return wanted === '' ? editions.isFirst(version, country) : editions.replacementOf(version, country) === null
}

type Place = [onShelfAt: number, versionId: string]

const placeOf = (version: ShelfVersion): Place => [version.onShelfAt, version.versionId]

function comparePlaces([atOne, idOne]: Place, [atOther, idOther]: Place): number {
  return atOther - atOne || idOther.length - idOne.length || (idOne < idOther ? 1 : idOne > idOther ? -1 : 0)
}

function readCursor(cursor: string | undefined): Place | null {
  const found = /^(\d{1,15})\.(\d{1,19})$/.exec(cursor ?? '')
  return found ? [Number(found[1]), found[2] as string] : null
}

function mediaUrl(publicUrl: string, ref: MediaRef): string {
  return `${publicUrl}/store/media/${ref.name}`
}
