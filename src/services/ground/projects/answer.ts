import { siteOfZone, type ZoneId } from '../../../kernel/zones.ts'

/** A project as it goes out: with the site id of its zone. */
export function withSite<Row extends { zone: ZoneId }>(row: Row) {
  return { ...row, siteId: siteOfZone(row.zone) }
}
