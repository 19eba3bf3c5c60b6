import { and, count, desc, eq, ilike, inArray, lt } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { problemsFor } from '../checking.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { differenceOf, mergeOf, threeWayOf } from '../difference.ts'
import { contentOf, lockTemplate, placeOf, refuseProblems, rowOf, type TemplateRow, type Where } from '../drafts.ts'
import { publishedOf } from '../handlers.ts'
import { pageIn } from '../paging.ts'
import { runningProblems } from '../payload.ts'
import { refuseMoved } from '../publishing.ts'
import { emptyTemplate, type Template } from '../rules.ts'
import { rcsVotes, rcsChangeRequests as requests } from '../tables.ts'
import { contentOfVersion } from '../versions.ts'
import { changeRequests } from './contract.ts'
import { type ChangeRow, heads, lockRequest, move, requestOf, viewOf, viewsOf } from './moves.ts'
import { overtakeIfMoved, publishRequest } from './publishing.ts'
import { changeLimits } from './rules.ts'

const largestId = '9223372036854775807'
const open = ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED', 'CONFLICT'] as const

export default implement(changeRequests, {
  listChangeRequests: async (ctx, { query }) => {
    const where = await placeOf(ctx, query)
    const pageSize = query.pageSize ?? 20
    const before = /^[1-9]\d{0,18}$/.test(query.cursor ?? '') ? query.cursor! : largestId
    const search = query.search?.trim() ?? ''
    const wanted = and(
      ofTemplate(where),
      query.state && eq(requests.state, query.state),
      search === '' ? undefined : ilike(requests.title, `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`),
    )
    const rows = await ctx.db
      .select(heads)
      .from(requests)
      .where(and(wanted, lt(requests.changeRequestId, before)))
      .orderBy(desc(requests.changeRequestId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(requests).where(wanted)
    const last = rows.at(-1)
    const nextCursor = rows.length === pageSize && last ? last.changeRequestId : null
    return { total: counted?.total ?? 0, list: await viewsOf(ctx, rows), nextCursor }
  },

  createChangeRequest: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const template = await lockTemplate(ctx, where)
    const asked = await draftOf(ctx, where, template)
    const waiting = await ctx.db.$count(requests, and(ofTemplate(where), inArray(requests.state, [...open])))
    if (waiting >= changeLimits.open) refuse(errors.limit, { message: `${waiting} are open, of ${changeLimits.open}` })
    const now = ctx.now()
    const row = {
      ...{ changeRequestId: ctx.newId(), ...where, teamId: template.teamId, state: 'DRAFT' as const },
      ...{ title: body.title.trim(), description: body.description ?? '', ...asked },
      ...{ publishedVersion: null, round: 1, dueAt: null, createdAt: now, updatedAt: now, revision: 1 },
      createdBy: ctx.caller.accountId,
    }
    await ctx.db.insert(requests).values(row)
    ctx.audit({
      action: 'change_request.create',
      entity: 'change_request',
      entityId: row.changeRequestId,
      after: { ...where, title: row.title, baseVersion: row.baseVersion },
    })
    return viewOf(ctx, body.submit === true ? await move(ctx, row, { action: 'submit' }) : row)
  },

  getChangeRequest: async (ctx, { params }) => viewOf(ctx, await requestOf(ctx, params.changeRequestId)),

  listRequestedChanges: async (ctx, { params, query }) => {
    const row = await requestOf(ctx, params.changeRequestId)
    const list = differenceOf(await baseOf(ctx, row), row.content)
    return pageIn(list, query, one => `${one.thing} ${one.name}`)
  },

  listConflicts: async (ctx, { params, query }) => {
    const row = await requestOf(ctx, params.changeRequestId)
    const template = await rowOf(ctx, row)
    const list = threeWayOf(await baseOf(ctx, row), await publishedOf(ctx, template), row.content)
    return pageIn(list, query, one => `${one.thing} ${one.name}`)
  },

  updateChangeRequest: async (ctx, { params, body }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const template = await lockTemplate(ctx, row)
    const moved = await move(ctx, row, { action: 'update' })
    const taken = body.takeDraft === true ? await draftOf(ctx, row, template) : {}
    const texts = {
      ...(body.title !== undefined && { title: body.title.trim() }),
      ...(body.description !== undefined && { description: body.description }),
    }
    return viewOf(ctx, await write(ctx, moved, { ...texts, ...taken }))
  },

  submitChangeRequest: async (ctx, { params }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const template = await lockTemplate(ctx, row)
    const overtaken = await overtakeIfMoved(ctx, row, template)
    if (overtaken) return viewOf(ctx, overtaken)
    refuseProblems(await problemsFor(ctx, row.projectId, row.content, true))
    refuseProblems(runningProblems(row.content, template))
    return viewOf(ctx, await move(ctx, row, { action: 'submit' }))
  },

  approveChangeRequest: async (ctx, { params, body }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const overtaken = await overtakeIfMoved(ctx, row, await lockTemplate(ctx, row))
    if (overtaken) return viewOf(ctx, overtaken)
    const { reason = '' } = body
    const moved = await move(ctx, row, { action: 'approve', reason })
    await vote(ctx, row, 'APPROVE', reason)
    return viewOf(ctx, moved)
  },

  rejectChangeRequest: async (ctx, { params, body }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const moved = await move(ctx, row, { action: 'reject', reason: body.reason })
    await vote(ctx, row, 'REJECT', body.reason)
    return viewOf(ctx, await write(ctx, moved, { dueAt: null }))
  },

  withdrawChangeRequest: async (ctx, { params }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const moved = await move(ctx, row, { action: 'withdraw' })
    return viewOf(ctx, await write(ctx, moved, { round: row.round + 1, dueAt: null }))
  },

  reviseChangeRequest: async (ctx, { params, body }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const template = await lockTemplate(ctx, row)
    const moved = await move(ctx, row, { action: 'revise', data: { prefer: body.prefer ?? 'mine' } })
    const theirs = await publishedOf(ctx, template)
    const content = mergeOf(await baseOf(ctx, row), theirs, row.content, body.prefer ?? 'mine')
    const base = { baseVersion: template.version, baseDigest: template.digest }
    const more = { round: row.round + 1, dueAt: null, writtenBy: ctx.caller.accountId }
    return viewOf(ctx, await write(ctx, moved, { content, ...base, ...more }))
  },

  scheduleChangeRequest: async (ctx, { params, body }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    const { dueAt } = body
    if (dueAt !== null && dueAt <= ctx.now()) refuse(errors.tooEarly, { at: dueAt })
    const overtaken = await overtakeIfMoved(ctx, row, await lockTemplate(ctx, row))
    if (overtaken) return viewOf(ctx, overtaken)
    const action = dueAt === null ? ('unschedule' as const) : ('schedule' as const)
    const moved = await move(ctx, row, { action, isAhead: true, data: { dueAt } })
    return viewOf(ctx, await write(ctx, moved, { dueAt }))
  },

  publishChangeRequest: async (ctx, { params }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    // Whether another publication was heard of before this call or is met by it, the answer is the same.
    if (row.state === 'CONFLICT') return viewOf(ctx, row)
    return viewOf(ctx, await publishRequest(ctx, row, await lockTemplate(ctx, row), 'CONSOLE'))
  },

  discardChangeRequest: async (ctx, { params }) => {
    const row = await lockRequest(ctx, params.changeRequestId)
    return viewOf(ctx, await move(ctx, row, { action: 'discard' }))
  },
})

const ofTemplate = ({ projectId, kind }: Where) => and(eq(requests.projectId, projectId), eq(requests.kind, kind))

const baseOf = async (ctx: Context, row: ChangeRow): Promise<Template> =>
  row.baseVersion === 0 ? emptyTemplate() : contentOfVersion(ctx, row, row.baseVersion)

/** The template's draft as it is now; one that began before somebody else published is put onto that first. */
async function draftOf(ctx: Context, where: Where, template: TemplateRow) {
  const content = contentOf(template.draft)
  if (template.baseVersion !== template.version) await refuseMoved(ctx, where, template, template.baseVersion, content)
  if (template.draftDigest === template.digest) refuse(errors.unchanged)
  refuseProblems(await problemsFor(ctx, where.projectId, content, true))
  refuseProblems(runningProblems(content, template))
  const base = { baseVersion: template.version, baseDigest: template.digest }
  return { content, ...base, writtenBy: template.updatedBy }
}

async function write(ctx: Context, row: ChangeRow, what: Partial<typeof requests.$inferInsert>): Promise<ChangeRow> {
  if (Object.keys(what).length > 0)
    await ctx.db.update(requests).set(what).where(eq(requests.changeRequestId, row.changeRequestId))
  return { ...row, ...what }
}

async function vote(ctx: Context, row: ChangeRow, verdict: 'APPROVE' | 'REJECT', reason: string): Promise<void> {
  await ctx.db.insert(rcsVotes).values({
    ...{ voteId: ctx.newId(), changeRequestId: row.changeRequestId, projectId: row.projectId, teamId: row.teamId },
    ...{ round: row.round, verdict, reason, votedAt: ctx.now(), votedBy: ctx.caller.accountId },
  })
}
