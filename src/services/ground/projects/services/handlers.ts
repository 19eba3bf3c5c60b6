import { and, desc, eq, sql } from 'drizzle-orm'
import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import { siteOfZone } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { accountsOf } from '../../session/public.ts'
import { loadForChange, loadProject } from '../queries.ts'
import { projectAgreements, serviceOrders } from '../tables.home.ts'
import { aggregateOf } from './aggregate.ts'
import { projectServices as contract } from './contract.ts'
import { knownService, lockServices, type Standing, standingOf, toOrder } from './queries.ts'
import {
  agreementCatalogue,
  type CatalogueService,
  dependentsOf,
  obstacleOf,
  serviceCatalogue,
  settingProblem,
  settingsOf,
} from './rules.ts'

const handlers: Handlers<typeof contract> = {
  getOrder: async (ctx, { query }) => {
    const standing = await standingOf(ctx, await loadProject(ctx, query.projectId))
    return toOrder(knownService(query.serviceId), standing)
  },

  orderService: async (ctx, { body }) => {
    const standing = await lockedStanding(ctx, body.projectId)
    const service = knownService(body.serviceId)
    const obstacle = standing.enabled.has(service.serviceId) ? null : whyNot(service, standing)
    if (obstacle) throw obstacle
    await write(ctx, standing, service, { state: 'ENABLED', reason: null })
    return toOrder(service, await standingOf(ctx, standing.project))
  },

  endService: async (ctx, { query }) => {
    const standing = await lockedStanding(ctx, query.projectId)
    const service = knownService(query.serviceId)
    const { serviceId } = service
    if (!standing.enabled.has(serviceId)) refuse(contract.errors.notOrdered, { serviceId })
    const missing = dependentsOf(serviceId, standing.enabled)
    if (missing.length > 0) refuse(contract.errors.neededByOthers, { serviceId, missing })
    await write(ctx, standing, service, { state: 'DISABLED', reason: null })
    return toOrder(service, await standingOf(ctx, standing.project))
  },

  listOrders: async (ctx, { query }) => {
    const standing = await standingOf(ctx, await loadProject(ctx, query.projectId))
    const all = serviceCatalogue.map(service => toOrder(service, standing))
    const list = query.state ? all.filter(one => one.state === query.state) : all
    return { total: list.length, list }
  },

  applyForServices: async (ctx, { body }) => {
    const services = body.serviceIds.map(knownService)
    let standing = await lockedStanding(ctx, body.projectId)
    // In the order of the catalogue: what others stand on comes first.
    for (const service of serviceCatalogue.filter(one => services.includes(one))) {
      if (standing.enabled.has(service.serviceId)) continue
      const reason = whyNot(service, standing)?.message ?? null
      const state = reason === null ? ('ENABLED' as const) : ('REFUSED' as const)
      await write(ctx, standing, service, { state, reason, purpose: body.purpose ?? '' })
      standing = await standingOf(ctx, standing.project)
    }
    return { list: services.map(service => toOrder(service, standing)) }
  },

  queryApplications: async (ctx, { query }) => {
    const { projectId } = await loadProject(ctx, query.projectId)
    const rows = await ctx.home
      .select()
      .from(serviceOrders)
      .where(and(eq(serviceOrders.projectId, projectId), eq(serviceOrders.teamId, ctx.teamId)))
      .orderBy(desc(serviceOrders.updatedAt), serviceOrders.serviceId)
    const people = await accountsOf(ctx, [...new Set(rows.map(row => row.orderedBy))])
    const names = new Map(people.map(one => [one.accountId, one.name]))
    return { list: rows.map(row => ({ ...row, orderedByName: names.get(row.orderedBy) ?? null })) }
  },

  getServiceConfig: async (ctx, { query }) => {
    const service = knownService(query.serviceId)
    const row = orderedRow(service, await standingOf(ctx, await loadProject(ctx, query.projectId)))
    const rules = Object.entries(service.settings).map(([name, rule]) => ({
      name,
      kind: rule.kind,
      min: rule.kind === 'number' ? rule.min : null,
      max: rule.kind === 'number' ? rule.max : null,
      words: rule.kind === 'word' ? [...rule.words] : null,
    }))
    return { ...query, config: settingsOf(service, row.config), rules, revision: row.revision }
  },

  setServiceConfig: async (ctx, { body }) => {
    const { projectId, serviceId } = body
    const service = knownService(serviceId)
    const standing = await lockedStanding(ctx, projectId)
    const row = orderedRow(service, standing)
    for (const [name, value] of Object.entries(body.config)) {
      const problem = settingProblem(service, name, value)
      if (problem) throw badField(`/config/${name}`, 'setting', problem)
    }
    if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
    const config = { ...row.config, ...body.config }
    const revision = row.revision + 1
    await ctx.home
      .update(serviceOrders)
      .set({ config, revision, updatedAt: ctx.now() })
      .where(eq(serviceOrders.orderId, row.orderId))
    tell(ctx, projectId, 'project.service.configured', { serviceId, config })
    return { projectId, serviceId, config: settingsOf(service, config), revision }
  },

  getStrategy: async (ctx, { query }) => {
    const zones = ctx.server.config.zones.filter(zone => query.zone === undefined || zone === query.zone)
    const namesIn = (services: readonly CatalogueService[]) => services.map(one => one.serviceId)
    return {
      list: zones.map(zone => ({
        zone,
        siteId: siteOfZone(zone),
        offered: namesIn(serviceCatalogue.filter(one => !one.notIn.includes(zone))),
        notOffered: namesIn(serviceCatalogue.filter(one => one.notIn.includes(zone))),
      })),
    }
  },

  getAggregateInfo: async (ctx, { query }) => aggregateOf(ctx, await loadProject(ctx, query.projectId)),

  listAgreements: async (ctx, { query }) => {
    const { projectId } = await loadProject(ctx, query.projectId)
    return { list: await agreementsOf(ctx, projectId) }
  },

  signAgreement: async (ctx, { body }) => {
    const { projectId, agreementId, version } = body
    await loadForChange(ctx, projectId)
    const isKnown = agreementCatalogue.some(one => one.agreementId === agreementId && one.version === version)
    if (!isKnown) refuse(contract.errors.noSuchAgreement, { agreementId, version })
    const row = { projectId, agreementId, version, teamId: ctx.teamId, signedBy: ctx.accountId, signedAt: ctx.now() }
    const made = await ctx.home.insert(projectAgreements).values(row).onConflictDoNothing().returning()
    if (made.length > 0) tell(ctx, projectId, 'project.agreement.signed', { agreementId, version })
    const all = await agreementsOf(ctx, projectId)
    return all.find(one => one.agreementId === agreementId) ?? refuse(commonErrors.internal)
  },
}

