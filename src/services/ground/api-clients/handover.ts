import type { Handover } from '../../../server/handover.ts'

/** Programs stay with their team, so an app that signs its people in through one waits until that is deleted. */
export const apiClientsHandover: Handover = {
  stays: {
    api_clients: 'of the team; one that is bound to an app keeps it from going',
    client_secrets: 'of the client',
    client_keys: 'of the client',
    client_grants: 'of the team that gave them',
  },
  blocks: async (ctx, appIds) => {
    const { rows } = await ctx.transaction('home').query<{ app_id: string }>({
      text: 'SELECT DISTINCT app_id FROM api_clients WHERE app_id = ANY($1::bigint[])',
      values: [appIds],
    })
    return rows.map(row => ({ appId: row.app_id, block: 'API_CLIENTS' }))
  },
}
