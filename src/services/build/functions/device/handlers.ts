import { refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { appCallerOf } from '../../app-auth/public.ts'
import { answerOf, bodyOf, forwarded, hopsOf } from '../answering.ts'
import { functionErrors } from '../contract.ts'
import { invoke } from '../invoke.ts'
import { assertQualifier, functionNamed, resolve } from '../queries.ts'
import { clientKeyOf, enqueueOne } from '../queue/enqueue.ts'
import { accepted } from '../queue/invoke-handlers.ts'
import { aliasPattern, limits, namePattern } from '../rules.ts'
import { functionCalls } from './contract.ts'

const aliasLike = new RegExp(`^(.{2,63}?)-(\\$latest|[1-9][0-9]{0,8}|${aliasPattern.slice(1, -1)})$`)

/** `resize-pictures-live`: hyphens may be in the name, so every place to cut is a guess that the name must confirm. */
function cuts(target: string): { name: string; qualifier: string }[] {
  const found: { name: string; qualifier: string }[] = []
  for (let at = target.lastIndexOf('-'); at > 0; at = target.lastIndexOf('-', at - 1)) {
    const name = target.slice(0, at)
    if (new RegExp(namePattern).test(name) && aliasLike.test(target))
      found.push({ name, qualifier: target.slice(at + 1) })
  }
  return found
}

/** The function that a target names in a project, and which version of it. Refuses 404, and 503 of one that is off. */
async function targetOf(ctx: Context, projectId: string, target: string) {
  for (const { name, qualifier } of cuts(target)) {
    const row = await functionNamed(ctx, projectId, name).catch(() => null)
    if (!row) continue
    if (!row.isEnabled) refuse(functionErrors.disabled)
    return { row, qualifier }
  }
  return refuse(functionErrors.noFunction, { name: target })
}

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
    if (isAsync(request.headers)) {
      const clientKey = clientKeyOf(request.headers)
      const requestId = await ctx.transact(async inner => {
        const { row, qualifier } = await targetOf(inner, caller.projectId, params.target)
        await assertQualifier(inner, row.functionId, qualifier)
        const { functionId, teamId, projectId } = row
        const call = { functionId, teamId, projectId, qualifier, source: 'APP' as const, depth: hops, caller: user }
        return enqueueOne(inner, { ...call, payload: JSON.stringify(event) }, clientKey)
      })
      return accepted(requestId)
    }
    const { runnable, qualifier } = await ctx.transact(async inner => {
      const { row, qualifier } = await targetOf(inner, caller.projectId, params.target)
      return { runnable: await resolve(inner, row, qualifier, request.headers), qualifier }
    })
    const { headers } = request
    const ran = await invoke(server, { runnable, qualifier, source: 'APP', event, caller: user, headers, hops })
    return answerOf(ran)
  },
})
