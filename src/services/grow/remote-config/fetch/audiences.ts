import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { audienceLookup } from '../../targeting/public.ts'
import type { Compiled } from './compiled.ts'

/** The context with what the project's audiences say of its unit. Templates that ask for no audience ask no database. */
export async function withAudiences(
  server: Server,
  zone: ZoneId,
  { projectId, teamId, audiences }: Pick<Compiled, 'projectId' | 'teamId' | 'audiences'>,
  context: EvaluationContext,
): Promise<EvaluationContext> {
  if (audiences.length === 0) return context
  const { attributes, now } = context
  const ctx = systemContext(server, zone, { name: 'remoteConfig', teamId })
  const asked = { audienceIds: audiences, attributes, now }
  const isInAudience = await ctx.transact(inner => audienceLookup(inner, projectId, asked))
  return { ...context, isInAudience }
}
