import { commonErrors, type FieldError, refuse } from '../../../kernel/errors.ts'
import { audiencesOf, problemsOf, type Rule } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { badInput } from '../../../server/http/problem.ts'
import { type ProjectSummary, projectOf } from '../../ground/projects/public.ts'
import { audiencesKnown } from './public.ts'

/** A project of the caller's team whose data stays in the zone of the call. */
export async function projectHere(ctx: Context, projectId: string): Promise<ProjectSummary> {
  const project = await projectOf(ctx, projectId)
  return project.zone === ctx.zone ? project : refuse(commonErrors.zoneInvalid)
}

/** Refuses rules with problems, and rules that ask for audiences which the project does not have. */
export async function assertRules(
  ctx: Context,
  projectId: string,
  rules: readonly { pointer: string; rule: Rule }[],
): Promise<void> {
  const problems = rules.flatMap(({ pointer, rule }) =>
    problemsOf(rule).map(found => fieldOf(`${pointer}${found.pointer}`, found.problem)),
  )
  if (problems.length > 0) throw badInput(problems.slice(0, 50))
  const asked = rules.map(({ pointer, rule }) => ({ pointer, ids: audiencesOf(rule) }))
  const ids = [...new Set(asked.flatMap(one => one.ids))]
  if (ids.length === 0) return
  const known = await audiencesKnown(ctx, projectId, ids, true)
  const unknown = asked.flatMap(({ pointer, ids }) =>
    ids.filter(id => !known.has(id)).map(id => fieldOf(pointer, `the project has no audience ${id}`)),
  )
  if (unknown.length > 0) throw badInput(unknown.slice(0, 50))
}

/** The rule of an audience asks for no audience: there is no circle, and none waits for another. */
export function assertNoAudience(rule: Rule, pointer: string): void {
  if (audiencesOf(rule).length === 0) return
  throw badInput([fieldOf(pointer, 'the rule of an audience cannot ask for audiences; write out what they ask for')])
}

/** What is wrong with a part of a rule in the body. */
export function fieldOf(pointer: string, message: string): FieldError {
  return { in: 'body', pointer, rule: 'rule', message }
}
