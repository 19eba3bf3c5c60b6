import type { Handover } from '../../../server/handover.ts'

/** Packages go with what was read of them for the app; what else a team had read stays its own. */
export const packagesHandover: Handover = {
  rows: [
    { table: 'packages', files: ['object_id', 'icon_object_id', 'installable', 'splits', 'split_set'] },
    { table: 'package_privacy_imports' },
  ],
  stays: { package_reports: 'what readers found in bytes of the team; made anew where it is wanted' },
  blocks: async (ctx, appIds) => {
    const { rows } = await ctx.transaction(ctx.zone).query<{ app_id: string }>({
      text: `SELECT DISTINCT app_id FROM packages WHERE app_id = ANY($1::bigint[])
        AND state IN ('UPLOADED', 'PARSING', 'CHECKING', 'COMPILING')`,
      values: [appIds],
    })
    const { rows: claimed } = await ctx.transact(
      inner =>
        inner.transaction('home').query<{ app_id: string }>({
          text: `SELECT one AS app_id FROM unnest($1::bigint[]) AS one WHERE EXISTS (SELECT 1 FROM package_claims
            WHERE (app_id = one OR holder_app_id = one) AND state IN ('PROVING', 'NOTICE', 'OBJECTED', 'REVIEW'))`,
          values: [appIds],
        }),
      'all',
    )
    return [
      ...rows.map(row => ({ appId: row.app_id, block: 'PROCESSING' })),
      ...claimed.map(row => ({ appId: row.app_id, block: 'CLAIM' })),
    ]
  },
}
