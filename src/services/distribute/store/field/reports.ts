import type { Static } from '../../../../kernel/shape.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { dayMs, dayOf } from '../rules.ts'
import type { storeField } from './contract.ts'
import { changeOf, reportDays, unknownCountry } from './rules.ts'

type Report = Static<typeof storeField.calls.reportInstalls.body>['reports'][number]

interface Owner {
  version_id: string
  app_id: string
  team_id: string
  zone: ZoneId
  version_code: string
}

/** Counts reports where their versions stay; each zone in one transaction, so that a retry finds all of it or nothing. */
export async function countReports(ctx: Context, reports: readonly Report[]) {
  const byName = new Map(reports.map(report => [report.reportId, report]))
  const owners = await ownersOf(ctx, [...byName.values()])
  const known = [...byName.values()].flatMap(report => {
    const owner = owners.byVersion.get(report.versionId)
    return owner && ctx.server.pools.has(owner.zone) ? [{ report, owner }] : []
  })
  let counted = 0
  for (const [zone, ofZone] of Map.groupBy(known, one => one.owner.zone)) {
    const rows = ofZone.map(({ report, owner }) => rowOf(ctx, report, owner, owners.before(report)))
    counted += await write(ctx, zone, rows)
  }
  return {
    counted,
    repeated: reports.length - byName.size + known.length - counted,
    unknown: byName.size - known.length,
  }
}

/** Who the versions are of; and of updates, which version of the same app was there before. */
async function ownersOf(ctx: Context, reports: readonly Report[]) {
  const system = systemContext(ctx.server, ctx.zone, { name: 'store reports' })
  const { rows } = await system.transact(inner =>
    inner.transaction('home').query<Owner>({
      name: 'store report owners',
      text: `SELECT version_id, app_id, team_id, zone, version_code FROM store_records WHERE version_id = ANY ($1)
        UNION SELECT old.version_id, old.app_id, old.team_id, old.zone, old.version_code
        FROM unnest($2::bigint[], $3::bigint[]) AS wanted(version_id, version_code)
        JOIN store_records new ON new.version_id = wanted.version_id
        JOIN store_records old ON old.app_id = new.app_id AND old.version_code = wanted.version_code`,
      values: [
        reports.map(report => report.versionId),
        reports.map(report => report.versionId),
        reports.map(report => report.fromVersionCode ?? null),
      ],
    }),
  )
  const byVersion = new Map(rows.map(row => [row.version_id, row]))
  const byCode = new Map(rows.map(row => [`${row.app_id} ${row.version_code}`, row]))
  const before = ({ outcome, versionId, fromVersionCode }: Report) => {
    const owner = byVersion.get(versionId)
    const found = owner && fromVersionCode !== undefined && byCode.get(`${owner.app_id} ${fromVersionCode}`)
    return outcome === 'updated' && found && found.version_id !== versionId ? found : undefined
  }
  return { byVersion, before }
}

type Row = ReturnType<typeof rowOf>

function rowOf(ctx: Context, report: Report, owner: Owner, before: Owner | undefined) {
  const now = ctx.now()
  const at = report.at !== undefined && report.at <= now && report.at > now - reportDays * dayMs ? report.at : now
  const { outcome } = report
  return {
    report: ctx.server.masterKey.sign('store report', report.reportId),
    version_id: owner.version_id,
    app_id: owner.app_id,
    team_id: owner.team_id,
    day: dayOf(at),
    outcome,
    country: report.country ?? unknownCountry,
    device_class: report.deviceClass ?? 'other',
    reason: outcome === 'failed' ? (report.reason ?? 'other') : '',
    change: changeOf(outcome),
    before_id: before?.version_id ?? null,
    // A device that updates from a version we know is no new one.
    gained: outcome === 'updated' && before ? 0 : changeOf(outcome),
  }
}

/** One statement; rows in the order of their keys, so that two processes do not wait for each other crosswise. */
async function write(ctx: Context, zone: ZoneId, rows: readonly Row[]): Promise<number> {
  const system = systemContext(ctx.server, zone, { name: 'store reports' })
  return system.transact(async inner => {
    const { rows: found } = await inner.transaction(zone).query<{ fresh: number }>({
      name: 'store reports',
      text: `WITH sent AS (
          SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(report text, version_id bigint, app_id bigint, team_id bigint,
            day text, outcome text, country text, device_class text, reason text, change int, before_id bigint, gained int)),
        fresh AS (
          INSERT INTO store_reports (report, team_id, at) SELECT report, team_id, $2 FROM sent ORDER BY report
          ON CONFLICT DO NOTHING RETURNING report),
        counted AS (SELECT sent.* FROM sent JOIN fresh USING (report)),
        installs AS (
          INSERT INTO store_installs (version_id, day, outcome, country, device_class, reason, team_id, app_id, amount)
          SELECT version_id, day, outcome, country, device_class, reason, team_id, app_id, count(*) FROM counted
          GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6
          ON CONFLICT (version_id, day, outcome, country, device_class, reason)
          DO UPDATE SET amount = store_installs.amount + excluded.amount),
        field AS (
          INSERT INTO store_field (version_id, day, team_id, app_id, change)
          SELECT version_id, day, team_id, app_id, sum(change) FROM (
            SELECT version_id, day, team_id, app_id, change FROM counted
            UNION ALL SELECT before_id, day, team_id, app_id, -1 FROM counted WHERE before_id IS NOT NULL) AS moves
          GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2
          ON CONFLICT (version_id, day) DO UPDATE SET change = store_field.change + excluded.change),
        active AS (
          INSERT INTO store_active (app_id, team_id, active)
          SELECT app_id, team_id, sum(gained) FROM counted GROUP BY 1, 2 HAVING sum(gained) <> 0 ORDER BY 1
          ON CONFLICT (app_id) DO UPDATE SET active = store_active.active + excluded.active)
        SELECT count(*)::int AS fresh FROM fresh`,
      values: [JSON.stringify(rows), ctx.now()],
    })
    return found[0]?.fresh ?? 0
  })
}
