import type { Context } from '../../../../server/context.ts'
import { fire } from './firing.ts'
import { listeningTo } from './queries.ts'

/** Calls every function of a project that waits for a topic. Answers how many calls are new. */
export async function publishTopic(
  ctx: Context,
  projectId: string,
  event: { topic: string; id: string; data: unknown; depth: number },
): Promise<number> {
  const { topic, id, data, depth } = event
  const listening = await listeningTo(ctx, [projectId], 'EVENT')
  const facts = listening
    .filter(trigger => trigger.config.topic === topic)
    .map(trigger => ({ trigger, id, depth, event: { topic, data, time: ctx.now() } }))
  return fire(ctx, facts)
}
