import type { ZoneId } from '../../../kernel/zones.ts'
import { PreparedAnswer } from '../../../server/implement.ts'
import type { Server } from '../../../server/server.ts'
import type { UpdateAnswer } from './contract.ts'
import { Editions } from './editions.ts'
import { type LoadedRecord, loadRecords } from './queries.ts'
import { apkNameOf, chooseLocale, compareCodes, dayMs, isShownToAll, keptDays, stalenessDays } from './rules.ts'
import type { OfferText, ServedPart, ShelfApp, ShelfVersion } from './shelf-version.ts'
import type { Listing, MediaRef } from './tables.home.ts'

/** Bytes the store serves under a name. */
export interface ServedBytes {
  packageName: string
  appId: string
  versionId: string
  zone: ZoneId
  sha256: string
  sizeBytes: number
  mime: string
  /** After this instant the name is unknown; null while on shelf. */
  keptUntil: number | null
}

/**
 * What is published, in the memory of this process, so that a device's question is no query. Loaded from the home
 * database and looked at again by package whenever the signal `store` names one; a lost signal loads everything.
 */
export class Shelf {
  readonly #server: Server
  readonly #waiting = new Set<string>()
  #loading: Promise<void> | null = null
  #retry: NodeJS.Timeout | undefined
  readonly #apps = new Map<string, ShelfApp>()
  readonly editions = new Editions()
  readonly #files = new Map<string, ServedBytes>()
  readonly #media = new Map<string, readonly ServedBytes[]>()
  /** On shelf with a test that runs, by version. */
  readonly #tested = new Map<string, ShelfVersion>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start; the first connection loads everything. */
  listen(): void {
    this.#server.signals.on('home', 'store', packageName => this.#look(packageName))
  }

