import { leavesOf, type Rule } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { audiencesKnown } from '../targeting/public.ts'
import type { Template } from './rules.ts'
import { type Problem, problemsOf } from './validation.ts'

/** Everything that keeps a template of a project from being published: what it says itself, and audiences that are not there. */
export async function problemsFor(ctx: Context, projectId: string, template: Template): Promise<Problem[]> {
  const found = await problemsOf(template)
  if (found.length > 0) return found
  const asked = template.conditions.flatMap(({ name, rule }, at) =>
    leavesOf(rule as Rule)
      .filter(leaf => leaf.op === 'inAudience' || leaf.op === 'ninAudience')
      .flatMap(leaf => [leaf.value].flat().map(id => ({ name, at, id: String(id) }))),
  )
  const known = await audiencesKnown(ctx, projectId, [...new Set(asked.map(one => one.id))])
  return asked
    .filter(({ id }) => !known.has(id))
    .map(({ name, at, id }) => ({
      pointer: `/conditions/${at}/rule`,
      fault: 'condition',
      message: `${name}: the audience ${id} is not there`,
    }))
}
