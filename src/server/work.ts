import type { ZoneId } from '../kernel/zones.ts'
import type { Context } from './context.ts'
import type { Handover } from './handover.ts'
import type { Server } from './server.ts'

/** An event as a listener gets it. */
export interface Event {
  eventId: string
  type: string
  teamId: string | null
  entity: string
  entityId: string
  actor: string
  data: Record<string, unknown>
  at: number
}

export interface Listener {
  /** Unique; with the event's id it makes the effect happen once. */
  name: string
  /** Event types: `version.on_shelf`, or `version.*`. */
  on: readonly string[]
  /**
   * The ids of those events that it has something to do for, asked once for many; left out, all of them. For events that
   * are frequent and seldom wanted: the others cost no transaction.
   */
  wants?: (ctx: Context, events: readonly Event[]) => Promise<ReadonlySet<string>>
  /** Runs in one transaction with its receipt; throw to be tried again later. */
  run(ctx: Context, event: Event): Promise<void>
}

/** What a running job sees. */
export interface JobRun<Input = Record<string, unknown>> {
  jobId: string
  input: Input
  teamId: string | null
  zone: ZoneId
  attempt: number
  /** Aborted at the deadline or when the lease is lost. */
  signal: AbortSignal
  /** Shown to people; percent 0 to 100. */
  progress(step: string, percent: number): Promise<void>
}

export interface JobKind {
  kind: string
  /** `ctx` has no transaction of its own; use `ctx.transact`. May run again after a crash, so effects are conditional. */
  run(ctx: Context, job: JobRun): Promise<void>
  /** After the last attempt failed: put the subject into its failed state. `ctx` is committed when it is done. */
  giveUp?(ctx: Context, job: JobRun, reason: string): Promise<void>
}

export interface Sweep {
  name: string
  /** Cron with seconds: how often the clock is looked at. */
  every: string
  database: 'home' | 'zone'
  /** It asks what is no database, which nobody does within a transaction: it opens its own, on every process at once. */
  isOutside?: true
  /** Runs on one process at a time, in one transaction. */
  run(ctx: Context): Promise<void>
}

/** What a service does besides answering calls. */
export interface Work {
  jobs?: readonly JobKind[]
  listeners?: readonly Listener[]
  sweeps?: readonly Sweep[]
  /** What goes along when an app changes hands. */
  handover?: Handover
  /** Runs once when the process starts, before the signals; answers what ends it, if anything, run before the databases close. */
  start?(server: Server): (() => Promise<void>) | undefined
}