export default implement(contract, handlers)

async function lockedStanding(ctx: Context, projectId: string): Promise<Standing> {
  const project = await loadForChange(ctx, projectId)
  await lockServices(ctx, projectId)
  return standingOf(ctx, project)
}

function whyNot(service: CatalogueService, { project, enabled, signed }: Standing): Refusal | null {
  const obstacle = obstacleOf(service, { zone: project.zone, enabled, signed })
  if (!obstacle) return null
  const { errors } = contract
  const row = { zone: errors.notInZone, agreement: errors.agreementNeeded, service: errors.serviceNeeded }[
    obstacle.kind
  ]
  return new Refusal(row, { serviceId: service.serviceId, zone: project.zone, missing: obstacle.missing })
}

function orderedRow(service: CatalogueService, { orders, enabled }: Standing) {
  const { serviceId } = service
  const row = orders.get(serviceId)
  return row && enabled.has(serviceId) ? row : refuse(contract.errors.notOrdered, { serviceId })
}

async function write(
  ctx: Context,
  { project, orders }: Standing,
  { serviceId }: CatalogueService,
  change: { state: 'ENABLED' | 'DISABLED' | 'REFUSED'; reason: string | null; purpose?: string },
): Promise<void> {
  if (orders.get(serviceId)?.state === change.state && change.state === 'ENABLED') return
  const { projectId, teamId } = project
  const now = ctx.now()
  const row = {
    orderId: ctx.newId(),
    projectId,
    teamId,
    serviceId,
    orderedBy: ctx.accountId,
    orderedAt: now,
    updatedAt: now,
  }
  await ctx.home
    .insert(serviceOrders)
    .values({ ...row, ...change })
    .onConflictDoUpdate({
      target: [serviceOrders.projectId, serviceOrders.serviceId],
      set: { ...change, updatedAt: now, revision: sql`${serviceOrders.revision} + 1` },
    })
  tell(ctx, projectId, `project.service.${change.state.toLowerCase()}`, { serviceId, zone: project.zone })
}

function tell(ctx: Context, projectId: string, type: string, data: Record<string, unknown>): void {
  ctx.audit({ action: type, entity: 'project', entityId: projectId, after: data }, 'home')
  ctx.emit({ type, entity: 'project', entityId: projectId, data }, 'home')
}

async function agreementsOf(ctx: Context, projectId: string) {
  const rows = await ctx.home
    .select()
    .from(projectAgreements)
    .where(and(eq(projectAgreements.projectId, projectId), eq(projectAgreements.teamId, ctx.teamId)))
  return agreementCatalogue.map(({ agreementId, version, name }) => {
    const signed = rows.find(row => row.agreementId === agreementId && row.version === version)
    const { signedBy = null, signedAt = null } = signed ?? {}
    return { agreementId, version, name, isSigned: signed !== undefined, signedBy, signedAt }
  })
}
