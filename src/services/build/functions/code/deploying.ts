import { createHash } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { functionErrors } from '../contract.ts'
import { CannotStart, EngineFailed } from '../engine/port.ts'
import { isElsewhere } from '../pool/elsewhere.ts'
import { type Runnable, runtimeOf } from '../pool/runtime.ts'
import { problemOf } from '../problems/rules.ts'
import { limits, type RuntimeId } from '../rules.ts'
import type { FunctionConfig } from '../tables.ts'
import { BadPackage, type SourceFile, zipOf } from './packages.ts'

/** Takes files of the editor as a package of the zone. Refuses what cannot be one. */
export async function takeFiles(
  ctx: Context,
  files: readonly SourceFile[],
): Promise<{ codeSha256: string; codeBytes: number }> {
  try {
    const stored = await ctx.server.bytes(ctx.zone, 'functions').put(zipOf(files), { limitBytes: limits.zipBytes })
    return { codeSha256: stored.sha256, codeBytes: stored.sizeBytes }
  } catch (error) {
    if (error instanceof BadPackage) refuse(functionErrors.badPackage, error.problem)
    throw error
  }
}

/** What makes a version another one: its code, its configuration, its secrets. */
export function digestOf(parts: {
  codeSha256: string
  config: FunctionConfig
  secrets: Record<string, string>
}): string {
  return createHash('sha256')
    .update(JSON.stringify([parts.codeSha256, parts.config, parts.secrets]))
    .digest('hex')
}

/** Refuses a runtime that this server cannot run, with what is missing. */
export async function assertRuntime(ctx: Context, runtime: RuntimeId): Promise<void> {
  const { isThere, why, install } = await runtimeOf(ctx.server).support(runtime)
  if (!isThere) refuse(functionErrors.runtimeNotHere, { runtime, why: [why, install].filter(Boolean).join(': ') })
}

/** Starts one copy, so that what cannot run is never put in the place of what does. Refuses with what is wrong. */
export async function assertRuns(ctx: Context, runnable: Runnable): Promise<void> {
  try {
    await runtimeOf(ctx.server).of(runnable).pool.warm()
    if (await isElsewhere(ctx.server, runnable)) runtimeOf(ctx.server).end(runnable.functionId)
  } catch (error) {
    if (error instanceof BadPackage) refuse(functionErrors.badPackage, error.problem)
    if (!(error instanceof CannotStart)) throw error
    const { kind, message, exports = [] } = error.fault
    if (kind === 'handlerMissing') {
      refuse(functionErrors.badHandler, {
        handler: runnable.config.handler,
        ...problemOf('notExported'),
        exports: exports.join(', ') || '-',
      })
    }
    refuse(error instanceof EngineFailed ? functionErrors.cannotStart : functionErrors.codeFails, { message })
  }
}
