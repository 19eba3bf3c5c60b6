import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { explain } from '../../../../kernel/targeting/evaluate.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { settingsOf } from '../approvals.ts'
import { expandAll } from '../condition-rules.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { contentOf, placeOf, rowOf } from '../drafts.ts'
import { BadContext, contextOf } from '../fetch/asked.ts'
import { withAudiences } from '../fetch/audiences.ts'
import { Asking, compileTemplate } from '../fetch/compiled.ts'
import { keptVariants } from '../fetch/experiments.ts'
import { pageIn } from '../paging.ts'
import { publishChannel } from '../publishing.ts'
import { emptyTemplate, kinds, limits } from '../rules.ts'
import { type KeptAttribute, rcsSettings } from '../tables.ts'
import { contentOfVersion } from '../versions.ts'
import { systemAttributes } from './attributes.data.ts'
import { remoteConfigSettings } from './contract.ts'

type Row = typeof rcsSettings.$inferSelect

export default implement(remoteConfigSettings, {
  getSettings: async (ctx, { query }) => {
    const { projectId } = await projectIn(ctx, query.projectId)
    return viewOf(projectId, await settingsOf(ctx, projectId))
  },

  putSettings: async (ctx, { body }) => {
    const { projectId } = await projectIn(ctx, body.projectId)
    const before = await lockSettings(ctx, projectId)
    if (body.revision !== undefined && body.revision !== before.revision)
      refuse(commonErrors.stale, { revision: before.revision })
    const { minFetchIntervalSec, approvals = before.approvals } = body
    if (approvals !== before.approvals && !ctx.may('remoteConfig.force'))
      refuse(commonErrors.notAllowed, { permission: 'remoteConfig.force' })
    await write(ctx, projectId, { minFetchIntervalSec, approvals })
    ctx.audit({ action: 'remote_config.settings', ...subject(projectId), after: { minFetchIntervalSec, approvals } })
    for (const kind of kinds) ctx.signal(ctx.zone, publishChannel, `${projectId} ${kind} 0`)
    return viewOf(projectId, await settingsOf(ctx, projectId))
  },

  listAttributes: async (ctx, { query }) => {
    const { projectId } = await projectIn(ctx, query.projectId)
    const own = (await settingsOf(ctx, projectId))?.attributes ?? []
    const list = [
      ...systemAttributes.map(one => ({ ...one, isOwn: false })),
      ...own.map(one => ({ ...one, isOwn: true })),
    ]
    return pageIn(list, query, one => one.name)
  },

  putAttribute: async (ctx, { params, body }) => {
    const { projectId } = await projectIn(ctx, body.projectId)
    const { name } = params
    if (systemAttributes.some(one => one.name === name)) refuse(errors.attributeTaken, { name })
    const { attributes } = await lockSettings(ctx, projectId)
    const others = attributes.filter(one => one.name !== name)
    if (others.length >= limits.attributes) refuse(errors.limit, { message: `${limits.attributes} attributes` })
    const { type, source, description = '' } = body
    const made: KeptAttribute = { name, type, source, description }
    await write(ctx, projectId, { attributes: [...others, made].sort((a, b) => (a.name < b.name ? -1 : 1)) })
    ctx.audit({ action: 'remote_config.attribute_put', ...subject(projectId), after: { ...made } })
    return made
  },

  deleteAttribute: async (ctx, { params, query }) => {
    const { projectId } = await projectIn(ctx, query.projectId)
    const { attributes } = await lockSettings(ctx, projectId)
    const { name } = params
    if (!attributes.some(one => one.name === name)) refuse(commonErrors.notFound, { entity: 'attribute', id: name })
    await write(ctx, projectId, { attributes: attributes.filter(one => one.name !== name) })
    ctx.audit({ action: 'remote_config.attribute_deleted', ...subject(projectId), after: { name } })
    return {}
  },

  evaluate: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const row = await rowOf(ctx, where)
    const published = () => (row && row.version > 0 ? contentOfVersion(ctx, where, row.version) : emptyTemplate())
    const content = body.of === 'draft' && row ? contentOf(row.draft) : await published()
    const version = row?.version ?? 0
    const compiled = compileTemplate({
      ...{ ...where, version, content, teamId: null, publishedAt: 0, minFetchIntervalSec: 0 },
      running: row?.running ?? [],
      rollouts: row?.rollouts ?? [],
    })
    const said = contextFrom(body.context, ctx.now())
    const context = await withAudiences(ctx.server, ctx.zone, { ...compiled, teamId: ctx.teamId }, said)
    const kept = await keptVariants(ctx.server, ctx.zone, { ...compiled, teamId: ctx.teamId }, context)
    const asking = new Asking(compiled, context, kept)
    const wanted = [...compiled.parameters.values()].filter(one => body.key === undefined || one.key === body.key)
    const list = wanted.map(parameter => {
      const { text, condition, rollout = null } = asking.outcomeOf(parameter)
      const assigned = asking.assignedTo(parameter)
      const name = row?.running.find(one => one.experimentId === assigned?.id)?.name
      const experiment = assigned && { experimentId: assigned.id, name: name ?? '', variant: assigned.variant }
      const value = { value: text ?? null, isInAppDefault: text === undefined }
      return { key: parameter.key, ...value, condition, experiment, rollout }
    })
    const asked = body.key === undefined ? null : new Set(wanted.flatMap(one => one.cases.map(two => two.condition)))
    const expanded = expandAll(content.conditions)
    const conditions = content.conditions.flatMap(({ name }, place) => {
      const found = expanded.get(name)
      if ((asked && !asked.has(place)) || !found || 'problem' in found) return []
      const explained = explain(found.rule, context)
      return [{ name, isTrue: explained.outcome === 'true', explained }]
    })
    // A page of conditions would be no use without its parameters: those of one key, or the first hundred.
    return { templateVersion: version, ...pageIn(list, body, one => one.key), conditions: conditions.slice(0, 100) }
  },
})

const subject = (projectId: string) => ({ entity: 'remote_config', entityId: projectId })
const projectIn = (ctx: Context, projectId: string) => placeOf(ctx, { projectId, kind: 'client' })

function contextFrom(said: unknown, now: number) {
  try {
    return contextOf(said, {}, now)
  } catch (error) {
    if (error instanceof BadContext) refuse(errors.badContext, { reason: error.message })
    throw error
  }
}

async function lockSettings(ctx: Context, projectId: string): Promise<Row> {
  await ctx.db
    .insert(rcsSettings)
    .values({
      ...{ projectId, teamId: ctx.teamId, minFetchIntervalSec: limits.defaultFetchSeconds },
      ...{ attributes: [], updatedAt: ctx.now() },
    })
    .onConflictDoNothing()
  const [row] = await ctx.db.select().from(rcsSettings).where(eq(rcsSettings.projectId, projectId)).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}

async function write(ctx: Context, projectId: string, what: Partial<Row>): Promise<void> {
  await ctx.db
    .update(rcsSettings)
    .set({ ...what, updatedAt: ctx.now(), revision: sql`${rcsSettings.revision} + 1` })
    .where(eq(rcsSettings.projectId, projectId))
}

const viewOf = (projectId: string, row: Row | undefined) => ({
  projectId,
  minFetchIntervalSec: row?.minFetchIntervalSec ?? limits.defaultFetchSeconds,
  approvals: row?.approvals ?? 0,
  revision: row?.revision ?? null,
})
