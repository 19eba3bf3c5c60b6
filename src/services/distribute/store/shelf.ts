import type { ZoneId } from '../../../kernel/zones.ts'
import { PreparedAnswer } from '../../../server/implement.ts'
import type { Server } from '../../../server/server.ts'
import type { UpdateAnswer } from './contract.ts'
import { type LoadedRecord, loadRecords } from './queries.ts'
import {
  apkNameOf,
  chooseLocale,
  compareCodes,
  dayMs,
  isShownToAll,
  keptDays,
  type Offer,
  stalenessDays,
} from './rules.ts'
import type { Listing, MediaRef } from './tables.home.ts'

/** An offer as JSON, and the whole answer to a device that asked for this one package. */
export interface OfferText {
  staleness: number
  json: string
  alone: PreparedAnswer
}

/** A version on shelf with everything answers need, made once when it is loaded. */
export interface ShelfVersion extends Offer, Omit<LoadedRecord, keyof Offer> {
  apkName: string
  url: string
  locales: readonly string[]
  /** Prepared answers by the language asked for. */
  answers: Map<string, OfferText>
}

export interface ShelfApp {
  packageName: string
  /** On shelf, the highest code first; empty when the app is known and nothing of it is on shelf. */
  offers: readonly ShelfVersion[]
  /** Those of them that everybody sees: what comes in phases is for the devices whose turn it is. */
  versions: readonly ShelfVersion[]
  /** Lower case, what a search looks through. */
  haystack: string
  apkNames: readonly string[]
  media: readonly string[]
}

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
  readonly #files = new Map<string, ServedBytes>()
  readonly #media = new Map<string, readonly ServedBytes[]>()

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

  /** The text that offers a version, in the device's language; made once for all devices. */
  updateAnswer(version: ShelfVersion, lang = '', now: number): OfferText {
    const staleness = stalenessDays(version.onShelfAt, now)
    let answer = version.answers.get(lang)
    if (answer?.staleness !== staleness) {
      const json = JSON.stringify(updateAnswer(version, lang, staleness))
      answer = { staleness, json, alone: new PreparedAnswer(`{"packages":[${json}]}`) }
      // Whoever sends invented languages does not fill the memory.
      if (version.answers.size < 64 || version.answers.has(lang)) version.answers.set(lang, answer)
    }
    return answer
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
    this.#files.clear()
    this.#media.clear()
  }

  #forget(packageName: string): void {
    const app = this.#apps.get(packageName)
    if (!app) return
    this.#apps.delete(packageName)
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
    for (const record of served) this.#files.set(apkName(record), fileOf(record))
    const versions = offers.filter(one => isShownToAll(one.phase))
    const media = offers.flatMap(version => mediaOf(version).map(ref => this.#serve(version, ref)))
    const haystack = haystackOf(packageName, versions)
    this.#apps.set(packageName, { packageName, offers, versions, haystack, apkNames: served.map(apkName), media })
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
    return {
      ...record,
      apkName: name,
      url: `${this.#server.config.publicUrl}/store/download/${name}`,
      locales: Object.keys(record.listings),
      answers: new Map(),
    }
  }
}

const keptMs = keptDays * dayMs
const apkMime = 'application/vnd.android.package-archive'

function updateAnswer(version: ShelfVersion, lang: string, staleness: number): UpdateAnswer {
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
    phased: version.phase !== null,
    priority: version.priority,
    stalenessDays: staleness,
    forced: false,
  }
}

const apkName = (record: LoadedRecord) => apkNameOf(record.packageName, record.versionCode, record.sha256)

function fileOf(record: LoadedRecord): ServedBytes {
  const { packageName, appId, versionId, zone, sha256, sizeBytes, leftAt } = record
  const keptUntil = leftAt === null ? null : leftAt + keptMs
  return { packageName, appId, versionId, zone, sha256, sizeBytes, mime: apkMime, keptUntil }
}

/** Every picture of a version's listings, icons first, and the large one of its app. */
function mediaOf(version: ShelfVersion): MediaRef[] {
  const ofListings = Object.values(version.listings).flatMap((listing: Listing) => [
    ...(listing.icon ? [listing.icon] : []),
    ...listing.screenshots,
    ...[listing.film, listing.filmCover].filter(one => one != null),
  ])
  return version.hero ? [...ofListings, version.hero] : ofListings
}

function haystackOf(packageName: string, versions: readonly ShelfVersion[]): string {
  const texts = Object.values(versions[0]?.listings ?? {}).flatMap(listing => [listing.name, listing.brief])
  return [packageName, ...texts].join('\n').toLowerCase()
}
