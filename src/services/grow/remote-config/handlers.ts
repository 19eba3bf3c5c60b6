import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { approvalsNeeded } from './approvals.ts'
import { problemsFor } from './checking.ts'
import {
  conditionView,
  createCondition,
  deleteCondition,
  orderConditions,
  updateCondition,
  viewsOf,
} from './conditions.ts'
import { remoteConfigErrors as errors, type HeadView, remoteConfig } from './contract.ts'
import { differenceOf, mergeOf } from './difference.ts'
import {
  contentOf,
  draftOf,
  lockTemplate,
  ofTemplate,
  placeOf,
  record,
  rowOf,
  type TemplateRow,
  type Where,
  writeDraft,
} from './drafts.ts'
import { deleteGroup, putGroup } from './groups.ts'
import { pageIn } from './paging.ts'
import {
  createParameter,
  deleteParameter,
  found,
  type InForce,
  loadParameter,
  type ParameterFilter,
  type ParameterWish,
  updateParameter,
  viewOf,
} from './parameters.ts'
import { runningProblems } from './payload.ts'
import { readsOf } from './reads.ts'
import { emptyTemplate, etagOf, type Template, valueCharsOf } from './rules.ts'
import { type Draft, rcsTemplates } from './tables.ts'
import { contentOfVersion } from './versions.ts'

const emptyDraft = emptyTemplate() as Draft

export default implement(remoteConfig, {
  getHead: async (ctx, { query }) => headView(ctx, await placeOf(ctx, query)),

  listParameters: async (ctx, { query }) => {
    const row = await rowOf(ctx, await placeOf(ctx, query))
    const list = found(row?.draft ?? emptyDraft, await inForceOf(ctx, query, row), query as ParameterFilter)
    return pageIn(list, query, one => one.key)
  },

  createParameter: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const [row, one] = await createParameter(ctx, where, body.key, body as ParameterWish)
    return viewOf(body.key, one, await inForceOf(ctx, where, row))
  },

  getParameter: async (ctx, { params, query }) => {
    const row = await rowOf(ctx, await placeOf(ctx, query))
    return viewOf(params.key, loadParameter(row, params.key), await inForceOf(ctx, query, row))
  },

  updateParameter: async (ctx, { params, body }) => {
    const where = await placeOf(ctx, body)
    const [row, one] = await updateParameter(ctx, where, params.key, body as ParameterWish & { revision: number })
    return viewOf(body.newKey ?? params.key, one, await inForceOf(ctx, where, row))
  },

  deleteParameter: async (ctx, { params, query }) => {
    await deleteParameter(ctx, await placeOf(ctx, query), params.key)
    return {}
  },

  listConditions: async (ctx, { query }) => {
    const { row, published } = await stateOf(ctx, query)
    const search = query.search?.trim().toLowerCase() ?? ''
    const list = viewsOf(row?.draft ?? emptyDraft, published)
    const wanted = list.filter(one => `${one.name}\n${one.description}`.toLowerCase().includes(search))
    return pageIn(wanted, query, one => one.name)
  },

  createCondition: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    await createCondition(ctx, where, body.name, body)
    return conditionNow(ctx, where, body.name)
  },

  getCondition: async (ctx, { params, query }) => {
    const { row, published } = await stateOf(ctx, query)
    return conditionView(row, published, params.name)
  },

  updateCondition: async (ctx, { params, body }) => {
    const where = await placeOf(ctx, body)
    await updateCondition(ctx, where, params.name, body)
    return conditionNow(ctx, where, body.newName ?? params.name)
  },

  deleteCondition: async (ctx, { params, query }) => {
    await deleteCondition(ctx, await placeOf(ctx, query), params.name, query.force === true)
    return {}
  },

  orderConditions: async (ctx, { body }) => {
    await orderConditions(ctx, await placeOf(ctx, body), body.names)
    return {}
  },

  putGroup: async (ctx, { params, body }) => {
    await putGroup(ctx, await placeOf(ctx, body), params.group, body)
    return {}
  },

  deleteGroup: async (ctx, { params, query }) => {
    await deleteGroup(ctx, await placeOf(ctx, query), params.group)
    return {}
  },

  listDraftChanges: async (ctx, { query }) => {
    const { row, published } = await stateOf(ctx, query)
    const list = row ? differenceOf(published, contentOf(row.draft)) : []
    return pageIn(list, query, one => `${one.thing} ${one.name}`)
  },

  checkDraft: async (ctx, { query }) => {
    const where = await placeOf(ctx, query)
    const row = await rowOf(ctx, where)
    if (!row) return { ok: true, problems: [] }
    const content = contentOf(row.draft)
    const found = await problemsFor(ctx, where.projectId, content)
    const problems = [...found, ...runningProblems(content, row)].slice(0, 200)
    return { ok: problems.length === 0, problems }
  },

  rebaseDraft: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const row = await lockTemplate(ctx, where)
    const base = row.baseVersion === 0 ? emptyTemplate() : await contentOfVersion(ctx, where, row.baseVersion)
    const merged = mergeOf(base, await publishedOf(ctx, row), contentOf(row.draft), body.prefer)
    await writeDraft(ctx, where, draftOf(merged, row.revision + 1, row.draft))
    await ctx.db.update(rcsTemplates).set({ baseVersion: row.version }).where(ofTemplate(where))
    record(ctx, where, 'draft_rebased', { onto: row.version, prefer: body.prefer })
    return headView(ctx, where)
  },

  discardDraft: async (ctx, { query }) => {
    const where = await placeOf(ctx, query)
    const row = await lockTemplate(ctx, where)
    if (row.draftDigest === row.digest) refuse(errors.unchanged)
    await writeDraft(ctx, where, draftOf(await publishedOf(ctx, row), row.revision + 1, row.draft))
    await ctx.db.update(rcsTemplates).set({ baseVersion: row.version }).where(ofTemplate(where))
    record(ctx, where, 'draft_discarded', { version: row.version })
    return headView(ctx, where)
  },
})

