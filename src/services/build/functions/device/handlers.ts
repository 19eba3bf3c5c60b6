import { systemContext } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { appCallerOf } from '../../app-auth/public.ts'
import { answerOf, bodyOf, forwarded, hopsOf } from '../answering.ts'
import { invoke } from '../invoke.ts'
import { assertQualifier } from '../queries.ts'
import { clientKeyOf, enqueueOne } from '../queue/enqueue.ts'
import { accepted } from '../queue/invoke-handlers.ts'
import { limits } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import { functionCalls } from './contract.ts'

/** The answer is not waited for. */
const isAsync = (headers: Readonly<Record<string, unknown>>) =>
  String(headers['x-invoke-mode'] ?? '').toUpperCase() === 'ASYNC'

export default implement(functionCalls, {
  callFunction: async (outer, { params, request, stream }): Promise<Download> => {
    const { server } = outer
    const hops = hopsOf(outer)
    const caller = await appCallerOf(server, request.headers)
    const text = (await bodyOf(stream, limits.eventBytes)).toString('utf8')
    const ctx = systemContext(server, caller.zone, { name: 'functions', teamId: caller.teamId })
    const event = {
      path: '/',
      httpMethod: request.method,
      headers: forwarded(request.headers),
      queryStringParameters: request.query,
      body: text,
      isBase64Encoded: false,
    }
    const user = caller.user && { uid: caller.user.uid, claims: caller.user.claims }
    const { row, qualifier } = await targetsOf(server).named(caller.zone, caller.projectId, params.target)
    if (isAsync(request.headers)) {
      const clientKey = clientKeyOf(request.headers)
      const requestId = await ctx.transact(async inner => {
        await assertQualifier(inner, row.functionId, qualifier)
        const { functionId, teamId, projectId } = row
        const call = { functionId, teamId, projectId, qualifier, source: 'APP' as const, depth: hops, caller: user }
        return enqueueOne(inner, { ...call, payload: JSON.stringify(event) }, clientKey)
      })
      return accepted(requestId)
    }
    const { headers } = request
    const runnable = await targetsOf(server).runnable(caller.zone, row.functionId, qualifier, headers)
    const ran = await invoke(server, { runnable, qualifier, source: 'APP', event, caller: user, headers, hops })
    return answerOf(ran)
  },
})
