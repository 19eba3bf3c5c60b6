import type { Handover } from '../../../server/handover.ts'
import { tellClientEnded } from './config-files/app-client.ts'

/** The index of apps follows them; what was issued for the old project is void there. */
export const projectsHandover: Handover = {
  homeRows: [{ table: 'project_apps' }],
  stays: {
    projects: 'a project stays with its team',
    project_properties: 'of the project',
    project_mappings: 'of the project',
    project_members: 'of the project',
    team_projects: 'of the project',
    project_agreements: 'of the project',
    project_apis: 'of the project',
    project_api_keys: 'of the project',
    service_orders: 'of the project',
    service_applications: 'of the project',
    service_subscriptions: 'of the project',
    region_changes: 'of the project',
    config_files: 'it speaks of the old project, so it is deleted',
    home_items: 'made anew from events',
  },
  home: async (ctx, { appIds, toProjectId }) => {
    const home = ctx.transaction('home')
    const { rows } = await home.query<{ project_id: string }>({
      text: 'SELECT DISTINCT project_id FROM project_apps WHERE app_id = ANY($1::bigint[])',
      values: [appIds],
    })
    await home.query({ text: 'DELETE FROM config_files WHERE app_id = ANY($1::bigint[])', values: [appIds] })
    tellClientEnded(ctx, { clientId: '' })
    await home.query({ text: 'DELETE FROM home_items WHERE app_id = ANY($1::bigint[])', values: [appIds] })
    await home.query({
      text: 'UPDATE project_apps SET project_id = $2 WHERE app_id = ANY($1::bigint[])',
      values: [appIds, toProjectId],
    })
    await home.query({
      text: `UPDATE projects p SET app_count =
          (SELECT count(*) FROM project_apps a WHERE a.project_id = p.project_id AND NOT a.has_ended)
        WHERE p.project_id = ANY($1::bigint[])`,
      values: [[...rows.map(row => row.project_id), toProjectId]],
    })
  },
}