/** What is in force, of a template that was read. */
export async function publishedOf(ctx: Context, row: TemplateRow | null): Promise<Template> {
  return row && row.version > 0 ? contentOfVersion(ctx, row, row.version) : emptyTemplate()
}

async function inForceOf(ctx: Context, where: Where, row: TemplateRow | null): Promise<InForce> {
  const published = await publishedOf(ctx, row)
  const { rollouts = [], valuesSince: since = {} } = row ?? {}
  return { published, rollouts, since, readAt: await readsOf(ctx, where), now: ctx.now() }
}

async function stateOf(ctx: Context, asked: Where): Promise<{ row: TemplateRow | null; published: Template }> {
  const row = await rowOf(ctx, await placeOf(ctx, asked))
  return { row, published: await publishedOf(ctx, row) }
}

async function conditionNow(ctx: Context, where: Where, name: string) {
  const row = await rowOf(ctx, where)
  return conditionView(row, await publishedOf(ctx, row), name)
}

async function headView(ctx: Context, where: Where): Promise<HeadView> {
  const row = await rowOf(ctx, where)
  const draft = row?.draft ?? emptyDraft
  const counts = new Map<string, number>()
  for (const { group } of Object.values(draft.parameters))
    if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1)
  const groups = Object.entries(draft.groups).map(([name, { description }]) => ({
    ...{ name, description, parameters: counts.get(name) ?? 0 },
  }))
  return {
    ...where,
    version: row?.version ?? 0,
    etag: etagOf(where.projectId, where.kind, row?.version ?? 0),
    publishedAt: row?.publishedAt ?? null,
    baseVersion: row?.baseVersion ?? 0,
    isChanged: row !== null && row.draftDigest !== row.digest,
    parameters: Object.keys(draft.parameters).length,
    conditions: draft.conditions.length,
    groups: groups.sort((a, b) => (a.name < b.name ? -1 : 1)),
    valueChars: valueCharsOf(draft),
    approvalsNeeded: await approvalsNeeded(ctx, where.projectId),
    updatedAt: row?.updatedAt ?? null,
    revision: row?.revision ?? 0,
  }
}
