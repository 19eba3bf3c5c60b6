import type { Handover } from '../../../server/handover.ts'

const ofVersions = `version_id IN (SELECT version_id FROM versions WHERE app_id = ANY($1::bigint[])
  UNION ALL SELECT version_id FROM version_tests WHERE app_id = ANY($1::bigint[]))`

/** What devices have of the app and told of it. */
export const storeHandover: Handover = {
  rows: [
    { table: 'store_counts' },
    { table: 'store_downloads', by: ofVersions },
    { table: 'store_installs' },
    { table: 'store_field' },
    { table: 'store_active' },
    { table: 'store_installations' },
    { table: 'store_pictures', files: ['object_id', 'public_object_id'] },
    { table: 'store_health_devices', by: ofVersions },
    { table: 'store_health' },
    { table: 'store_health_releases' },
  ],
  homeRows: [{ table: 'store_records' }],
  stays: {
    store_reports: 'digests of reports, kept for two days so that none counts twice',
    store_repositories: 'of the team; they list the apps no more',
  },
  home: async (ctx, { appIds, fromTeamId, toTeamId }) => {
    if (fromTeamId === toTeamId) return
    const home = ctx.transaction('home')
    await home.query({
      text: `UPDATE store_repositories SET revision = revision + 1,
          app_ids = ARRAY(SELECT one FROM unnest(app_ids) AS one WHERE one <> ALL($1::bigint[]))
        WHERE team_id = $2 AND app_ids && $1::bigint[]`,
      values: [appIds, fromTeamId],
    })
    const { rows } = await home.query<{ package_name: string }>({
      text: 'SELECT DISTINCT package_name FROM store_records WHERE app_id = ANY($1::bigint[])',
      values: [appIds],
    })
    for (const row of rows) ctx.signal('home', 'store', row.package_name)
  },
}
