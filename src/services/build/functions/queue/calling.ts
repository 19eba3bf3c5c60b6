import type { Context } from '../../../../server/context.ts'
import type { Ran } from '../invocation.ts'
import { invoke } from '../invoke.ts'
import { assertQualifier, functionNamed, projectHere } from '../queries.ts'
import { latest } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import { enqueueOne } from './enqueue.ts'

/** What a person or a program of the team calls. */
export interface NamedCall {
  projectId: string
  functionName: string
  qualifier: string | undefined
  payload: unknown
  /** How many functions led to it. */
  hops: number
}

/** Calls a function and waits. Refuses what is not there or switched off. */
export async function callNow(
  ctx: Context,
  { projectId, functionName, qualifier = latest, payload, hops }: NamedCall,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<Ran> {
  const { functionId } = await ctx.transact(async inner => {
    await projectHere(inner, projectId)
    return functionNamed(inner, projectId, functionName)
  })
  const runnable = await targetsOf(ctx.server).runnable(ctx.zone, functionId, qualifier, headers)
  return invoke(ctx.server, {
    runnable,
    qualifier,
    source: 'CONSOLE',
    event: JSON.stringify(payload),
    caller: null,
    hops,
  })
}

/** Has a function called later; answers the id of the call. */
export async function callLater(
  ctx: Context,
  { projectId, functionName, qualifier = latest, payload, hops }: NamedCall,
  clientKey: string | undefined,
): Promise<string> {
  return ctx.transact(async inner => {
    await projectHere(inner, projectId)
    const { functionId, teamId } = await functionNamed(inner, projectId, functionName)
    await assertQualifier(inner, functionId, qualifier)
    const call = { functionId, teamId, projectId, qualifier, source: 'CONSOLE' as const, depth: hops }
    return enqueueOne(inner, { ...call, payload: JSON.stringify(payload) }, clientKey)
  })
}
