import type { Server } from '../../../server/server.ts'
import type { Decision, RuleRequest, RuleScope } from './engine-types.ts'
import type { Program } from './language/compiled.ts'
import { decideWith, mostLookups, type Outcome } from './language/evaluate.ts'
import { RuleState } from './language/state.ts'
import { toCel } from './language/values.ts'
import { memoryOf } from './memory.ts'
import type { Ruleset } from './ruleset.ts'

const batches = new WeakMap<object, RuleState>()

function stateOf({ batch }: RuleRequest): RuleState | null {
  return batch ? (batches.get(batch) ?? null) : null
}

/** Decides with what is in memory; null when something must be looked up first. */
export function decideKnown(server: Server, scope: RuleScope, ruleset: Ruleset, request: RuleRequest): Decision | null {
  const state = stateOf(request)
  const outcome = decideWith(ruleset.program, request, state)
  if (outcome.isWaiting) {
    state?.wanted.clear()
    return null
  }
  return noted(server, scope, ruleset, request, outcome, state)
}

/** Decides, and looks up what conditions ask for. */
export async function decideAll(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
): Promise<Decision> {
  const { program } = ruleset
  let state = stateOf(request)
  let outcome = decideWith(program, request, state)
  if (outcome.isWaiting) {
    state ??= newState(program, request)
    outcome = await decideWaiting(server, scope, program, request, state)
  }
  return noted(server, scope, ruleset, request, outcome, state)
}

export function newState(program: Program, request: RuleRequest): RuleState {
  const state = new RuleState(mostLookups(program, request))
  if (request.batch) batches.set(request.batch, state)
  return state
}

/** Evaluates until nothing more is asked for; each round knows at least one row more. */
export async function decideWaiting(
  server: Server,
  scope: RuleScope,
  program: Program,
  request: RuleRequest,
  state: RuleState,
): Promise<Outcome> {
  for (;;) {
    state.steps = 0
    state.resume()
    const outcome = decideWith(program, request, state)
    if (state.wanted.size === 0) return outcome
    if (outcome.allowed) {
      state.wanted.clear()
      return outcome
    }
    await fetchWanted(server, scope, state)
  }
}

/** Looks up what was asked for; a service that is not there knows nothing. */
export async function fetchWanted(server: Server, scope: RuleScope, state: RuleState): Promise<void> {
  const wanted = [...state.wanted]
  state.wanted.clear()
  const { data } = memoryOf(server)
  await Promise.all(
    wanted.map(async ([key, { service, path }]) => {
      const found = await data
        .get(service)
        ?.read(scope, path)
        .catch(error => {
          server.log.warn({ reason: (error as Error).message, service }, 'a lookup of rules failed')
          return null
        })
      state.known.set(key, found ? toCel(found.value, 'all', found.fields, '') : null)
    }),
  )
}

function noted(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
  { allowed, errors, steps }: Outcome,
  state: RuleState | null,
): Decision {
  const decisionId = memoryOf(server).recorder.note(scope, ruleset, request, { allowed, errors, state })
  return { allowed, decisionId, steps: steps + (state?.steps ?? 0) }
}
