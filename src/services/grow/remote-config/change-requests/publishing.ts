import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { problemsFor } from '../checking.ts'
import { lockTemplate, refuseProblems, type TemplateRow } from '../drafts.ts'
import { runningProblems } from '../payload.ts'
import { publish } from '../publishing.ts'
import type { Kind } from '../rules.ts'
import { rcsChangeRequests as requests } from '../tables.ts'
import { type ChangeRow, heads, move } from './moves.ts'

type WholeRow = typeof requests.$inferSelect
const waiting = ['DRAFT', 'SUBMITTED', 'APPROVED'] as const
const mostAtOnce = 20

/** A request whose base says something else by now becomes a conflict, which is answered; null where it stands. */
export async function overtakeIfMoved(
  ctx: Context,
  row: ChangeRow & { baseDigest: string },
  template: TemplateRow,
): Promise<ChangeRow | null> {
  if (row.baseVersion === template.version || !waiting.some(one => one === row.state)) return null
  const set = (what: Partial<WholeRow>) =>
    ctx.db.update(requests).set(what).where(eq(requests.changeRequestId, row.changeRequestId))
  if (row.baseDigest === template.digest) {
    await set({ baseVersion: template.version })
    return null
  }
  const data = { version: template.version, baseVersion: row.baseVersion }
  const moved = await move(ctx, row, { action: 'overtake', data, isConsequence: true })
  await set({ dueAt: null })
  return { ...moved, dueAt: null }
}

/** Puts what was agreed into force; a base that moved makes it a conflict instead. */
export async function publishRequest(
  ctx: Context,
  row: WholeRow,
  template: TemplateRow,
  origin: 'CONSOLE' | 'SCHEDULE',
): Promise<ChangeRow> {
  const overtaken = await overtakeIfMoved(ctx, row, template)
  if (overtaken) return overtaken
  const version = template.version + 1
  const isConsequence = origin === 'SCHEDULE' ? { isConsequence: true as const } : {}
  const moved = await move(ctx, row, { action: 'publish', data: { version, origin }, ...isConsequence })
  await publish(ctx, row, template, { content: row.content, origin, description: row.title })
  const what = { publishedVersion: version, dueAt: null }
  await ctx.db.update(requests).set(what).where(eq(requests.changeRequestId, row.changeRequestId))
  return { ...moved, ...what }
}

/** What stands on a version that is in force no more, after each publication. */
export async function overtakeOthers(ctx: Context, where: { projectId: string; kind: Kind }): Promise<void> {
  const rows = await ctx.db
    .select({ ...heads, baseDigest: requests.baseDigest })
    .from(requests)
    .where(
      and(
        eq(requests.projectId, where.projectId),
        eq(requests.kind, where.kind),
        inArray(requests.state, [...waiting]),
      ),
    )
    .for('update')
  const [first] = rows
  if (!first) return
  const template = await lockTemplate(ctx, where, first.teamId)
  for (const row of rows) await overtakeIfMoved(ctx, row, template)
}

/** Publishes what is due; what cannot be published any more stays as it is, without its time, and its author hears of it. */
export async function publishDueRequests(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(requests)
    .where(and(eq(requests.state, 'APPROVED'), lte(requests.dueAt, ctx.now())))
    .orderBy(asc(requests.dueAt), asc(requests.changeRequestId))
    .limit(mostAtOnce)
    .for('update', { skipLocked: true })
  for (const row of due) {
    const template = await lockTemplate(ctx, row, row.teamId)
    try {
      // Before the move: what is refused leaves the request where it is.
      if (row.baseDigest === template.digest) {
        refuseProblems(await problemsFor(ctx, row.projectId, row.content, true))
        refuseProblems(runningProblems(row.content, template))
      }
      await publishRequest(ctx, row, template, 'SCHEDULE')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await ctx.db
        .update(requests)
        .set({ dueAt: null, revision: row.revision + 1, updatedAt: ctx.now() })
        .where(eq(requests.changeRequestId, row.changeRequestId))
      ctx.emit({
        type: 'remote_config.change_failed',
        entity: 'change_request',
        entityId: row.changeRequestId,
        teamId: row.teamId,
        data: {
          projectId: row.projectId,
          kind: row.kind,
          title: row.title,
          createdBy: row.createdBy,
          reason: error.message,
        },
      })
    }
  }
}
