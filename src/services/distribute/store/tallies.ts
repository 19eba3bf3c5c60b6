import { inArray } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { EachSecond } from './each-second.ts'
import { deviceOfVersion } from './pseudonym.ts'
import { type CountType, countTypes, dayMs, dayOf } from './rules.ts'
import { storeRecords } from './tables.home.ts'

interface Tally {
  versionId: string
  /** Days since 1970. */
  day: number
  amounts: number[]
}

interface Fetched {
  versionId: string
  device: string
  at: number
}

/** Beyond this nothing new is remembered until the next flush: whoever invents ids does not fill the memory. */
const mostWaiting = 50_000

/**
 * Counts what devices do in memory and writes it to the zones of the versions in one batch a second, so that a device
 * costs no query. What a killed process had not written is lost: at most a second of counts.
 */
export class Tallies {
  readonly #server: Server
  /** When what has come together is written. */
  readonly flush = new EachSecond(() => this.#flush())
  #tallies = new Map<string, Tally>()
  #ended: Tally[] = []
  #fetched = new Map<string, Fetched>()

  constructor(server: Server) {
    this.#server = server
  }

  add(versionId: string, type: CountType, now: number, amount = 1): void {
    const day = Math.floor(now / dayMs)
    let tally = this.#tallies.get(versionId)
    if (tally?.day !== day) {
      if (this.#tallies.size >= mostWaiting) return
      if (tally) this.#ended.push(tally)
      tally = { versionId, day, amounts: countTypes.map(() => 0) }
      this.#tallies.set(versionId, tally)
    }
    const at = countTypes.indexOf(type)
    tally.amounts[at] = (tally.amounts[at] ?? 0) + amount
  }

  /** A device fetches a version; the same device again is not counted again. */
  addDownload(versionId: string, device: string, at: number): void {
    const digest = deviceOfVersion(this.#server, versionId, device)
    if (this.#fetched.size < mostWaiting) this.#fetched.set(`${versionId} ${digest}`, { versionId, device: digest, at })
  }

  async #flush(): Promise<void> {
    if (this.#tallies.size === 0 && this.#fetched.size === 0 && this.#ended.length === 0) return
    const tallies = [...this.#ended, ...this.#tallies.values()]
    const fetched = [...this.#fetched.values()]
    this.#ended = []
    this.#tallies = new Map()
    this.#fetched = new Map()
    try {
      const owners = await this.#owners([...tallies, ...fetched].map(one => one.versionId))
      for (const zone of new Set([...owners.values()].map(owner => owner.zone))) {
        const ofZone = <T extends { versionId: string }>(all: T[]) =>
          all.flatMap(one => {
            const owner = owners.get(one.versionId)
            return owner?.zone === zone ? [{ ...one, ...owner }] : []
          })
        await this.#write(zone, ofZone(tallies), ofZone(fetched)).catch(error => {
          this.#server.log.warn({ zone, reason: (error as Error).message }, 'counts of devices wait for their zone')
          this.#putBack(ofZone(tallies), ofZone(fetched))
        })
      }
    } catch (error) {
      this.#server.log.warn({ reason: (error as Error).message }, 'counts of devices wait for the home database')
      this.#putBack(tallies, fetched)
    }
  }

  #putBack(tallies: readonly Tally[], fetched: readonly Fetched[]): void {
    if (this.#ended.length < mostWaiting) this.#ended.push(...tallies)
    for (const one of fetched)
      if (this.#fetched.size < mostWaiting) this.#fetched.set(`${one.versionId} ${one.device}`, one)
  }

  /** Versions nobody published are left out, and those of zones that this process does not reach. */
  async #owners(versionIds: string[]): Promise<Map<string, { appId: string; teamId: string; zone: ZoneId }>> {
    const rows = await this.#as(this.#server.config.zones[0] ?? 'CN', ctx =>
      ctx.home
        .select({
          versionId: storeRecords.versionId,
          appId: storeRecords.appId,
          teamId: storeRecords.teamId,
          zone: storeRecords.zone,
        })
        .from(storeRecords)
        .where(inArray(storeRecords.versionId, [...new Set(versionIds)])),
    )
    const reached = rows.filter(row => this.#server.pools.has(row.zone))
    return new Map(reached.map(({ versionId, ...owner }) => [versionId, owner]))
  }

  async #write(zone: ZoneId, tallies: (Tally & Owner)[], fetched: (Fetched & Owner)[]): Promise<void> {
    const counts = tallies.flatMap(tally =>
      tally.amounts.flatMap((amount, at) => (amount === 0 ? [] : [{ ...rowOf(tally), type: countTypes[at], amount }])),
    )
    const downloads = fetched.map(one => ({
      version_id: one.versionId,
      team_id: one.teamId,
      app_id: one.appId,
      device: one.device,
      at: one.at,
      day: dayOf(one.at),
    }))
    await this.#as(zone, async ctx => {
      // In the order of the key, so that two processes that flush do not wait for each other crosswise.
      await ctx.transaction(zone).query({
        name: 'store tallies',
        text: `WITH fetched AS (
            SELECT * FROM jsonb_to_recordset($2::jsonb)
              AS row(version_id bigint, team_id bigint, app_id bigint, device text, at bigint, day text)),
          fresh AS (
            INSERT INTO store_downloads (version_id, device, team_id, at)
            SELECT version_id, device, team_id, at FROM fetched ORDER BY version_id, device
            ON CONFLICT DO NOTHING RETURNING version_id, device),
          counted AS (
            SELECT version_id, day, type, team_id, app_id, amount FROM jsonb_to_recordset($1::jsonb)
              AS row(version_id bigint, day text, type text, team_id bigint, app_id bigint, amount bigint)
            UNION ALL
            SELECT version_id, day, 'download', team_id, app_id, 1 FROM fetched JOIN fresh USING (version_id, device))
          INSERT INTO store_counts (version_id, day, type, team_id, app_id, amount)
          SELECT version_id, day, type, team_id, app_id, sum(amount) FROM counted
          GROUP BY version_id, day, type, team_id, app_id ORDER BY version_id, day, type
          ON CONFLICT (version_id, day, type) DO UPDATE SET amount = store_counts.amount + excluded.amount`,
        values: [JSON.stringify(counts), JSON.stringify(downloads)],
      })
    })
  }

  #as<T>(zone: ZoneId, work: (ctx: Context) => Promise<T>): Promise<T> {
    return systemContext(this.#server, zone, { name: 'store tallies' }).transact(work)
  }
}

interface Owner {
  appId: string
  teamId: string
}

const rowOf = ({ versionId, teamId, appId, day }: Tally & Owner) => ({
  version_id: versionId,
  team_id: teamId,
  app_id: appId,
  day: dayOf(day * dayMs),
})
