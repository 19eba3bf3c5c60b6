import { refuse } from '../../../../kernel/errors.ts'
import type { Download } from '../../../../server/implement.ts'
import { implement } from '../../../../server/implement.ts'
import { answerOf, hopsOf } from '../answering.ts'
import { functionErrors } from '../contract.ts'
import { invoke } from '../invoke.ts'
import { assertQualifier, functionNamed, projectHere, resolve } from '../queries.ts'
import { latest } from '../rules.ts'
import { functionInvoke } from './contract.ts'
import { clientKeyOf, enqueueOne } from './enqueue.ts'

export default implement(functionInvoke, {
  invokeFunction: async (ctx, { params, query, body }, { request }): Promise<Download> => {
    const { qualifier = latest, mode = 'SYNC', payload = {} } = body
    const hops = hopsOf(request.headers)
    if (mode === 'ASYNC') {
      const clientKey = clientKeyOf(request.headers)
      const requestId = await ctx.transact(async inner => {
        await projectHere(inner, query.projectId)
        const { functionId, teamId, projectId } = await functionNamed(inner, query.projectId, params.functionName)
        await assertQualifier(inner, functionId, qualifier)
        const call = { functionId, teamId, projectId, qualifier, source: 'CONSOLE' as const, depth: hops }
        return enqueueOne(inner, { ...call, payload: JSON.stringify(payload) }, clientKey)
      })
      return accepted(requestId)
    }
    const runnable = await ctx.transact(async inner => {
      await projectHere(inner, query.projectId)
      const row = await functionNamed(inner, query.projectId, params.functionName)
      if (!row.isEnabled) refuse(functionErrors.disabled)
      return resolve(inner, row, qualifier, request.headers)
    })
    const call = { runnable, qualifier, source: 'CONSOLE' as const, event: payload, caller: null, hops }
    return answerOf(await invoke(ctx.server, call))
  },
})

/** Taken, to be made later. */
export function accepted(requestId: string): Download {
  return {
    status: 202,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId },
    body: JSON.stringify({ ret: { code: 0, msg: 'success' }, requestId }),
  }
}
