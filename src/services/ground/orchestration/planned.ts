import planned from './planned.json' with { type: 'json' }

const known = new Set(planned.map(one => `${one.service} ${one.method} ${one.path}`))

/** Whether a call is in the plan of the console though no service answers it yet. */
export function isPlanned(call: { service: string; method: string; path: string }): boolean {
  return known.has(`${call.service} ${call.method} ${call.path}`)
}
