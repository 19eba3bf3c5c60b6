import type { Measured } from '../../../../kernel/ramp/guards.ts'
import type { Context } from '../../../../server/context.ts'

/** What is asked of the events of one step. */
export interface StepAsked {
  rolloutId: string
  projectId: string
  /** When the step began, epoch milliseconds. */
  since: number
  /** In percent. */
  percent: number
  guardrails: readonly string[]
  signals: readonly string[]
}

/** Who knows what is measured. */
export interface Judge {
  /** The metrics of a project. */
  metrics(ctx: Context, projectId: string): Promise<{ metricId: string; name: string }[]>
  /** Asks DuckDB, outside of a transaction; null before there is anything. Throws `AnalyticsFailure`. */
  measure(ctx: Context, asked: StepAsked, signal: AbortSignal): Promise<Measured | null>
}

let judge: Judge | undefined

/** Set when that service starts. */
export function setJudge(one: Judge): void {
  judge = one
}

export const metricsToJudgeBy = async (ctx: Context, projectId: string) => (await judge?.metrics(ctx, projectId)) ?? []

export const measureStep = async (ctx: Context, asked: StepAsked, signal: AbortSignal): Promise<Measured | null> =>
  (await judge?.measure(ctx, asked, signal)) ?? null
