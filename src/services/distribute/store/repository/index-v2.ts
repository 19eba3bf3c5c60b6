import type { Listing, MediaRef } from '../tables.home.ts'
import { asHtml, type IndexedApp, type IndexedVersion, type RepositoryFacts } from './index-v1.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type JsonObject = { [name: string]: Json }

/** What an entry says of a file. */
export interface FileEntry {
  name: string
  sha256: string
  size: number
}

/** What the second format says of the repository itself. */
export function repoV2({ address, name, timestamp }: RepositoryFacts): JsonObject {
  return {
    name: { 'en-US': name, 'zh-CN': name, 'ru-RU': name },
    description: {
      'en-US': `${name}: what its developers have on shelf`,
      'zh-CN': `${name}：开发者已上架的应用`,
      'ru-RU': `${name}: что выложили разработчики`,
    },
    address,
    timestamp,
    categories: {
      Apps: { name: { 'en-US': 'Apps', 'zh-CN': '应用', 'ru-RU': 'Приложения' } },
      Games: { name: { 'en-US': 'Games', 'zh-CN': '游戏', 'ru-RU': 'Игры' } },
    },
  }
}

/**
 * The lines of an index: the repository, then one line a package in the order of their names, then the end. Two indexes
 * can so be compared line by line without either being in memory.
 */
export function headLineV2(facts: RepositoryFacts): string {
  return `{"repo":${JSON.stringify(repoV2(facts))},"packages":{`
}
export const tailLineV2 = '}}'

export function packageLineV2(app: IndexedApp): string {
  return `${JSON.stringify(app.packageName)}:${JSON.stringify(packageV2(app))}`
}

/** The whole index, for a repository of few apps. */
export function indexV2(apps: readonly IndexedApp[], facts: RepositoryFacts): string {
  return `${headLineV2(facts)}\n${apps.map(packageLineV2).join(',\n')}\n${tailLineV2}`
}

/** What is signed: where the index is, and what changed since earlier ones. */
export function entryOf(
  timestamp: number,
  index: FileEntry & { numPackages: number },
  diffs: Record<string, FileEntry & { numPackages: number }>,
): string {
  return JSON.stringify({ timestamp, version: 20_002, index, diffs })
}

function packageV2(app: IndexedApp): JsonObject {
  const version = app.versions[0] as IndexedVersion
  const times = app.versions.map(one => one.onShelfAt)
  const listings = Object.entries(version.listings)
  const words = (word: (listing: Listing) => string) =>
    Object.fromEntries(listings.map(([locale, one]) => [locale, word(one)]).filter(([, text]) => text !== ''))
  const icons = listings.flatMap(([locale, { icon }]) =>
    icon ? [[locale, fileOf(icon, `/${app.packageName}/${locale}/${icon.name}`)] as const] : [],
  )
  const shots = listings.flatMap(([locale, { screenshots }]) => {
    const folder = `/${app.packageName}/${locale}/phoneScreenshots`
    return screenshots.length > 0
      ? [[locale, screenshots.map(one => fileOf(one, `${folder}/${one.name}`))] as const]
      : []
  })
  return {
    metadata: {
      added: Math.min(...times),
      categories: [version.isGame ? 'Games' : 'Apps'],
      lastUpdated: Math.max(...times),
      name: words(one => one.name),
      summary: words(one => one.brief),
      description: words(one => asHtml(one.description)),
      ...(version.developerName ? { authorName: version.developerName } : {}),
      ...(icons.length > 0 ? { icon: Object.fromEntries(icons) } : {}),
      ...(shots.length > 0 ? { screenshots: { phone: Object.fromEntries(shots) } } : {}),
      ...(version.signers[0] ? { preferredSigner: version.signers[0] } : {}),
    },
    versions: Object.fromEntries(app.versions.map(one => [one.sha256, versionV2(one)])),
  }
}

function versionV2(version: IndexedVersion): JsonObject {
  const news = Object.entries(version.listings).flatMap(([locale, { releaseNotes }]) =>
    releaseNotes ? [[locale, releaseNotes] as const] : [],
  )
  return {
    added: version.onShelfAt,
    file: { name: `/${version.apkName}`, sha256: version.sha256, size: version.sizeBytes },
    manifest: {
      versionName: version.versionName,
      versionCode: Number(version.versionCode),
      ...(version.minSdk === null
        ? {}
        : { usesSdk: { minSdkVersion: version.minSdk, targetSdkVersion: version.targetSdk ?? version.minSdk } }),
      ...(version.signers[0] ? { signer: { sha256: [version.signers[0]] } } : {}),
      ...(version.permissions.length > 0
        ? {
            usesPermission: version.permissions.map(({ name, maxSdk }) =>
              maxSdk === null ? { name } : { name, maxSdkVersion: maxSdk },
            ) as JsonObject[],
          }
        : {}),
      ...(version.abis.length > 0 ? { nativecode: [...version.abis] } : {}),
    },
    ...(news.length > 0 ? { whatsNew: Object.fromEntries(news) } : {}),
  }
}

const fileOf = ({ sha256, sizeBytes }: MediaRef, name: string): JsonObject => ({ name, sha256, size: sizeBytes })

/** What turns one object into another: changed fields, and null for those that are gone (a JSON merge patch). */
export function changesOf(before: Json | undefined, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after
  const changes: JsonObject = {}
  for (const name of Object.keys(before)) if (!(name in after)) changes[name] = null
  for (const [name, value] of Object.entries(after)) {
    const old = before[name]
    if (JSON.stringify(old) !== JSON.stringify(value)) changes[name] = changesOf(old, value)
  }
  return changes
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a line of an index written by `packageLineV2`, with or without its comma. */
export function readPackageLine(line: string): { name: string; json: string } {
  const text = line.endsWith(',') ? line.slice(0, -1) : line
  const colon = text.indexOf('":') + 1
  return { name: JSON.parse(text.slice(0, colon)) as string, json: text.slice(colon + 1) }
}

type Lines = AsyncIterator<string>

/** The pieces of a diff between two indexes, both read line by line. */
export async function* diffPieces(before: Lines, after: Lines): AsyncGenerator<{ text: string; packages: number }> {
  const [oldHead, newHead] = [await before.next(), await after.next()]
  const repoOf = (line: string) => (JSON.parse(`${line}}}`) as { repo: JsonObject }).repo
  const repo = changesOf(repoOf(oldHead.value), repoOf(newHead.value))
  yield { text: `{"repo":${JSON.stringify(repo)}`, packages: 0 }
  let count = 0
  for await (const [name, change] of packageChanges(before, after)) {
    const start = count++ === 0 ? ',"packages":{\n' : ',\n'
    yield { text: `${start}${JSON.stringify(name)}:${JSON.stringify(change)}`, packages: 1 }
  }
  yield { text: count > 0 ? '\n}}' : '}', packages: 0 }
}

async function* packageChanges(before: Lines, after: Lines): AsyncGenerator<[name: string, change: Json]> {
  const take = async (lines: Lines) => {
    const { value, done } = await lines.next()
    return done || value === tailLineV2 || value === '' ? null : readPackageLine(value)
  }
  let [one, other] = [await take(before), await take(after)]
  while (one || other) {
    if (other === null || (one && one.name < other.name)) {
      yield [(one as { name: string }).name, null]
      one = await take(before)
    } else if (one === null || other.name < one.name) {
      yield [other.name, JSON.parse(other.json)]
      other = await take(after)
    } else {
      if (one.json !== other.json) yield [one.name, changesOf(JSON.parse(one.json), JSON.parse(other.json))]
      one = await take(before)
      other = await take(after)
    }
  }
}
