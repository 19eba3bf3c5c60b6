import type { Context } from '../../../server/context.ts'
import { setKeeper } from './fetch/experiments.ts'
import { type Judge, setJudge } from './rollouts/judge.ts'
import { type Judging, judgingIn, lockTemplates, type Rolling, rollingIn } from './rollouts/rolling.ts'
import type { Kind, RunningExperiment as Running } from './rules.ts'
import { putBeside, type Release, release } from './running.ts'
import { attributesIn, payloadFaultsIn, type Target, targetsIn } from './targets.ts'

export type RunningExperiment = Running
export type { Judge } from './rollouts/judge.ts'

interface Where {
  projectId: string
  kind: Kind
}

/**
 * Puts the experiments of a template into force as its next version: streams and memories hear of it as of any other.
 * They are asked for once the template is held, so that of two who move at once neither writes over the other. The project
 * must be the caller's. Answers the version; refuses where nothing was ever published.
 */
export const putExperiments = (
  ctx: Context,
  where: Where,
  running: () => Promise<readonly RunningExperiment[]>,
  description: string,
): Promise<number> => putBeside(ctx, where, async () => ({ running: await running() }), description)

/** The rollouts of a project that run or wait for their time, of both templates. The project must be the caller's. */
export const rolloutsIn = (ctx: Context, projectId: string): Promise<Rolling[]> => rollingIn(ctx, projectId)

/** The same; until the transaction ends nothing else begins there, so that two things that start at once see each other. */
export async function rolloutsHeld(ctx: Context, projectId: string): Promise<Rolling[]> {
  await lockTemplates(ctx, projectId)
  return rollingIn(ctx, projectId)
}

/** The rollouts of a project that metrics guard or hold, and that have not ended: drafts, those that wait, those that run. */
export const rolloutsJudged = (ctx: Context, projectId: string): Promise<Judging[]> => judgingIn(ctx, projectId)

/** Publishes what an experiment found, and what runs on beside it, as one version. Refuses what cannot be published. */
export const releaseValues = (ctx: Context, where: Where, what: Release): Promise<number> => release(ctx, where, what)

/** Who keeps what units were seen in says so when it starts: asked once a fetch about all sticky experiments together. */
export const keepsVariants = (
  lookup: (ctx: Context, experimentIds: readonly string[], unit: string) => Promise<ReadonlyMap<string, string>>,
): void => setKeeper(lookup)

/** Who owns metrics says so when it starts: guardrails of rollouts are measured by it. */
export const judgesRollouts = (judge: Judge): void => setJudge(judge)

/** The parameters in force that experiments can give values to, by key. The project must be the caller's. */
export const parametersInForce = (ctx: Context, where: Where): Promise<Target[]> => targetsIn(ctx, where)

/** What keeps the values of some variants from being given out, by `/variants/0/payload/key`; empty where nothing does. */
export const variantFaults = (
  ctx: Context,
  where: Where,
  payloads: readonly Readonly<Record<string, string>>[],
): Promise<{ pointer: string; message: string }[]> => payloadFaultsIn(ctx, where, payloads)

/** What rules of a project can ask of: what every client says of itself, and the project's own attributes. */
export const attributesOfProject = (
  ctx: Context,
  projectId: string,
): Promise<{ name: string; type: string; isOwn: boolean }[]> => attributesIn(ctx, projectId)
