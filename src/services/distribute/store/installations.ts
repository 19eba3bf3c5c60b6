import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { EachSecond } from './each-second.ts'
import { deviceOfApp, networkOfDay, secretOfApp } from './pseudonym.ts'
import { newDevicesOfNetwork } from './rules.ts'

interface Reported {
  deviceId: string
  deviceSecret?: string
  events: readonly { type: string; versionId: string; stars?: number }[]
}

interface Told {
  versionId: string
  deviceId: string
  secret: string | undefined
  ip: string | null
  isInstall: boolean
  /** The last rating it gave. */
  stars: number | null
  at: number
}

interface Owner {
  version_id: string
  version_code: string
  version_name: string
  app_id: string
  team_id: string
  zone: ZoneId
}

/** Beyond this nothing new is remembered until the next flush: whoever invents devices does not fill the memory. */
const mostWaiting = 50_000

/**
 * Remembers which device reported that it installed an app, and hands the ratings of those devices on by the event
 * `store.rated`. A report costs no query: once a second what came together is written to the zones of the apps.
 */
export class Installations {
  readonly #server: Server
  /** When what has come together is written. */
  readonly flush = new EachSecond(() => this.#flush())
  #told = new Map<string, Told>()

  constructor(server: Server) {
    this.#server = server
  }

  add({ deviceId, deviceSecret, events }: Reported, ip: string | null, at: number): void {
    for (const { type, versionId, stars } of events) {
      const isInstall = type === 'install_ok'
      if (!isInstall && type !== 'rate') continue
      const key = `${versionId} ${deviceId} ${deviceSecret}`
      const known = this.#told.get(key)
      if (!known && this.#told.size >= mostWaiting) return
      this.#told.set(key, {
        ...{ versionId, deviceId, secret: deviceSecret, ip, at },
        isInstall: isInstall || (known?.isInstall ?? false),
        stars: stars ?? known?.stars ?? null,
      })
    }
  }

  async #flush(): Promise<void> {
    if (this.#told.size === 0) return
    const told = [...this.#told.values()]
    this.#told = new Map()
    try {
      const owners = await this.#owners(told)
      for (const zone of new Set([...owners.values()].map(one => one.zone))) {
        const ofZone = told.filter(one => owners.get(one.versionId)?.zone === zone)
        await this.#write(zone, ofZone, owners).catch(error => this.#wait(ofZone, error as Error))
      }
    } catch (error) {
      this.#wait(told, error as Error)
    }
  }

  #wait(told: readonly Told[], { message }: Error): void {
    this.#server.log.warn({ reason: message }, 'installations of devices wait for their database')
    for (const one of told) {
      const key = `${one.versionId} ${one.deviceId} ${one.secret}`
      if (!this.#told.has(key) && this.#told.size < mostWaiting) this.#told.set(key, one)
    }
  }

  /** Versions nobody published are left out, and those of zones that this process does not reach. */
  async #owners(told: readonly Told[]): Promise<Map<string, Owner>> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    const { rows } = await systemContext(this.#server, zone, { name: 'store installations' }).transact(ctx =>
      ctx.transaction('home').query<Owner>({
        name: 'store installation owners',
        text: `SELECT version_id, version_code, version_name, app_id, team_id, zone FROM store_records
          WHERE version_id = ANY ($1)`,
        values: [[...new Set(told.map(one => one.versionId))]],
      }),
    )
    return new Map(rows.filter(row => this.#server.pools.has(row.zone)).map(row => [row.version_id, row]))
  }

  async #write(zone: ZoneId, told: readonly Told[], owners: ReadonlyMap<string, Owner>): Promise<void> {
    const rows = told.map(one => rowOf(this.#server, one, owners.get(one.versionId) as Owner))
    await systemContext(this.#server, zone, { name: 'store installations' }).transact(async ctx => {
      const installs = new Map(rows.filter(row => row.is_install).map(row => [`${row.app_id} ${row.device}`, row]))
      if (installs.size > 0) await writeInstalls(ctx, [...installs.values()])
      const rated = rows.filter(row => row.stars !== null)
      if (rated.length > 0) await tellRatings(ctx, rated)
    })
  }
}

type Row = ReturnType<typeof rowOf>

function rowOf(server: Server, told: Told, { zone: _, ...owner }: Owner) {
  const { deviceId, secret, ip, isInstall, stars, at } = told
  const appId = owner.app_id
  return {
    ...owner,
    device: deviceOfApp(server, appId, deviceId),
    secret: secret === undefined ? null : secretOfApp(server, appId, deviceId, secret),
    source: networkOfDay(server, appId, ip, at),
    is_install: isInstall,
    stars,
    at,
  }
}

async function writeInstalls(ctx: Context, rows: readonly Row[]): Promise<void> {
  // In the order of the key, so that two processes that flush do not wait for each other crosswise.
  await ctx.transaction(ctx.zone).query({
    name: 'store installations',
    text: `WITH sent AS (
        SELECT *, EXISTS (SELECT 1 FROM store_installations known
            WHERE known.app_id = row.app_id AND known.device = row.device) AS is_known
        FROM jsonb_to_recordset($1::jsonb) AS row(app_id bigint, device text, team_id bigint, version_id bigint,
          version_code text, version_name text, secret text, source text, at bigint)),
      ranked AS (
        SELECT *, row_number() OVER (PARTITION BY source, is_known ORDER BY device)
          + (SELECT count(*) FROM store_installations before WHERE before.source = sent.source) AS place FROM sent)
      INSERT INTO store_installations
        (app_id, device, team_id, version_id, version_code, version_name, secret, source, at)
      SELECT app_id, device, team_id, version_id, version_code, version_name, secret, source, at FROM ranked
      WHERE is_known OR place <= $2 ORDER BY app_id, device
      ON CONFLICT (app_id, device) DO UPDATE SET version_id = excluded.version_id, version_code = excluded.version_code,
        version_name = excluded.version_name, at = excluded.at,
        secret = coalesce(store_installations.secret, excluded.secret)`,
    values: [JSON.stringify(rows), newDevicesOfNetwork],
  })
}

interface Rated {
  app_id: string
  team_id: string
  device: string
  version_id: string
  version_code: string
  version_name: string
  stars: number
  at: string
}

/** Of devices that have the app, and of each only with its secret where it has one. */
async function tellRatings(ctx: Context, rows: readonly Row[]): Promise<void> {
  const { rows: rated } = await ctx.transaction(ctx.zone).query<Rated>({
    name: 'store ratings',
    text: `SELECT sent.app_id, sent.team_id, sent.device, sent.version_id, sent.version_code, sent.version_name, stars, sent.at
      FROM jsonb_to_recordset($1::jsonb) AS sent(app_id bigint, team_id bigint, device text, version_id bigint,
        version_code text, version_name text, secret text, stars int, at bigint)
      JOIN store_installations known ON known.app_id = sent.app_id AND known.device = sent.device
        AND (known.secret IS NULL OR known.secret = sent.secret)`,
    values: [JSON.stringify(rows)],
  })
  for (const [appId, ofApp] of Map.groupBy(rated, row => row.app_id)) {
    ctx.emit({
      type: 'store.rated',
      entity: 'app',
      entityId: appId,
      teamId: ofApp[0]?.team_id ?? null,
      data: {
        ratings: ofApp.map(one => ({
          device: one.device,
          versionId: one.version_id,
          versionCode: one.version_code,
          versionName: one.version_name,
          stars: one.stars,
          at: Number(one.at),
        })),
      },
    })
  }
}
