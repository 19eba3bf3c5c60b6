import type { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import { systemContext } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { appCallerOf } from '../../app-auth/public.ts'
import { functionErrors } from '../contract.ts'
import { invoke, refusalOf } from '../invoke.ts'
import { functionNamed, resolve } from '../queries.ts'
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

export default implement(functionCalls, {
  callFunction: async (outer, { params, request, stream }): Promise<Download> => {
    const { server } = outer
    const hops = Number(request.headers['x-loggia-hops'] ?? 0)
    if (hops >= limits.hops) refuse(functionErrors.loop, { hops })
    const caller = await appCallerOf(server, request.headers)
    const text = await textOf(stream)
    const ctx = systemContext(server, caller.zone, { name: 'functions', teamId: caller.teamId })
    const { runnable, qualifier } = await ctx.transact(async inner => {
      for (const { name, qualifier } of cuts(params.target)) {
        const row = await functionNamed(inner, caller.projectId, name).catch(() => null)
        if (!row) continue
        if (!row.isEnabled) refuse(functionErrors.disabled)
        return { runnable: await resolve(inner, row, qualifier, request.headers), qualifier }
      }
      return refuse(functionErrors.noFunction, { name: params.target })
    })
    const event = {
      path: '/',
      httpMethod: request.method,
      headers: forwarded(request.headers),
      queryStringParameters: request.query,
      body: text,
      isBase64Encoded: false,
    }
    const user = caller.user && { uid: caller.user.uid, claims: caller.user.claims }
    const ran = await invoke(server, { runnable, qualifier, source: 'APP', event, caller: user })
    const refusal = refusalOf(ran)
    if (refusal) throw refusal
    const { result } = ran
    const told = {
      'x-request-id': ran.requestId,
      'x-function-version': ran.version,
      'x-cold-start': String(ran.phases.isCold),
    }
    if (result?.kind !== 'http')
      return {
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8', ...told },
        body: result?.text ?? 'null',
      }
    const body = result.isBase64 ? Buffer.from(result.body, 'base64') : result.body
    return { status: safeStatus(result.status), headers: { ...safeHeaders(result.headers), ...told }, body }
  },
})

async function textOf(stream: Readable): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += part.length
    if (bytes > limits.eventBytes) refuse(functionErrors.tooLarge, { bytes, limit: limits.eventBytes })
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const safeStatus = (status: number) => (Number.isInteger(status) && status >= 200 && status <= 599 ? status : 500)

const notPassed =
  /^(connection|keep-alive|transfer-encoding|content-length|upgrade|te|trailer|set-cookie2?|strict-transport-security|x-request-id|x-function-version|x-cold-start|proxy-.*)$/i

/** What a function says of its answer, without what is the server's own to say. */
function safeHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !notPassed.test(name) && /^[\t\x20-\x7e]*$/.test(String(value)),
  )
  return Object.fromEntries(kept.slice(0, 50).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** What a function sees of a request: no token, no cookie. */
function forwarded(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const own = /^(authorization|access_token|cookie|x-csrf.*|proxy-.*)$/i
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !own.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
