import type { Context } from '../../../server/context.ts'
import type { Handing, Handover } from '../../../server/handover.ts'

const ofVersions = `version_id IN (SELECT version_id FROM versions WHERE app_id = ANY($1::bigint[])
  UNION ALL SELECT version_id FROM version_tests WHERE app_id = ANY($1::bigint[]))`

/** Every version with its listing, history and tests. */
export const versionsHandover: Handover = {
  rows: [
    { table: 'versions' },
    { table: 'listings', by: ofVersions, files: ['icon', 'screenshots', 'film', 'film_cover'] },
    { table: 'phased_releases' },
    { table: 'phased_changes' },
    { table: 'version_codes' },
    { table: 'version_withdrawals' },
    { table: 'roll_forwards' },
    { table: 'app_renames' },
    { table: 'app_installs' },
    { table: 'version_ai_declarations' },
    { table: 'version_tests' },
    { table: 'version_test_installs', by: ofVersions },
  ],
  stays: {
    version_contacts: 'addresses of people of the old team, so they are deleted',
    version_bulks: 'what the old team did with many at once',
    version_bulk_items: 'as the bulk',
  },
  blocks: async (ctx, appIds) => {
    const { rows } = await ctx.transaction(ctx.zone).query<{ app_id: string; block: string }>({
      text: `SELECT DISTINCT app_id, CASE WHEN state = 'PHASED' THEN 'PHASED' ELSE 'SUBMITTED' END AS block
          FROM versions WHERE app_id = ANY($1::bigint[])
            AND (state IN ('PHASED', 'PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE', 'SHELF_OFF_REVIEW') OR submit_queued_by IS NOT NULL)
        UNION SELECT DISTINCT app_id, 'SUBMITTED' FROM version_tests
          WHERE app_id = ANY($1::bigint[]) AND state IN ('PRECHECK', 'IN_REVIEW')`,
      values: [appIds],
    })
    return rows.map(row => ({ appId: row.app_id, block: row.block }))
  },
  zone: async (ctx, handing) => {
    if (handing.fromTeamId !== handing.toTeamId) await dropPeople(ctx, handing)
  },
}

/** What was told of people in confidence to the old team does not go: reviewers' contacts, sign-ins for reviewers. */
async function dropPeople(ctx: Context, { appIds }: Handing): Promise<void> {
  const zone = ctx.transaction(ctx.zone)
  const values = [appIds]
  await zone.query({ text: 'DELETE FROM version_contacts WHERE app_id = ANY($1::bigint[])', values })
  await zone.query({
    text: `UPDATE versions SET test_account = '', test_password_sealed = NULL WHERE app_id = ANY($1::bigint[])`,
    values,
  })
}
