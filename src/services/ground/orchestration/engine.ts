import { setImmediate as turn } from 'node:timers/promises'
import pLimit from 'p-limit'
import { commonErrors, type ErrorRow, Refusal, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import { inTime } from '../../../server/in-time.ts'
import type { InsideInput } from '../../../server/inside.ts'
import { type Definition, orchestrationErrors as errors, type Step, type Trace } from './contract.ts'
import { evaluate, MappingError, type Scope } from './mapping.ts'
import { dependenciesOf, levelsOf, limits } from './rules.ts'

type Traced = Static<typeof Trace>

export interface Run {
  input: unknown
  caller: Readonly<Record<string, unknown>>
  /** Makes the step's call and answers its JSON text; refuses. */
  call(step: Step, input: InsideInput, timeLeftMs: number): Promise<string>
}

export interface Outcome {
  data: unknown
  partial: { step: string; code: number; message: string }[]
  trace: Traced[]
  /** Of the step that made the whole process fail. */
  refusal?: Refusal
}

/** What must be passed on as it is: the client answers it by a refresh, or by the dialog of risk. */
const passedOn = new Set<number>([commonErrors.noSession[0], commonErrors.sessionExpired[0], 205524998])

/**
 * Runs the steps as soon as what they wait for is there, at most eight at once. Each has what is left of the deadline at
 * most; the same call with the same input is made once. A step that may fail leaves its fallback and an entry in `partial`.
 */
export async function runProcess(definition: Definition, run: Run): Promise<Outcome> {
  const execution = new Execution(definition, run)
  try {
    return { ...execution.seen, data: await execution.finish() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...execution.seen, data: null, refusal: error }
  }
}

class Execution {
  readonly seen = { partial: [] as Outcome['partial'], trace: [] as Traced[] }
  readonly #definition: Definition
  readonly #run: Run
  readonly #scope: Scope & { steps: Record<string, { body: unknown }> }
  readonly #made = new Map<string, Promise<unknown>>()
  readonly #begunAt = performance.now()
  readonly #deadlineMs: number
  #bytes = 0
  #hasFailed = false

  constructor(definition: Definition, run: Run) {
    this.#definition = definition
    this.#run = run
    this.#deadlineMs = definition.deadlineMs ?? limits.deadlineMs
    this.#scope = { in: run.input, steps: Object.create(null), caller: run.caller }
  }

  async finish(): Promise<unknown> {
    const atOnce = pLimit(limits.parallel)
    const done = new Map<string, Promise<void>>()
    for (const step of levelsOf(this.#definition.steps ?? []).flat()) {
      const before = [...dependenciesOf(step)].map(id => done.get(id))
      done.set(
        step.id,
        Promise.all(before).then(() => atOnce(() => this.#step(step))),
      )
    }
    await Promise.all(done.values())
    return this.#value('output', this.#definition.output)
  }

  get #leftMs(): number {
    return this.#deadlineMs - (performance.now() - this.#begunAt)
  }

  async #step(step: Step): Promise<void> {
    // Steps that begin together take turns: what the first one asks is on its way before the next one works.
    await turn()
    if (this.#hasFailed) return
    const startMs = performance.now() - this.#begunAt
    const tell = (outcome: Traced['outcome'], code?: number) =>
      this.seen.trace.push({
        step: step.id,
        startMs: round(startMs),
        ms: round(performance.now() - this.#begunAt - startMs),
        outcome,
        ...(code === undefined ? {} : { code }),
      })
    try {
      if (step.when !== undefined && !this.#value(step.id, step.when)) {
        this.#scope.steps[step.id] = { body: undefined }
        tell('skipped')
        return
      }
      const { body, isReused } = await this.#answer(step)
      this.#scope.steps[step.id] = { body }
      tell(isReused ? 'reused' : 'done')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      tell('failed', error.number)
      if (!step.optional) {
        this.#hasFailed = true
        throw this.#failed(step, error)
      }
      this.seen.partial.push({ step: step.id, code: error.number, message: error.message })
      this.#scope.steps[step.id] = { body: step.fallback ?? null }
    }
  }

  /** One call for equal steps. A failure is shared too: asking again at once would only cost. */
  async #answer(step: Step): Promise<{ body: unknown; isReused: boolean }> {
    const input = (this.#value(step.id, step.input ?? {}) ?? {}) as InsideInput
    const told = step.cacheKey === undefined ? input : this.#value(step.id, step.cacheKey)
    const key = JSON.stringify([step.call ?? step.apiName, told])
    const known = this.#made.get(key)
    const making = known ?? this.#make(step, input)
    if (!known) this.#made.set(key, making)
    return { body: await making, isReused: known !== undefined }
  }

  async #make(step: Step, input: InsideInput): Promise<unknown> {
    for (let tries = 0; ; tries++) {
      try {
        return this.#take(step, await this.#inTime(step, input))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const isWorth = error.status >= 500 && error.number !== errors.notAvailable[0] && this.#leftMs > 0
        if (!isWorth || tries >= (step.retries ?? 0)) throw error
      }
    }
  }

  #inTime(step: Step, input: InsideInput): Promise<string> {
    const leftMs = Math.min(step.timeoutMs ?? limits.timeoutMs, this.#leftMs)
    if (leftMs <= 0) return Promise.reject(this.#late())
    return inTime(this.#run.call(step, input, leftMs), leftMs, () => this.#late())
  }

  #take(step: Step, json: string): unknown {
    const sizeBytes = Buffer.byteLength(json)
    this.#bytes += sizeBytes
    const limitBytes = sizeBytes > limits.answerBytes ? limits.answerBytes : limits.allBytes
    if (sizeBytes > limits.answerBytes || this.#bytes > limits.allBytes) {
      refuse(errors.tooMuch, { step: step.id, limitBytes })
    }
    return JSON.parse(json)
  }

  #value(step: string, mapping: unknown): unknown {
    try {
      return evaluate(mapping, this.#scope)
    } catch (error) {
      if (!(error instanceof MappingError)) throw error
      refuse(errors.mappingFailed, { step, pointer: error.pointer, message: error.message })
    }
  }

  #late(): Refusal {
    return new Refusal(errors.deadline, { deadlineMs: this.#deadlineMs })
  }

  /** The refusal of the whole: it keeps the status and the fields of the step's own. */
  #failed(step: Step, error: Refusal): Refusal {
    if (passedOn.has(error.number)) return error
    // A timer may ring a little before its time.
    if (error.number === errors.deadline[0] && this.#leftMs < 2) return this.#late()
    const [number, , sentence] = errors.stepFailed
    const row: ErrorRow = [number, error.status, sentence]
    const { fields, retryAfterSeconds } = error.detail
    return new Refusal(row, {
      step: step.id,
      code: error.number,
      message: error.message,
      ...(fields === undefined ? {} : { fields }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
