import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { ProjectRow } from '../queries.ts'
import { projectAgreements, serviceOrders } from '../tables.home.ts'
import { projectServices as contract } from './contract.ts'
import {
  agreementCatalogue,
  type CatalogueService,
  dependentsOf,
  obstacleOf,
  serviceNamed,
  settingsOf,
} from './rules.ts'

export type OrderRow = typeof serviceOrders.$inferSelect

/** A project with what its services depend on. */
export interface Standing {
  project: ProjectRow
  orders: Map<string, OrderRow>
  enabled: Set<string>
  signed: Set<string>
}

export function knownService(serviceId: string): CatalogueService {
  return serviceNamed(serviceId) ?? refuse(contract.errors.noSuchService, { serviceId })
}

/** Turns of services of one project wait for each other, so that what one needs does not end meanwhile. */
export async function lockServices(ctx: Context, projectId: string): Promise<void> {
  await ctx.transaction('home').query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
}

export async function standingOf(ctx: Context, project: ProjectRow): Promise<Standing> {
  const { projectId } = project
  const rows = await ctx.home
    .select()
    .from(serviceOrders)
    .where(and(eq(serviceOrders.projectId, projectId), eq(serviceOrders.teamId, ctx.teamId)))
  const signatures = await ctx.home
    .select({ agreementId: projectAgreements.agreementId, version: projectAgreements.version })
    .from(projectAgreements)
    .where(and(eq(projectAgreements.projectId, projectId), eq(projectAgreements.teamId, ctx.teamId)))
  const current = agreementCatalogue.filter(one =>
    signatures.some(signed => signed.agreementId === one.agreementId && signed.version === one.version),
  )
  return {
    project,
    orders: new Map(rows.map(row => [row.serviceId, row])),
    enabled: new Set(rows.filter(row => row.state === 'ENABLED').map(row => row.serviceId)),
    signed: new Set(current.map(one => one.agreementId)),
  }
}

export function toOrder(service: CatalogueService, standing: Standing) {
  const { project, orders, enabled, signed } = standing
  const row = orders.get(service.serviceId)
  const state = row?.state ?? ('NONE' as const)
  return {
    orderId: row?.orderId ?? null,
    projectId: project.projectId,
    serviceId: service.serviceId,
    category: service.category,
    name: service.name,
    state,
    reason: row?.reason ?? null,
    obstacle: state === 'ENABLED' ? null : toObstacle(obstacleOf(service, { zone: project.zone, enabled, signed })),
    neededBy: dependentsOf(service.serviceId, enabled),
    config: settingsOf(service, row?.config ?? {}),
    orderedAt: row?.orderedAt ?? null,
    revision: row?.revision ?? 0,
  }
}

function toObstacle(obstacle: ReturnType<typeof obstacleOf>) {
  return obstacle && { kind: obstacle.kind, missing: [...obstacle.missing] }
}
