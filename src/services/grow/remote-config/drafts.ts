import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, type ErrorRow, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { remoteConfigErrors as errors } from './contract.ts'
import { emptyTemplate, type Kind, type Template } from './rules.ts'
import { type Draft, rcsTemplates } from './tables.ts'
import type { Fault, Problem } from './validation.ts'

export interface Where {
  projectId: string
  kind: Kind
}

export type TemplateRow = typeof rcsTemplates.$inferSelect

/** The project must be the team's, and its data here. */
export async function placeOf(ctx: Context, { projectId, kind }: Where): Promise<Where> {
  const project = await projectOf(ctx, projectId)
  if (project.zone !== ctx.zone) refuse(errors.zoneElsewhere, { zone: project.zone })
  return { projectId, kind }
}

export const ofTemplate = ({ projectId, kind }: Where) =>
  and(eq(rcsTemplates.projectId, projectId), eq(rcsTemplates.kind, kind))

export const subjectOf = ({ projectId, kind }: Where) => `${projectId}/${kind}`

/** A text that equal templates have alike, however their fields are ordered; the order of conditions counts. */
export function digestOf(template: Template): string {
  return createHash('sha256').update(canonical(template)).digest('base64url')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`).join(',')}}`
}

const emptyDigest = digestOf(emptyTemplate())

/** What a draft says, without the counts of its writes. */
export function contentOf(draft: Draft): Template {
  return {
    conditions: draft.conditions.map(({ revision: _revision, ...one }) => one),
    parameters: Object.fromEntries(
      Object.entries(draft.parameters).map(([key, { revision: _revision, ...one }]) => [key, one]),
    ),
    groups: draft.groups,
  }
}

/** A draft of a template; what stays as it was keeps its count. */
export function draftOf(template: Template, revision: number, before?: Draft): Draft {
  const same = (a: object | undefined, b: object) => a !== undefined && canonical(a) === canonical(b)
  const known = new Map(before?.conditions.map(one => [one.name, one]))
  const count = <T extends object>(one: T, was: (T & { revision: number }) | undefined) => {
    const kept = was && same(was, { ...one, revision: was.revision }) ? was.revision : revision
    return { ...one, revision: kept }
  }
  return {
    conditions: template.conditions.map(one => count(one, known.get(one.name))),
    parameters: Object.fromEntries(
      Object.entries(template.parameters).map(([key, one]) => [key, count(one, before?.parameters[key])]),
    ),
    groups: template.groups,
  }
}

export async function rowOf(ctx: Context, where: Where): Promise<TemplateRow | null> {
  const [row] = await ctx.db.select().from(rcsTemplates).where(ofTemplate(where))
  return row ?? null
}

/** The template, made when there is none, held until the transaction ends. */
export async function lockTemplate(ctx: Context, where: Where, teamId = ctx.teamId): Promise<TemplateRow> {
  await ctx.db
    .insert(rcsTemplates)
    .values({
      ...where,
      teamId,
      draft: emptyTemplate() as Draft,
      draftDigest: emptyDigest,
      digest: emptyDigest,
      updatedAt: ctx.now(),
    })
    .onConflictDoNothing()
  const [row] = await ctx.db.select().from(rcsTemplates).where(ofTemplate(where)).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'project', id: where.projectId })
}

/** Writes a draft that was read under the lock. */
export async function writeDraft(ctx: Context, where: Where, draft: Draft): Promise<void> {
  await ctx.db
    .update(rcsTemplates)
    .set({
      draft,
      draftDigest: digestOf(contentOf(draft)),
      updatedAt: ctx.now(),
      updatedBy: ctx.caller.accountId,
      revision: sql`${rcsTemplates.revision} + 1`,
    })
    .where(ofTemplate(where))
}

export function record(ctx: Context, where: Where, what: string, after: Record<string, unknown>): void {
  ctx.audit({ action: `remote_config.${what}`, entity: 'remote_config', entityId: subjectOf(where), after })
}

const rowOfFault: Partial<Record<Fault, ErrorRow>> = {
  key: errors.badKey,
  value: errors.valueFails,
  limit: errors.limit,
}

/** Refuses by the number of the first problem; all of them travel along. */
export function refuseProblems(problems: readonly Problem[]): void {
  const [first] = problems
  if (!first) return
  const { pointer, fault, message } = first
  refuse(rowOfFault[fault] ?? errors.notValid, { count: problems.length, pointer, message, problems })
}
