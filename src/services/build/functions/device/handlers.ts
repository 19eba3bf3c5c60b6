import { systemContext } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { appCallerOf, knownAppCallerOf } from '../../app-auth/public.ts'
import { answerOf, bodyOf, hopsOf, httpEvent } from '../answering.ts'
import { invoke } from '../invoke.ts'
import { assertQualifier } from '../queries.ts'
import { clientKeyOf, enqueueOne } from '../queue/enqueue.ts'
import { accepted } from '../queue/invoke-handlers.ts'
import { limits } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import { functionCalls } from './contract.ts'

/** The answer is not waited for. */
const isAsync = ({ 'x-invoke-mode': mode }: Readonly<Record<string, unknown>>) =>
  mode !== undefined && String(mode).toUpperCase() === 'ASYNC'

export default implement(functionCalls, {
  callFunction: async (outer, { params, request, stream }): Promise<Download> => {
    const { server } = outer
    const hops = hopsOf(outer)
    const { headers } = request
    // Each wait costs a call half a microsecond, also one for what is there.
    const caller = knownAppCallerOf(server, headers) ?? (await appCallerOf(server, headers))
    const body = bodyOf(stream, limits.eventBytes)
    const text = (body instanceof Promise ? await body : body).toString('utf8')
    const event = httpEvent({
      path: '/',
      httpMethod: request.method,
      headers,
      queryStringParameters: request.query,
      body: text,
      isBase64Encoded: false,
    })
    const user = caller.user && { uid: caller.user.uid, claims: caller.user.claims }
    const targets = targetsOf(server)
    const named = targets.named(caller.zone, caller.projectId, params.target)
    const { known, qualifier } = named instanceof Promise ? await named : named
    if (isAsync(headers)) {
      const clientKey = clientKeyOf(headers)
      const ctx = systemContext(server, caller.zone, { name: 'functions', teamId: caller.teamId })
      const requestId = await ctx.transact(async inner => {
        const { functionId, teamId, projectId } = known.row
        await assertQualifier(inner, functionId, qualifier)
        const call = { functionId, teamId, projectId, qualifier, source: 'APP' as const, depth: hops, caller: user }
        return enqueueOne(inner, { ...call, payload: event }, clientKey)
      })
      return accepted(requestId)
    }
    const runnable = targets.pick(caller.zone, known, qualifier, headers)
    const ran = await invoke(server, { runnable, qualifier, source: 'APP', event, caller: user, headers, hops })
    return answerOf(ran)
  },
})
