import type { ShelfApp, ShelfVersion } from '../shelf.ts'
import type { Listing } from '../tables.home.ts'

/** What the index says of the repository itself. */
export interface RepositoryFacts {
  /** Clients fetch packages from here, wherever they got the index. */
  address: string
  name: string
  timestamp: number
}

/** The index of what is on shelf, in F-Droid's first format. Apps without anything installable are left out. */
export function indexV1(apps: readonly ShelfApp[], { address, name, timestamp }: RepositoryFacts): string {
  const listed = apps.filter(app => app.versions.length > 0)
  return JSON.stringify({
    repo: { timestamp, version: 20_002, name, address, description: `${name}: what its developers have on shelf` },
    requests: { install: [], uninstall: [] },
    apps: listed.map(appEntry),
    packages: Object.fromEntries(listed.map(app => [app.packageName, app.versions.map(packageEntry)])),
  })
}

function appEntry(app: ShelfApp) {
  const version = app.versions[0] as ShelfVersion
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

function packageEntry(version: ShelfVersion) {
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
function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
