import type { Context } from '../../../../server/context.ts'
import type { ProjectRow } from '../queries.ts'
import { agreementCatalogue, serviceCatalogue } from './rules.ts'

interface Counted {
  enabled: string[]
  refused: number
  members: number
  keys: number
  files: number
  stale: number
  properties: number
  agreements: string[]
}

/** A project in numbers, with one statement. */
export async function aggregateOf(ctx: Context, project: ProjectRow) {
  const { projectId, zone, appCount } = project
  const { rows } = await ctx.transaction('home').query<Counted>({
    name: 'project in numbers',
    text: `SELECT
      ARRAY(SELECT service_id FROM service_orders WHERE project_id = $1 AND state = 'ENABLED') AS enabled,
      (SELECT count(*)::int FROM service_orders WHERE project_id = $1 AND state = 'REFUSED') AS refused,
      (SELECT count(*)::int FROM project_members WHERE project_id = $1) AS members,
      (SELECT count(*)::int FROM project_api_keys WHERE project_id = $1 AND state = 'ACTIVE'
        AND (expire_at IS NULL OR expire_at > $3)) AS keys,
      (SELECT count(*)::int FROM config_files WHERE project_id = $1) AS files,
      (SELECT count(*)::int FROM config_files WHERE project_id = $1 AND zone <> $2) AS stale,
      (SELECT count(*)::int FROM project_properties WHERE project_id = $1) AS properties,
      ARRAY(SELECT agreement_id || ' ' || version FROM project_agreements WHERE project_id = $1) AS agreements`,
    values: [projectId, zone, ctx.now()],
  })
  const counted = rows[0]
  if (!counted) throw new Error('nothing was counted')
  const enabled = new Set(counted.enabled)
  const isOn = (category: string) =>
    serviceCatalogue.filter(one => one.category === category && enabled.has(one.serviceId))
  const categories = [...new Set(serviceCatalogue.map(one => one.category))]
  const isSigned = (one: { agreementId: string; version: number }) =>
    counted.agreements.includes(`${one.agreementId} ${one.version}`)
  return {
    projectId,
    services: {
      enabled: enabled.size,
      refused: counted.refused,
      offered: serviceCatalogue.filter(one => !one.notIn.includes(zone)).length,
    },
    byCategory: categories.map(category => ({ category, enabled: isOn(category).length })),
    apps: appCount,
    members: counted.members,
    apiKeys: counted.keys,
    configFiles: counted.files,
    staleConfigFiles: counted.stale,
    properties: counted.properties,
    unsignedAgreements: agreementCatalogue.filter(one => !isSigned(one)).length,
  }
}
