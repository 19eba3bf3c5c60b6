import type { Download } from '../../../../server/implement.ts'
import { implement } from '../../../../server/implement.ts'
import { answerOf, hopsOf } from '../answering.ts'
import { callLater, callNow } from './calling.ts'
import { functionInvoke } from './contract.ts'
import { clientKeyOf } from './enqueue.ts'

export default implement(functionInvoke, {
  invokeFunction: async (ctx, { params, query, body }, { request }): Promise<Download> => {
    const { qualifier, mode = 'SYNC', payload = {} } = body
    const { projectId } = query
    const { functionName } = params
    const call = { projectId, functionName, qualifier, payload, hops: hopsOf(ctx) }
    if (mode === 'ASYNC') return accepted(await callLater(ctx, call, clientKeyOf(request.headers)))
    return answerOf(await callNow(ctx, call, request.headers))
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
