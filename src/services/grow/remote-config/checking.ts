import { and, eq } from 'drizzle-orm'
import { audiencesOf, leavesOf, type Rule } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { audiencesKnown } from '../targeting/public.ts'
import type { Template } from './rules.ts'
import { rcsSchedules, rcsTemplates, rcsVersions } from './tables.ts'
import { type Problem, problemsOf } from './validation.ts'

/**
 * Everything that keeps a template of a project from being published: what it says itself, and audiences that are not
 * there. Those that are stay until a transaction that publishes has ended.
 */
export async function problemsFor(
  ctx: Context,
  projectId: string,
  template: Template,
  isPublished = false,
): Promise<Problem[]> {
  const found = await problemsOf(template)
  if (found.length > 0) return found
  const asked = template.conditions.flatMap(({ name, rule }, at) =>
    leavesOf(rule as Rule)
      .filter(leaf => leaf.op === 'inAudience' || leaf.op === 'ninAudience')
      .flatMap(leaf => [leaf.value].flat().map(id => ({ name, at, id: String(id) }))),
  )
  const known = await audiencesKnown(ctx, projectId, [...new Set(asked.map(one => one.id))], isPublished)
  return asked
    .filter(({ id }) => !known.has(id))
    .map(({ name, at, id }) => ({
      pointer: `/conditions/${at}/rule`,
      fault: 'condition',
      message: `${name}: the audience ${id} is not there`,
    }))
}

/** Conditions that ask for an audience, `client: beta testers`: of drafts, of what is in force and of what waits for its time. */
export async function conditionsAsking(ctx: Context, projectId: string, audienceId: string): Promise<string[]> {
  const inForce = and(
    eq(rcsVersions.projectId, rcsTemplates.projectId),
    eq(rcsVersions.kind, rcsTemplates.kind),
    eq(rcsVersions.version, rcsTemplates.version),
  )
  const kept = await ctx.db
    .select({ kind: rcsTemplates.kind, draft: rcsTemplates.draft, content: rcsVersions.content })
    .from(rcsTemplates)
    .leftJoin(rcsVersions, inForce)
    .where(eq(rcsTemplates.projectId, projectId))
  const waiting = await ctx.db
    .select({ kind: rcsSchedules.kind, content: rcsSchedules.content })
    .from(rcsSchedules)
    .where(and(eq(rcsSchedules.projectId, projectId), eq(rcsSchedules.state, 'SCHEDULED')))
  const found = new Set<string>()
  const look = (kind: string, template: Pick<Template, 'conditions'> | null) => {
    for (const { name, rule } of template?.conditions ?? [])
      if (audiencesOf(rule as Rule).includes(audienceId)) found.add(`${kind}: ${name}`)
  }
  for (const { kind, draft, content } of kept) {
    look(kind, draft)
    look(kind, content)
  }
  for (const { kind, content } of waiting) look(kind, content)
  return [...found]
}
