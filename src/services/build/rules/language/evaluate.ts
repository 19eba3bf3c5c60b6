import type { RuleRequest } from '../engine-types.ts'
import { language as limits } from '../rules.ts'
import type { Program, Statement } from './compiled.ts'
import { ownName } from './expand.ts'
import { methodBit } from './program.ts'
import { RuleState } from './state.ts'
import { collect } from './trie.ts'
import { type Reads, toCel } from './values.ts'

/** What came of the statements that match. */
export interface Outcome {
  allowed: boolean
  grantedBy: Statement | null
  /** Statements whose condition could not be evaluated. */
  errors: number
  steps: number
  /** Rows that must be looked up before this counts. */
  isWaiting: boolean
}

/** The statements that speak of a request. */
export function matching(program: Program, request: RuleRequest): Statement[] {
  const found: Statement[] = []
  const isFolder = request.method === 'list' && request.openPath === undefined
  collect(program.trie, request.path, methodBit[request.method], isFolder, found)
  return found
}

/** Decides with what is known; any grant allows, errors grant nothing. */
export function decideWith(program: Program, request: RuleRequest, state: RuleState | null): Outcome {
  const { evaluated, granted, errors } = program.tallies
  const failed: number[] = []
  let steps = 0
  let known = state
  const kept = Error.stackTraceLimit
  // An error of a condition is an answer; its stack would cost more than the decision.
  Error.stackTraceLimit = 0
  const statements = matching(program, request)
  try {
    for (const statement of statements) {
      const { condition, index } = statement
      evaluated[index]!++
      if (!condition) {
        granted[index]!++
        return { allowed: true, grantedBy: statement, errors: failed.length, steps, isWaiting: false }
      }
      steps += condition.nodes
      try {
        if (steps > limits.steps) throw new Error(`more than ${limits.steps} steps`)
        if (condition.expansion.needsState) known ??= new RuleState(mostLookups(program, request))
        if (condition.evaluate(contextOf(statement, request, known)) === true) {
          granted[index]!++
          return { allowed: true, grantedBy: statement, errors: failed.length, steps, isWaiting: false }
        }
      } catch {
        failed.push(index)
        errors[index]!++
      }
    }
  } finally {
    Error.stackTraceLimit = kept
  }
  const isWaiting = known !== null && known.wanted.size > 0
  if (isWaiting) {
    // This round does not count: the next one looks at all of them again.
    for (const { index } of statements) evaluated[index]!--
    for (const index of failed) errors[index]!--
  }
  return { allowed: false, grantedBy: null, errors: failed.length, steps, isWaiting }
}

/** Whether a rule grants a request that looks neither at what stands there nor at other rows: so it does whatever they are. */
export function isGrantedUnseen(program: Program, request: RuleRequest): boolean {
  return matching(program, request).some(statement => {
    const { condition } = statement
    if (!condition) return true
    if (condition.expansion.needsState || condition.reads.has('resource') || condition.nodes > limits.steps)
      return false
    try {
      return condition.evaluate(contextOf(statement, request, null)) === true
    } catch {
      return false
    }
  })
}

export function mostLookups(program: Program, request: RuleRequest): number {
  if (request.batch) return limits.batchLookups
  return program.service === 'agc.cloud.storage' ? limits.storageLookups : limits.lookups
}

/** The variables of a condition. */
export function contextOf(
  statement: Statement,
  request: RuleRequest,
  state: RuleState | null,
  resource: unknown = request.resource,
): Record<string, unknown> {
  const { reads, expansion } = statement.condition!
  const context: Record<string, unknown> = {}
  const ofRequest = reads.get('request')
  if (ofRequest) context['request'] = requestValue(request, ofRequest)
  const ofResource = reads.get('resource')
  if (ofResource) context['resource'] = toCel(resource ?? null, ofResource, request.fields, '')
  if (expansion.needsState) context['__state'] = state
  if (expansion.wildcards.size > 0) bind(statement, request.path, context)
  return context
}

function bind({ segments, condition }: Statement, path: readonly string[], context: Record<string, unknown>): void {
  const { wildcards } = condition!.expansion
  let shift = 0
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'rest') {
      const taken = path.length - segments.length + 1
      const own = ownName(segment.name)
      if (wildcards.has(own)) {
        const part = path.slice(index, index + taken)
        context[own] = part.join('/')
        context[`${own}__segments`] = part
      }
      shift = taken - 1
    } else if (segment.kind === 'one') {
      const own = ownName(segment.name)
      if (wildcards.has(own)) context[own] = path[index + shift] ?? ''
    }
  }
}

const requestParts = ['method', 'path', 'segments', 'time', 'auth', 'app', 'ip', 'resource', 'query']

export function requestValue(request: RuleRequest, reads: Reads): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const key of reads === 'all' ? requestParts : reads.keys()) {
    const part = reads === 'all' ? 'all' : reads.get(key)!
    switch (key) {
      case 'method':
        made[key] = request.method
        break
      case 'path':
        made[key] = `/${request.path.join('/')}`
        break
      case 'segments':
        made[key] = request.path
        break
      case 'time':
        made[key] = new Date(request.time)
        break
      case 'auth':
        made[key] = toCel(request.auth, part, undefined, '')
        break
      case 'app':
        made[key] = toCel(request.app, part, undefined, '')
        break
      case 'ip':
        made[key] = request.ip
        break
      case 'resource':
        made[key] = toCel(request.requestResource ?? null, part, request.fields, '')
        break
      case 'query':
        made[key] = toCel(request.query ?? {}, part, undefined, '')
        break
    }
  }
  return made
}
