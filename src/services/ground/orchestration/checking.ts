import type { FieldError } from '../../../kernel/errors.ts'
import type { InsideCalls, MountedCall } from '../../../server/inside.ts'
import { namedApiOf } from '../generic-gateway/public.ts'
import type { Definition, Step } from './contract.ts'
import { checkMapping } from './mapping-checks.ts'
import { dependenciesOf, levelsOf, processName } from './rules.ts'
import { checkInput, hasField } from './schema-checks.ts'

export interface World {
  inside: InsideCalls
  /** The active definition of a name. */
  processOf(name: string): Definition | undefined
}

/** Calls that would lead back here. */
const closed = new Set(['ground/orchestration', 'ground/generic-gateway'])

/** Everything that would make a process fail, each at its place in the definition. */
export function checkDefinition(definition: Definition, world: World): { problems: FieldError[] } {
  const problems: FieldError[] = []
  const say = (pointer: string, rule: string, message: string) => problems.push({ in: 'body', pointer, rule, message })
  if (definition.sameAs !== undefined) {
    const target = world.processOf(definition.sameAs)
    if (definition.sameAs === processName(definition)) say('/sameAs', 'cycle', 'refers to itself')
    else if (!target) say('/sameAs', 'unknown', `there is no process ${definition.sameAs}`)
    else if (target.sameAs !== undefined) say('/sameAs', 'chain', `${definition.sameAs} refers to another itself`)
    for (const field of ['steps', 'output'] as const) {
      if (definition[field] !== undefined) say(`/${field}`, 'sameAs', 'comes from the process that sameAs names')
    }
    return { problems }
  }
  const steps = definition.steps ?? []
  if (steps.length === 0) say('/steps', 'required', 'is missing; or name another process in sameAs')
  if (definition.output === undefined) say('/output', 'required', 'is missing')
  if (definition.constants !== undefined) say('/constants', 'sameAs', 'stands beside sameAs only')
  const ids = new Set(steps.map(step => step.id))
  const calls = new Map<string, MountedCall>()
  for (const [at, step] of steps.entries()) {
    const here = `/steps/${at}`
    if (steps.findIndex(other => other.id === step.id) !== at) say(`${here}/id`, 'unique', `${step.id} is there twice`)
    const call = resolve(step, here, world, say)
    if (call) calls.set(step.id, call)
    if (call) checkCall(definition, step, call, here, say)
    if (step.fallback !== undefined && !step.optional)
      say(`${here}/fallback`, 'optional', 'stands in an optional step only')
    for (const [order, id] of (step.dependsOn ?? []).entries()) {
      if (!ids.has(id)) say(`${here}/dependsOn/${order}`, 'unknown', `there is no step ${id}`)
    }
  }
  const answers = (id: string) => (ids.has(id) ? (calls.get(id)?.call.answer ?? 'any') : undefined)
  const check = (mapping: unknown, pointer: string) =>
    checkMapping(mapping, pointer, say, (id, path) => {
      const answer = answers(id)
      if (answer === undefined) return `there is no step ${id}`
      return answer === 'any' || hasField(answer, path) ? undefined : `the answer of ${id} has no ${path.join('.')}`
    })
  for (const [at, step] of steps.entries()) {
    for (const field of ['when', 'input', 'cacheKey'] as const) check(step[field], `/steps/${at}/${field}`)
  }
  check(definition.output, '/output')
  const placed = new Set(
    levelsOf(steps)
      .flat()
      .map(step => step.id),
  )
  for (const [at, step] of steps.entries()) {
    const isKnown = [...dependenciesOf(step)].every(id => ids.has(id))
    if (!placed.has(step.id) && isKnown) say(`/steps/${at}`, 'cycle', `${step.id} waits for itself over other steps`)
  }
  return { problems }
}

type Say = (pointer: string, rule: string, message: string) => void

function resolve(step: Step, here: string, world: World, say: Say): MountedCall | undefined {
  if ((step.call === undefined) === (step.apiName === undefined)) {
    say(here, 'oneOf', 'needs either call or apiName')
    return undefined
  }
  const target = step.call ?? namedApiOf(step.apiName ?? '')?.call
  const pointer = step.call ? `${here}/call` : `${here}/apiName`
  const call = target && world.inside.find(target)
  if (call) {
    const isOpen = (call.call.kind ?? 'json') === 'json' && !closed.has(call.contract.name)
    if (!isOpen) say(pointer, 'closed', `${call.contract.name} ${call.name} cannot be called from a process`)
    return isOpen ? call : undefined
  }
  say(pointer, 'unknown', step.call ? 'there is no such call' : `there is no API named ${step.apiName}`)
  return undefined
}

function checkCall(definition: Definition, step: Step, found: MountedCall, here: string, say: Say): void {
  const { call } = found
  if ((step.retries ?? 0) > 0 && call.method !== 'GET') say(`${here}/retries`, 'GET', 'only a GET is tried again')
  const isWriting = call.method !== 'GET' && !step.reads
  if (isWriting && !definition.writes) {
    say(here, 'writes', 'writes; say writes of the process, or reads of the step')
  }
  if (isWriting && call.method === 'POST' && call.transaction === false) {
    say(`${here}/call`, 'repeat', 'would be done again with the same Idempotency-Key')
  }
  if (step.apiName === undefined) checkInput(call, step.input ?? {}, `${here}/input`, say)
}
