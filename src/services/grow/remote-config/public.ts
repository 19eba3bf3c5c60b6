import type { Context } from '../../../server/context.ts'
import { setKeeper } from './fetch/experiments.ts'
import type { Kind, RunningExperiment as Running } from './rules.ts'
import { putRunning, type Release, release } from './running.ts'

export type RunningExperiment = Running

interface Where {
  projectId: string
  kind: Kind
}

/**
 * Puts the experiments of a template into force as its next version: streams and memories hear of it as of any other.
 * The project must be the caller's. Answers the version; refuses where nothing was ever published.
 */
export const putExperiments = (
  ctx: Context,
  where: Where,
  running: readonly RunningExperiment[],
  description: string,
): Promise<number> => putRunning(ctx, where, running, description)

/** Publishes what an experiment found, and what runs on beside it, as one version. Refuses what cannot be published. */
export const releaseValues = (ctx: Context, where: Where, what: Release): Promise<number> => release(ctx, where, what)

/** Who keeps what units were seen in says so when it starts: asked once a fetch about all sticky experiments together. */
export const keepsVariants = (
  lookup: (ctx: Context, experimentIds: readonly string[], unit: string) => Promise<ReadonlyMap<string, string>>,
): void => setKeeper(lookup)
