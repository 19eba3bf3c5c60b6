import { createHash } from 'node:crypto'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import type { Shelf, ShelfApp } from '../shelf.ts'
import { indexV1 } from './index-v1.ts'
import { signedJar } from './jar.ts'
import { loadSigningKey, type SigningKey } from './signing-key.ts'

/** A signed index as it is sent; never changed, only replaced. */
export interface Repository {
  address: string
  fingerprint: string
  timestamp: number
  apps: number
  versions: number
  jar: Buffer
  etag: string
}

interface Kept {
  repository: Repository
  dataVersion: number
  builtAt: number
}

/** Changes that come within this time of a build wait for the next. */
const restMs = 2_000

export type RepositoryZone = ZoneId | 'all'

/** The index of each zone, built when somebody asks for it after a change, at most once in two seconds. */
export class Repositories {
  readonly #server: Server
  readonly #shelf: Shelf
  readonly #kept = new Map<RepositoryZone, Kept>()
  readonly #building = new Map<RepositoryZone, Promise<Repository>>()
  #key: Promise<SigningKey> | undefined

  constructor(server: Server, shelf: Shelf) {
    this.#server = server
    this.#shelf = shelf
  }

  async of(zone: RepositoryZone): Promise<Repository> {
    const kept = this.#kept.get(zone)
    const isFresh = kept?.dataVersion === this.#shelf.dataVersion
    if (kept && (isFresh || this.#server.clock.now() < kept.builtAt + restMs)) return kept.repository
    let building = this.#building.get(zone)
    if (!building) {
      building = this.#build(zone).finally(() => this.#building.delete(zone))
      this.#building.set(zone, building)
    }
    return building
  }

  async #build(zone: RepositoryZone): Promise<Repository> {
    const dataVersion = this.#shelf.dataVersion
    const apps = [...this.#shelf.apps()].flatMap(app => partOf(app, zone))
    const timestamp = this.#shelf.changedAt(zone)
    const address = `${this.#server.config.publicUrl}/fdroid/${zone === 'all' ? 'all' : zones[zone].slug}/repo`
    const key = await this.#signingKey()
    const body = indexV1(apps, { address, name: 'Loggia', timestamp })
    const jar = await signedJar('index-v1.json', Buffer.from(body), key)
    const repository = {
      address,
      fingerprint: key.fingerprint,
      timestamp,
      apps: apps.length,
      versions: apps.reduce((sum, app) => sum + app.versions.length, 0),
      jar,
      etag: `"${createHash('sha256').update(jar).digest('hex')}"`,
    }
    this.#kept.set(zone, { repository, dataVersion, builtAt: this.#server.clock.now() })
    return repository
  }

  #signingKey(): Promise<SigningKey> {
    this.#key ??= loadSigningKey(this.#server).catch(error => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }
}

/** What of an app the index of a zone may list: version codes that clients can hold, in a fixed order. */
function partOf(app: ShelfApp, zone: RepositoryZone): ShelfApp[] {
  const versions = app.versions.filter(
    version => (zone === 'all' || version.zone === zone) && Number.isSafeInteger(Number(version.versionCode)),
  )
  return versions.length === 0 ? [] : [{ ...app, versions }]
}
