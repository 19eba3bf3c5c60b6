import { refuse } from '../../../../kernel/errors.ts'
import type { Rule } from '../../../../kernel/targeting/rule.ts'
import { implement, type WireAccess } from '../../../../server/implement.ts'
import { refuseUnapproved } from '../approvals.ts'
import { problemsFor } from '../checking.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { differenceOf } from '../difference.ts'
import { lockTemplate, placeOf, rowOf, type Where } from '../drafts.ts'
import { pageIn } from '../paging.ts'
import { assertEtag, publish, publishDraft, rollback } from '../publishing.ts'
import { emptyTemplate, etagOf, type Kind, type Template } from '../rules.ts'
import { contentOfVersion, listVersions, type VersionRow, versionOf } from '../versions.ts'
import { remoteConfigReleases, type VersionView } from './contract.ts'
import { cancel, listSchedules, schedule } from './schedules.ts'

export default implement(remoteConfigReleases, {
  getTemplate: async (ctx, { params, query }, wire) => {
    const where = await placeOf(ctx, { ...params, kind: query.kind ?? 'client' })
    const row = await rowOf(ctx, where)
    const version = query.versionNumber ?? row?.version ?? 0
    const content = version === 0 ? emptyTemplate() : await contentOfVersion(ctx, where, version)
    const etag = etagOf(where.projectId, where.kind, version)
    wire.reply.header('etag', etag)
    return { ...(content as Shown), version, etag }
  },

  publishTemplate: async (ctx, { params, query, body }, wire) => {
    const where = await placeOf(ctx, { ...params, kind: query.kind ?? 'client' })
    const { description = '', ...content } = body
    await refuseUnapproved(ctx, where.projectId, matchOf(wire))
    const row = await lockTemplate(ctx, where)
    await assertEtag(ctx, where, row, matchOf(wire), content as Template)
    const made = await publish(ctx, where, row, { content: content as Template, origin: 'REST', description })
    return answer(where, made, wire)
  },

  validateTemplate: async (ctx, { params, query, body }) => {
    const { projectId } = await placeOf(ctx, { ...params, kind: query.kind ?? 'client' })
    const problems = await problemsFor(ctx, projectId, body as Template)
    return { ok: problems.length === 0, problems }
  },

  listReleases: async (ctx, { query }) => {
    const where = await placeOf(ctx, query)
    const row = await rowOf(ctx, where)
    const page = await listVersions(ctx, where, query)
    return { ...page, list: page.list.map(one => viewOf(where, one, row?.version ?? 0)) }
  },

  publishDraft: async (ctx, { body }, wire) => {
    const where = await placeOf(ctx, body)
    await refuseUnapproved(ctx, where.projectId, matchOf(wire))
    return answer(where, await publishDraft(ctx, where, matchOf(wire), body.description ?? ''), wire)
  },

  getRelease: async (ctx, { params, query }) => {
    const where = await placeOf(ctx, query)
    const row = await rowOf(ctx, where)
    return viewOf(where, await versionOf(ctx, where, params.version), row?.version ?? 0)
  },

  compareReleases: async (ctx, { params, query }) => {
    const where = await placeOf(ctx, query)
    const contentOf = async (version: number) =>
      version === 0 ? emptyTemplate() : contentOfVersion(ctx, where, version)
    const list = differenceOf(await contentOf(params.version), await contentOf(params.other))
    return pageIn(list, query, one => `${one.thing} ${one.name}`)
  },

  rollbackRelease: async (ctx, { params, body }, wire) => {
    const where = await placeOf(ctx, body)
    const description = body.description ?? ''
    return answer(where, await rollback(ctx, where, params.version, matchOf(wire), description), wire)
  },

  listSchedules: async (ctx, { query }) => listSchedules(ctx, await placeOf(ctx, query), query),

  scheduleDraft: async (ctx, { body }, wire) => {
    const where = await placeOf(ctx, body)
    if (body.dueAt <= ctx.now()) refuse(errors.tooEarly, { at: body.dueAt })
    await refuseUnapproved(ctx, where.projectId, undefined)
    return schedule(ctx, where, { ...body, etag: matchOf(wire) })
  },

  cancelSchedule: async (ctx, { params, query }) => cancel(ctx, await placeOf(ctx, query), params.scheduleId),
})

/** Rules are whatever their own reader took. */
type Shown = Omit<Template, 'conditions'> & {
  conditions: (Template['conditions'][number] & { rule: Rule })[]
}

const matchOf = ({ request }: WireAccess) => request.headers['if-match']

const viewOf = (where: { projectId: string; kind: Kind }, row: VersionRow, inForce: number): VersionView => ({
  ...row,
  etag: etagOf(where.projectId, where.kind, row.version),
  isInForce: row.version === inForce,
})

function answer(where: Where, made: VersionRow, wire: WireAccess): VersionView {
  const view = viewOf(where, made, made.version)
  wire.reply.header('etag', view.etag)
  return view
}
