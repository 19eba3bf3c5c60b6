import { refuse } from '../../../../kernel/errors.ts'
import type { Guards } from '../../../../kernel/ramp/guards.ts'
import { type RampStep, stepFaults } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, badInput } from '../../../../server/http/problem.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { refuseProblems, rowOf, type Where } from '../drafts.ts'
import { payloadProblems } from '../payload.ts'
import { emptyTemplate, limits, parametersOf, type Template } from '../rules.ts'
import { contentOfVersion } from '../versions.ts'
import { metricsToJudgeBy } from './judge.ts'
import { lockTemplates, rollingIn } from './rolling.ts'

/** Which value of which parameter a rollout replaces, and by what. */
export interface Target {
  parameter: string
  condition: string | null
  value: string
}

export function assertSteps(steps: readonly RampStep[]): void {
  const faults = stepFaults(steps)
  if (faults.length === 0) return
  throw badInput(
    faults.map(({ pointer, message }) => ({ in: 'body', pointer: `/steps${pointer}`, rule: 'steps', message })),
  )
}

/** Refuses a time to start that has passed. */
export function assertAhead(ctx: Context, startAt: number | null | undefined): void {
  if (typeof startAt !== 'number' || startAt > ctx.now()) return
  throw badField('/startAt', 'ahead', 'That time has passed; give one ahead, or null to start at once.')
}

/** Refuses metrics that the project does not have, and one that is named twice. */
export async function assertGuards(ctx: Context, projectId: string, guards: Guards): Promise<void> {
  const { guardrails, signals } = guards
  const named = [...guardrails, ...signals]
  if (named.length === 0) return
  const known = new Set((await metricsToJudgeBy(ctx, projectId)).map(one => one.metricId))
  for (const [at, metricId] of named.entries()) {
    const pointer = at < guardrails.length ? `/guardrails/${at}` : `/signals/${at - guardrails.length}`
    if (!known.has(metricId))
      throw badField(pointer, 'known', `The project has no metric ${metricId}; name one of its own, or leave it out.`)
    if (named.indexOf(metricId) < at)
      throw badField(pointer, 'once', `The metric ${metricId} is named already; name each once.`)
  }
}

/** Refuses what is not in force, what is no value of the parameter, and what is its value already. */
export async function assertTarget(ctx: Context, where: Where, target: Target): Promise<void> {
  const row = await rowOf(ctx, where)
  const content = row && row.version > 0 ? await contentOfVersion(ctx, where, row.version) : emptyTemplate()
  const now = branchOf(content, target)
  refuseProblems(payloadProblems(content.parameters, { [target.parameter]: target.value }))
  if ('value' in now && now.value === target.value)
    throw badField('/value', 'unchanged', 'That is the value in force already; give another one.')
}

function branchOf({ parameters }: Template, { parameter: key, condition }: Target) {
  const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined
  if (!parameter) {
    const message = `There is no parameter ${key} in force; publish it first, or name another one.`
    throw badField('/parameter', 'known', message)
  }
  if (condition === null) return parameter.default
  const value = Object.hasOwn(parameter.conditional, condition) ? parameter.conditional[condition] : undefined
  if (value) return value
  const message = `${key} has no value under a condition ${condition}; name one that it has, or leave it out.`
  throw badField('/condition', 'known', message)
}

/** Refuses a parameter that an experiment or another rollout has. Both templates of the project are held from then on. */
export async function assertFree(
  ctx: Context,
  { projectId, kind, parameter, rolloutId }: Where & { parameter: string; rolloutId?: string },
): Promise<{ others: number }> {
  const templates = await lockTemplates(ctx, projectId)
  const rolling = await rollingIn(ctx, projectId, rolloutId)
  const running = templates.flatMap(one => one.running.map(experiment => ({ kind: one.kind, experiment })))
  const owner = running.find(one => one.kind === kind && parametersOf(one.experiment).includes(parameter))
  if (owner) refuse(errors.parameterTaken, { parameter, thing: 'experiment', name: owner.experiment.name })
  const other = rolling.find(one => one.kind === kind && one.parameter === parameter)
  if (other) refuse(errors.parameterTaken, { parameter, thing: 'rollout', name: other.name })
  return { others: running.length + rolling.length }
}

export function assertRoom(others: number): void {
  const limit = limits.runningTogether
  if (others >= limit) refuse(errors.tooManyRunning, { count: others, limit })
}
