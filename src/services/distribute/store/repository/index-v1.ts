import type { ShelfVersion } from '../shelf-version.ts'
import type { Listing } from '../tables.home.ts'

/** What the index says of the repository itself. */
export interface RepositoryFacts {
  /** Clients fetch packages from here, wherever they got the index. */
  address: string
  name: string
  timestamp: number
}

/** An app as an index lists it; the version with the highest code comes first. */
export interface IndexedApp {
  packageName: string
  versions: readonly IndexedVersion[]
}
export type IndexedVersion = Omit<ShelfVersion, 'url' | 'parts' | 'locales' | 'answers'>

/** The index in F-Droid's first format, in pieces: its beginning, what separates apps from packages, its end. */
export function frameV1({ address, name, timestamp }: RepositoryFacts): [head: string, middle: string, tail: string] {
  const repo = { timestamp, version: 20_002, name, address, description: `${name}: what its developers have on shelf` }
  const requests = { install: [], uninstall: [] }
  return [`{"repo":${JSON.stringify(repo)},"requests":${JSON.stringify(requests)},"apps":[`, '],"packages":{', '}}']
}

/** One app in both halves of the index. */
export function piecesV1(app: IndexedApp): { app: string; packages: string } {
  const packages = app.versions.map(packageEntry)
  return {
    app: JSON.stringify(appEntry(app)),
    packages: `${JSON.stringify(app.packageName)}:${JSON.stringify(packages)}`,
  }
}

/** The whole index, for a repository of few apps. */
export function indexV1(apps: readonly IndexedApp[], facts: RepositoryFacts): string {
  const [head, middle, tail] = frameV1(facts)
  const pieces = apps.map(piecesV1)
  return head + pieces.map(one => one.app).join(',') + middle + pieces.map(one => one.packages).join(',') + tail
}

function appEntry(app: IndexedApp) {
  const version = app.versions[0] as IndexedVersion
  const listing = version.listings[version.defaultLocale]
  const times = app.versions.map(one => one.onShelfAt)
  return {
    packageName: app.packageName,
    // Without it clients show 2147483647.
    suggestedVersionCode: version.versionCode,
    suggestedVersionName: version.versionName,
    categories: [version.isGame ? 'Games' : 'Apps'],
    license: 'Unknown',
    ...(version.developerName ? { authorName: version.developerName } : {}),
    name: listing?.name ?? app.packageName,
    summary: listing?.brief ?? '',
    description: asHtml(listing?.description ?? ''),
    ...(listing?.icon ? { icon: listing.icon.name } : {}),
    added: Math.min(...times),
    lastUpdated: Math.max(...times),
    localized: Object.fromEntries(
      Object.entries(version.listings).map(([locale, one]) => [locale, localizedEntry(one)]),
    ),
  }
}

function localizedEntry(listing: Listing) {
  return {
    name: listing.name,
    summary: listing.brief,
    description: asHtml(listing.description),
    whatsNew: listing.releaseNotes,
    ...(listing.icon ? { icon: listing.icon.name } : {}),
    ...(listing.screenshots.length > 0 ? { phoneScreenshots: listing.screenshots.map(one => one.name) } : {}),
  }
}

function packageEntry(version: IndexedVersion) {
  return {
    packageName: version.packageName,
    versionCode: Number(version.versionCode),
    versionName: version.versionName,
    apkName: version.apkName,
    hash: version.sha256,
    hashType: 'sha256',
    size: version.sizeBytes,
    ...(version.minSdk === null ? {} : { minSdkVersion: version.minSdk }),
    ...(version.targetSdk === null ? {} : { targetSdkVersion: version.targetSdk }),
    ...(version.signers[0] ? { signer: version.signers[0] } : {}),
    ...(version.legacySignature ? { sig: version.legacySignature } : {}),
    'uses-permission': version.permissions.map(one => [one.name, one.maxSdk]),
    ...(version.abis.length > 0 ? { nativecode: version.abis } : {}),
    added: version.onShelfAt,
  }
}

/** Clients read descriptions as HTML; ours are plain text. */
export function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