  close(): void {
    clearTimeout(this.#retry)
  }

  /** True while something published is not in memory yet. */
  get isBehind(): boolean {
    return this.#loading !== null
  }

  /** Waits until what was signalled is in memory; what was there before stays when the database does not answer. */
  async catchUp(): Promise<void> {
    await this.#loading
  }

  app(packageName: string): ShelfApp | undefined {
    return this.#apps.get(packageName)
  }

  apps(): Iterable<ShelfApp> {
    return this.#apps.values()
  }

  file(name: string): ServedBytes | undefined {
    const file = this.#files.get(name)
    return file && (file.keptUntil === null || this.#server.clock.now() < file.keptUntil) ? file : undefined
  }

  /** A picture by its name; several apps may show the same, and the caller says whose it wants. */
  media(name: string, isWanted: (one: ServedBytes) => boolean = () => true): ServedBytes | undefined {
    return this.#media.get(name)?.find(isWanted)
  }

  /** A version on shelf whose page is tested. */
  tested(versionId: string): ShelfVersion | undefined {
    return this.#tested.get(versionId)
  }

  /** The text that offers a version, in the device's language and with the parts for it; made once for all devices. */
  updateAnswer(
    version: ShelfVersion,
    lang = '',
    now: number,
    parts: readonly ServedPart[] | null = null,
    more: Pick<UpdateAnswer, 'replacedBy' | 'forced'> = {},
  ): OfferText {
    const staleness = stalenessDays(version.onShelfAt, now)
    const isPlain = parts === null && more.replacedBy === undefined && !more.forced
    const key = isPlain
      ? lang
      : [lang, more.forced ? '!' : '', more.replacedBy, ...(parts ?? []).map(part => part.split)].join(' ')
    let answer = version.answers.get(key)
    if (answer?.staleness !== staleness) {
      const json = JSON.stringify({
        ...updateAnswer(version, lang, staleness, parts),
        ...more,
        ...this.#editionsOf(version),
      })
      answer = { staleness, json, alone: new PreparedAnswer(`{"packages":[${json}]}`) }
      // Whoever sends invented languages does not fill the memory.
      if (version.answers.size < 64 || version.answers.has(key)) version.answers.set(key, answer)
    }
    return answer
  }

  #editionsOf(version: ShelfVersion): Pick<UpdateAnswer, 'editions'> {
    const others = this.editions.of(version).filter(one => one.packageName !== version.packageName)
    return others.length === 0 ? {} : { editions: others.map(editionOf) }
  }

  #look(packageName: string): void {
    this.#waiting.add(packageName)
    this.#loading ??= this.#load()
      .catch(error => {
        this.#server.log.warn({ reason: (error as Error).message }, 'the shelf waits for the home database')
        clearTimeout(this.#retry)
        this.#retry = setTimeout(() => this.#look(''), 1000).unref()
      })
      .finally(() => {
        this.#loading = null
      })
  }

  async #load(): Promise<void> {
    while (this.#waiting.size > 0) {
      const names = [...this.#waiting]
      this.#waiting.clear()
      const isWhole = names.includes('')
      const loaded = await loadRecords(this.#server, isWhole ? null : names, this.#server.clock.now() - keptMs)
      if (isWhole) this.#clear()
      else for (const name of names) this.#forget(name)
      const byName = new Map<string, LoadedRecord[]>(loaded.knownNames.map(name => [name, []]))
      for (const record of loaded.records) byName.get(record.packageName)?.push(record)
      for (const [packageName, records] of byName) this.#put(packageName, records)
    }
  }

  #clear(): void {
    this.#apps.clear()
    this.editions.clear()
    this.#files.clear()
    this.#media.clear()
    this.#tested.clear()
  }

  #forget(packageName: string): void {
    const app = this.#apps.get(packageName)
    if (!app) return
    this.#apps.delete(packageName)
    this.editions.forget(app)
    for (const { versionId } of app.offers) this.#tested.delete(versionId)
    for (const name of app.apkNames) this.#files.delete(name)
    for (const name of app.media) {
      const others = (this.#media.get(name) ?? []).filter(one => one.packageName !== packageName)
      if (others.length > 0) this.#media.set(name, others)
      else this.#media.delete(name)
    }
  }

  #put(packageName: string, records: readonly LoadedRecord[]): void {
    const offers = records
      .filter(record => record.state === 'on_shelf')
      .map(record => this.#version(record))
      .sort((a, b) => compareCodes(b.versionCode, a.versionCode))
    const served = records.filter(record => !record.isForcedOff)
    const files = served.flatMap(filesOf)
    for (const [name, file] of files) this.#files.set(name, file)
    const versions = offers.filter(one => isShownToAll(one.phase))
    const media = offers.flatMap(version => mediaOf(version).map(ref => this.#serve(version, ref)))
    const haystack = haystackOf(packageName, versions)
    const app = { packageName, offers, versions, haystack, apkNames: files.map(([name]) => name), media }
    this.#apps.set(packageName, app)
    this.editions.put(app)
    for (const one of offers) if (one.tests.length > 0) this.#tested.set(one.versionId, one)
  }

  #serve(version: ShelfVersion, ref: MediaRef): string {
    const { packageName, appId, versionId, zone } = version
    const { sha256, sizeBytes, mime } = ref
    const before = this.#media.get(ref.name) ?? []
    if (!before.some(one => one.packageName === packageName)) {
      const served = { packageName, appId, versionId, zone, sha256, sizeBytes, mime, keptUntil: null }
      this.#media.set(ref.name, [...before, served])
    }
    return ref.name
  }

  #version(record: LoadedRecord): ShelfVersion {
    const name = apkName(record)
    const urlOf = (file: string) => `${this.#server.config.publicUrl}/store/download/${file}`
    return {
      ...record,
      apkName: name,
      url: urlOf(name),
      parts: record.splitSet.map(part => ({ ...part, url: urlOf(apkName({ ...record, sha256: part.sha256 })) })),
      locales: Object.keys(record.listings),
      answers: new Map(),
    }
  }
}

const keptMs = keptDays * dayMs
const apkMime = 'application/vnd.android.package-archive'

function updateAnswer(
  version: ShelfVersion,
  lang: string,
  staleness: number,
  parts: readonly ServedPart[] | null,
): UpdateAnswer {
  const locale = chooseLocale(version.locales, lang, version.defaultLocale)
  return {
    packageName: version.packageName,
    result: 'UPDATE',
    versionId: version.versionId,
    versionCode: version.versionCode,
    versionName: version.versionName,
    releaseNotes: version.listings[locale]?.releaseNotes ?? '',
    size: version.sizeBytes,
    sha256: version.sha256,
    url: version.url,
    ...(parts && {
      splits: parts.map(({ split, sizeBytes, sha256, url }) => ({ split, size: sizeBytes, sha256, url })),
    }),
    phased: version.phase !== null,
    priority: version.priority,
    stalenessDays: staleness,
    forced: false,
  }
}

const editionOf = ({ packageName, series }: ShelfVersion) => ({
  packageName,
  packageType: series?.packageType ?? '',
  deviceTypes: series?.deviceTypes ?? [],
})

type Named = Pick<LoadedRecord, 'packageName' | 'versionCode' | 'sha256'>
const apkName = (record: Named) => apkNameOf(record.packageName, record.versionCode, record.sha256)

/** The package of a version and those of its set, by the names that the store serves them under. */
function filesOf(record: LoadedRecord): [string, ServedBytes][] {
  const { packageName, appId, versionId, zone, leftAt } = record
  const keptUntil = leftAt === null ? null : leftAt + keptMs
  return [record, ...record.splitSet].map(({ sha256, sizeBytes }) => [
    apkName({ ...record, sha256 }),
    { packageName, appId, versionId, zone, sha256, sizeBytes, mime: apkMime, keptUntil },
  ])
}

/** Every picture of a version's listings and of the tests of its page, icons first, and the large one of its app. */
function mediaOf(version: ShelfVersion): MediaRef[] {
  const tested = version.tests.flatMap(test => test.variants.flatMap(one => Object.values(one.faces)))
  const ofListings = [...Object.values(version.listings), ...tested].flatMap((listing: Partial<Listing>) => [
    ...(listing.icon ? [listing.icon] : []),
    ...(listing.screenshots ?? []),
    ...[listing.film, listing.filmCover].filter(one => one != null),
  ])
  return version.hero ? [...ofListings, version.hero] : ofListings
}

function haystackOf(packageName: string, versions: readonly ShelfVersion[]): string {
  const texts = Object.values(versions[0]?.listings ?? {}).flatMap(listing => [listing.name, listing.brief])
  return [packageName, ...texts].join('\n').toLowerCase()
}
