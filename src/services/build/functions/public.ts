import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { answerOf, httpEvent } from './answering.ts'
import { invoke } from './invoke.ts'
import { assertQualifier, functionNamed } from './queries.ts'
import { targetsOf } from './targets.ts'

/** Refuses 404 where a project has no such function with this version or alias. */
export async function assertFunction(ctx: Context, projectId: string, name: string, qualifier: string): Promise<void> {
  const { functionId } = await functionNamed(ctx, projectId, name)
  await assertQualifier(ctx, functionId, qualifier)
}

/** Calls a function for the platform, as an address would: its answer over HTTP. Throws the refusal of a call without one. */
export async function callFunction(
  server: Server,
  zone: ZoneId,
  wish: { projectId: string; teamId: string; name: string; qualifier: string; body: object; deadlineMs: number },
): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: string | Buffer }> {
  const { projectId, teamId, name, qualifier, body, deadlineMs } = wish
  const ctx = systemContext(server, zone, { name: 'functions', teamId })
  const { functionId } = await ctx.transact(inner => functionNamed(inner, projectId, name))
  const runnable = await targetsOf(server).runnable(zone, functionId, qualifier, {})
  const event = httpEvent({
    ...{ path: '/', httpMethod: 'POST', headers: { 'content-type': 'application/json' }, queryStringParameters: {} },
    ...{ body: JSON.stringify(body), isBase64Encoded: false },
  })
  const ran = await invoke(server, { runnable, qualifier, source: 'TRIGGER', event, caller: null, deadlineMs })
  const answer = answerOf(ran)
  return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: answer.body as string | Buffer }
}
