import type { Context } from '../../../../server/context.ts'
import { appendRelease } from './log.ts'

interface Published {
  version_id: string
  package_name: string
  version_code: string
  sha256: string
  signer: string | null
  on_shelf_at: string
  logged: string | null
}

const mostAtOnce = 500

/**
 * Compares what is on the shelf with the log. What was published before there was a log is added; a version whose log line
 * tells of other bytes or another signer was swapped, which is said loudly and never put right by adding a line.
 */
export async function checkLog(ctx: Context): Promise<void> {
  const { rows } = await ctx.transaction('home').query<Published>({
    text: `SELECT record.version_id, record.package_name, record.version_code, record.sha256, record.signers[1] AS signer,
        record.on_shelf_at, (SELECT max(entry.sha256) FROM store_log_entries entry WHERE entry.version_id = record.version_id) AS logged
      FROM store_records record
      WHERE record.state = 'on_shelf' AND NOT EXISTS (
        SELECT 1 FROM store_log_entries entry WHERE entry.package_name = record.package_name
          AND entry.version_code = record.version_code AND entry.sha256 = record.sha256
          AND entry.signer = coalesce(record.signers[1], ''))
      ORDER BY record.on_shelf_at, record.version_id LIMIT $1`,
    values: [mostAtOnce],
  })
  for (const row of rows) {
    const { version_id: versionId, package_name: packageName, version_code: versionCode, sha256 } = row
    if (row.logged !== null) {
      ctx.log.error(
        { versionId, packageName, sha256, logged: row.logged },
        'a published package is not the one of the log',
      )
      continue
    }
    const at = Number(row.on_shelf_at)
    await appendRelease(ctx, versionId, { packageName, versionCode, sha256, signer: row.signer ?? '', at })
  }
}
