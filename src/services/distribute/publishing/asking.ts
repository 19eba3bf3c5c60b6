import { commonErrors, Refusal, refuse } from '../../../kernel/errors.ts'
import { type Ask, asker } from '../../../server/asking.ts'
import type { Context } from '../../../server/context.ts'
import type { Download, WireAccess } from '../../../server/implement.ts'
import { versions } from '../versions/contract.ts'
import { publishing } from './contract.ts'
import { isBusiness } from './rules.ts'

/**
 * A call of the field's API. Tools look at `ret.code` of an HTTP 200 and show only a status of anything else, so what the
 * app's business refuses goes out that way, in this service alone; who asks, what he may and what is there stays HTTP.
 */
export function answering<I>(work: (ask: Ask, input: I, ctx: Context) => Promise<Record<string, unknown>>) {
  return async (ctx: Context, input: I, wire: WireAccess): Promise<Download> => {
    const named = wire.request.headers['client_id']
    if (named !== undefined && named !== ctx.caller.clientId)
      refuse(commonErrors.tokenInvalid, { reason: 'the header client_id does not name the client of the token' })
    try {
      return json({ ret: { code: 0, msg: 'success' }, ...(await work(asker(ctx, wire), input, ctx)) })
    } catch (error) {
      if (!(error instanceof Refusal) || !isBusiness(error.status)) throw error
      const told = inTheirNumbers(error)
      return json({ ret: { code: told.number, msg: sentenceOf(told) }, requestId: wire.request.id, ...told.detail })
    }
  }
}

function inTheirNumbers(refusal: Refusal): Refusal {
  const isProcessing = refusal.number === versions.errors.packageProcessing[0]
  return isProcessing ? new Refusal(publishing.errors.processing, refusal.detail) : refusal
}

/** Tools show the sentence alone, so what it points to is said in it. */
function sentenceOf({ message, detail }: Refusal): string {
  const { readiness, fields } = detail as {
    readiness?: { severity: string; message: string }[]
    fields?: { pointer: string; message: string }[]
  }
  const blocks = readiness?.filter(one => one.severity === 'BLOCK').map(one => one.message) ?? []
  const faults = fields?.map(one => `${one.pointer} ${one.message}`) ?? []
  return [message, ...blocks, ...faults].join(' ')
}

function json(body: unknown): Download {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { headers, body: JSON.stringify(body) }
}
