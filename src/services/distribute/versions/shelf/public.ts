import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import type { Version } from '../contract.ts'
import { releaseStateOfVersion } from './rules.ts'

/** The number 0 to 13 that older tools know, of one version; null of one that another took the place of. */
export function releaseStateOf(version: Static<typeof Version>): number | null {
  return releaseStateOfVersion(version)
}

/** Whether the public has an app, and where; or only some people do. */
export interface ShelfReach {
  appId: string
  /** ISO 3166 of the version on shelf; empty when nothing is, or when it is offered everywhere it is not said. */
  countries: string[]
  isOnShelf: boolean
  /** Hundredths of a percent while a version comes in phases, else null. */
  phasedBp: number | null
  /** A test runs, open or by invitation. */
  isTested: boolean
}

/** Where each of the apps stands with the public: one query. The caller has checked that the apps are his. */
export async function shelfReachOf(ctx: Context, appIds: readonly string[]): Promise<Map<string, ShelfReach>> {
  if (appIds.length === 0) return new Map()
  const { rows } = await ctx.transaction(ctx.zone).query<{
    app_id: string
    countries: string[] | null
    is_on_shelf: boolean
    phased_bp: number | null
    is_tested: boolean
  }>({
    text: `SELECT one.app_id, s.countries, s.app_id IS NOT NULL AS is_on_shelf, p.percent_bp AS phased_bp,
        EXISTS (SELECT 1 FROM version_tests t WHERE t.app_id = one.app_id AND t.state IN ('WAITING', 'TESTING')) AS is_tested
      FROM unnest($1::bigint[]) AS one(app_id)
      LEFT JOIN LATERAL (SELECT v.app_id, v.countries FROM versions v
        WHERE v.app_id = one.app_id AND v.state IN ('ON_SHELF', 'SHELF_OFF_REVIEW') LIMIT 1) s ON true
      LEFT JOIN LATERAL (SELECT r.percent_bp FROM phased_releases r
        WHERE r.app_id = one.app_id AND r.state IN ('RELEASE', 'SUSPEND') LIMIT 1) p ON true`,
    values: [[...appIds]],
  })
  return new Map(
    rows.map(row => [
      String(row.app_id),
      {
        appId: String(row.app_id),
        countries: row.countries ?? [],
        isOnShelf: row.is_on_shelf,
        phasedBp: row.phased_bp,
        isTested: row.is_tested,
      },
    ]),
  )
}
