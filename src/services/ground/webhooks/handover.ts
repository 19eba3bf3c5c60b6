import type { Handover } from '../../../server/handover.ts'

/** Webhooks stay with their team; which project an app is in follows it. */
export const webhooksHandover: Handover = {
  rows: [{ table: 'webhook_apps' }],
  stays: {
    webhook_endpoints: 'of the team that is told',
    webhook_deliveries: 'what that team was told',
    webhook_tries: 'what that team was told',
  },
  zone: async (ctx, { appIds, toProjectId }) => {
    await ctx.transaction(ctx.zone).query({
      text: 'UPDATE webhook_apps SET project_id = $2 WHERE app_id = ANY($1::bigint[])',
      values: [appIds, toProjectId],
    })
  },
}
