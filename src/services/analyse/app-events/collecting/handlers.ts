import { refuse } from '../../../../kernel/errors.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { appOrServerOf } from '../../../build/app-auth/public.ts'
import { type EventProblem, isProblem, type KeptEvent, keptEvent } from '../checking.ts'
import { appEventsErrors as errors } from '../contract.ts'
import { recordKept } from '../recording.ts'
import { limits } from '../rules.ts'
import { appEventsCollecting } from './contract.ts'
import { namesTooMany } from './names.ts'

const anyOrigin = { 'access-control-allow-origin': '*' }

/** No cookie is ever taken, so pages of all origins may. */
const preflight: Download = {
  status: 204,
  headers: {
    ...anyOrigin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, productid, x-api-key',
    'access-control-max-age': 86_400,
  },
  body: null,
}

export default implement(appEventsCollecting, {
  reportEvents: async (ctx, { body }, { request }) => {
    const { zone, teamId, projectId } = await appOrServerOf(ctx.server, request.headers)
    const { events, sentAt } = batchOf(body)
    const receivedAt = ctx.now()
    const arrival = { receivedAt, newId: () => ctx.newId(), ...(sentAt !== undefined && { sentAt }) }
    const place = { zone, teamId, projectId }
    const judged = events.map(event => keptEvent(event, arrival))
    const names = new Set(judged.flatMap(one => (isProblem(one) ? [] : one.name)))
    const tooMany = await namesTooMany(ctx.server, place, names)
    const kept: KeptEvent[] = []
    const refused: (EventProblem & { at: number })[] = []
    for (const [at, one] of judged.entries()) {
      if (isProblem(one)) refused.push({ at, ...one })
      else if (tooMany.has(one.name)) refused.push({ at, ...nameTooMany })
      else kept.push(one)
    }
    await recordKept(ctx.server, place, kept, receivedAt)
    const answer = { ret: { code: 0, msg: 'success' }, taken: kept.length, refused }
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...anyOrigin },
      body: JSON.stringify(answer),
    }
  },

  askReportEvents: async () => preflight,
})

const nameTooMany: EventProblem = {
  field: 'name',
  message: `the project has ${limits.names} names of events, the most there may be: use one of them, and props for what differs`,
}

/** `{ events: [...], sentAt? }`; refuses 400 what is none. */
function batchOf(body: unknown): { events: readonly unknown[]; sentAt: number | undefined } {
  const { events, sentAt } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (!Array.isArray(events) || events.length === 0) refuse(errors.badBatch, { reason: 'events is a list of events' })
  if (events.length > limits.eventsOfBatch)
    refuse(errors.badBatch, {
      reason: `events has ${events.length} events; send at most ${limits.eventsOfBatch} at once`,
    })
  if (sentAt !== undefined && !(Number.isSafeInteger(sentAt) && (sentAt as number) > 0))
    refuse(errors.badBatch, { reason: 'sentAt is the time of the device in whole milliseconds since 1970' })
  return { events, sentAt: sentAt as number | undefined }
}
