import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { EachSecond } from '../each-second.ts'
import { deviceOfVersion } from '../pseudonym.ts'
import { type HealthKind, hourOf, kindsOf, type StarKind } from './rules.ts'
import type { HealthRow } from './sums.ts'

interface Reported {
  type: string
  versionId: string
  /** Of a rating. */
  stars?: number
}

interface Told {
  versionId: string
  device: string
  kind: HealthKind
  /** As what it is summed; the device counts once for its kind. */
  sum: HealthRow['kind']
  at: number
}

/** In which phased release a version is counted. */
interface Release {
  version_id: string
  release_id: string
  started_at: string
  team_id: string
  app_id: string
  zone: ZoneId
}

/** Beyond this nothing new is remembered until the next flush: whoever invents devices does not fill the memory. */
const mostWaiting = 100_000

/**
 * Counts each device once for what it told of a version, while a phased release of the app goes on. As with the tallies, a
 * report costs no query: once a second what came together is written to the zones of the versions.
 */
export class HealthCounter {
  readonly #server: Server
  /** When what has come together is written. */
  readonly flush = new EachSecond(() => this.#flush())
  #told = new Map<string, Told>()

  constructor(server: Server) {
    this.#server = server
  }

  add(deviceId: string, events: readonly Reported[], at: number): void {
    for (const { type, versionId, stars } of events) {
      if (kindsOf[type] === undefined) continue
      const device = deviceOfVersion(this.#server, versionId, deviceId)
      for (const kind of kindsOf[type] ?? []) {
        const sum = kind === 'rated' ? (`stars${stars}` as StarKind) : kind
        this.#put({ versionId, device, kind, sum, at })
      }
    }
  }

  #put(one: Told): void {
    const key = `${one.versionId} ${one.device} ${one.kind}`
    const known = this.#told.get(key)
    // What had to wait for its database comes back after what was told later; the first rating is the one that counts.
    if (known ? one.at < known.at : this.#told.size < mostWaiting) this.#told.set(key, one)
  }

  async #flush(): Promise<void> {
    if (this.#told.size === 0) return
    const told = [...this.#told.values()]
    this.#told = new Map()
    try {
      const releases = new Map((await this.#releasesOf(told)).map(row => [row.version_id, row]))
      for (const zone of new Set([...releases.values()].map(one => one.zone))) {
        const ofZone = told.filter(one => releases.get(one.versionId)?.zone === zone)
        await this.#write(zone, ofZone, releases).catch(error => this.#wait(ofZone, error as Error))
      }
    } catch (error) {
      this.#wait(told, error as Error)
    }
  }

  #wait(told: readonly Told[], { message }: Error): void {
    this.#server.log.warn({ reason: message }, 'the health of releases waits for its database')
    for (const one of told) this.#put(one)
  }

  /** Of the versions those that come in phases now, or stand full beside one that does. */
  async #releasesOf(told: readonly Told[]): Promise<Release[]> {
    const system = systemContext(this.#server, this.#server.config.zones[0] ?? 'CN', { name: 'store health' })
    const { rows } = await system.transact(ctx =>
      ctx.transaction('home').query<Release>({
        name: 'store health releases',
        text: `SELECT one.version_id, phased.version_id AS release_id, phased.phase ->> 'startedAt' AS started_at,
            one.team_id, one.app_id, one.zone
          FROM store_records one JOIN store_records phased ON phased.app_id = one.app_id AND phased.state = 'on_shelf'
            AND phased.phase ->> 'startedAt' IS NOT NULL
          WHERE one.version_id = ANY ($1) AND one.state = 'on_shelf'`,
        values: [[...new Set(told.map(one => one.versionId))]],
      }),
    )
    return rows.filter(row => this.#server.pools.has(row.zone))
  }

  async #write(zone: ZoneId, told: readonly Told[], releases: ReadonlyMap<string, Release>): Promise<void> {
    const rows = told.flatMap(({ versionId, at, ...one }) => {
      const { zone: _, ...release } = releases.get(versionId) as Release
      // A report that was under way when the release began anew tells of the one before.
      return at < Number(release.started_at) ? [] : [{ ...release, ...one, at, hour: hourOf(at) }]
    })
    await systemContext(this.#server, zone, { name: 'store health' }).transact(async ctx => {
      // In the order of the keys, so that two processes that flush do not wait for each other crosswise.
      await ctx.transaction(zone).query({
        name: 'store health',
        text: `WITH sent AS (
            SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(release_id bigint, started_at bigint, version_id bigint,
              team_id bigint, app_id bigint, device text, kind text, sum text, at bigint, hour bigint)),
          fresh AS (
            INSERT INTO store_health_devices (version_id, started_at, device, kind, team_id, at)
            SELECT version_id, started_at, device, kind, team_id, at FROM sent ORDER BY 1, 2, 3, 4
            ON CONFLICT DO NOTHING RETURNING version_id, started_at, device, kind),
          counted AS (SELECT sent.* FROM sent JOIN fresh USING (version_id, started_at, device, kind)),
          sums AS (
            INSERT INTO store_health (release_id, started_at, version_id, hour, kind, team_id, app_id, devices)
            SELECT release_id, started_at, version_id, hour, sum, team_id, app_id, count(*) FROM counted
            GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5
            ON CONFLICT (release_id, started_at, version_id, hour, kind)
            DO UPDATE SET devices = store_health.devices + excluded.devices)
          INSERT INTO store_health_releases (release_id, started_at, team_id, app_id, is_told)
          SELECT DISTINCT release_id, started_at, team_id, app_id, false FROM counted ORDER BY 1
          ON CONFLICT (release_id) DO UPDATE SET started_at = excluded.started_at, is_told = false`,
        values: [JSON.stringify(rows)],
      })
    })
  }
}
