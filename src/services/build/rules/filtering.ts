import type { Server } from '../../../server/server.ts'
import { fetchWanted, newState } from './decisions.ts'
import type { RuleColumn, RuleFields, RuleFilter, RulePredicate, RuleRequest, RuleScope } from './engine-types.ts'
import { decideWith } from './language/evaluate.ts'
import type { RuleState } from './language/state.ts'
import type { Ruleset } from './ruleset.ts'
import { openMatches, writeFilter } from './sql/filter.ts'

/** Writes the filter; what it asks for is looked up, and it is written again. */
async function settled(
  server: Server,
  scope: RuleScope,
  { program }: Ruleset,
  request: RuleRequest,
  columns: ReadonlyMap<string, RuleColumn>,
  firstParameter: number,
): Promise<{ filter: RuleFilter; state: RuleState | null }> {
  const needsState = openMatches(program, request).some(({ statement }) => statement.condition?.expansion.needsState)
  const state = needsState ? newState(program, request) : null
  for (;;) {
    if (state) state.steps = 0
    state?.resume()
    const filter = writeFilter(program, request, columns, firstParameter, state)
    if (!state || state.wanted.size === 0) return { filter, state }
    await fetchWanted(server, scope, state)
  }
}

export async function filterRows(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
  columns: ReadonlyMap<string, RuleColumn>,
  firstParameter: number,
  mode: 'filter' | 'strict',
): Promise<RuleFilter> {
  const { filter } = await settled(server, scope, ruleset, request, columns, firstParameter)
  const isStrict = mode === 'strict' && filter.kind === 'sql'
  return isStrict ? { kind: 'none', text: 'FALSE', values: [] } : filter
}

/** The decision of the same statements on rows in memory; constants are those of the moment it was made. */
export async function predicateRows(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
  columns: ReadonlyMap<string, Pick<RuleColumn, 'type'>>,
): Promise<RulePredicate> {
  const named = new Map([...columns].map(([place, { type }]) => [place, { sql: JSON.stringify(place), type }]))
  const { filter, state } = await settled(server, scope, ruleset, request, named, 1)
  const values = filter.values.map(value =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
  const key = JSON.stringify([ruleset.version, request.path, filter.text, values])
  if (filter.kind !== 'sql') return { key, kind: filter.kind, sees: () => filter.kind === 'all' }
  const fields: RuleFields = new Map([...columns].map(([place, { type }]) => [place, type]))
  const { path, openPath = [] } = request
  return {
    key,
    kind: 'rows',
    sees: resource => {
      state?.resume()
      if (state) state.steps = 0
      const own = openPath.map(place => String(valueAt(resource, place) ?? ''))
      const ofRow: RuleRequest = { ...request, path: [...path, ...own], resource, fields }
      return decideWith(ruleset.program, ofRow, state).allowed
    },
  }
}

function valueAt(resource: Record<string, unknown>, place: string): unknown {
  let value: unknown = resource
  for (const key of place.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
