import type { RuleRequest } from './engine-types.ts'
import type { Program } from './language/compiled.ts'
import { decideWith, mostLookups, type Outcome } from './language/evaluate.ts'
import { RuleState } from './language/state.ts'
import { toCel } from './language/values.ts'

/** What lookups find, by service and path: `clouddb/main/Member/t1/u1`. */
export type OfflineData = Readonly<Record<string, Record<string, unknown>>>

/** Decides by the evaluator that servers use; lookups find what `data` has, and nothing else. */
export function decideOffline(
  program: Program,
  request: RuleRequest,
  data: OfflineData,
): { outcome: Outcome; state: RuleState } {
  const state = new RuleState(mostLookups(program, request))
  for (;;) {
    state.steps = 0
    state.resume()
    const outcome = decideWith(program, request, state)
    if (state.wanted.size === 0 || outcome.allowed) return { outcome, state }
    for (const [key, { service, path }] of state.wanted) {
      const name = `${service}/${path.join('/')}`
      state.known.set(key, Object.hasOwn(data, name) ? toCel(data[name], 'all', undefined, '') : null)
    }
    state.wanted.clear()
  }
}
