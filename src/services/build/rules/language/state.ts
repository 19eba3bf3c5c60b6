import { language as limits } from '../rules.ts'
import type { Path } from './values.ts'

/** What one request has used and looked up. Conditions reach it as the hidden variable `__state`. */
export class RuleState {
  steps = 0
  /** By path; null where nothing is there. */
  readonly known = new Map<string, unknown>()
  /** Asked for and not known yet: whoever evaluates fetches these and evaluates again. */
  readonly wanted = new Map<string, Lookup>()
  readonly debugs: { at: number; value: unknown }[] = []
  readonly #mostLookups: number
  #deadline: number

  constructor(mostLookups: number) {
    this.#mostLookups = mostLookups
    this.#deadline = performance.now() + limits.wallMs
  }

  /** Waiting for rows is not the time of conditions. */
  resume(): void {
    this.#deadline = performance.now() + limits.wallMs
  }

  count(steps: number): boolean {
    this.steps += steps
    if (this.steps > limits.steps) throw new Error(`more than ${limits.steps} steps`)
    if (performance.now() > this.#deadline) throw new Error(`more than ${limits.wallMs} ms`)
    return true
  }

  lookUp(service: Lookup['service'], path: Path): unknown {
    const key = `${service}/${path.map(encodeURIComponent).join('/')}`
    if (this.known.has(key)) return this.known.get(key)
    if (this.known.size + this.wanted.size >= this.#mostLookups && !this.wanted.has(key)) {
      throw new Error(`more than ${this.#mostLookups} lookups`)
    }
    this.wanted.set(key, { service, path })
    throw new Error('not looked up yet')
  }
}

export interface Lookup {
  service: 'clouddb' | 'storage'
  path: Path
}
