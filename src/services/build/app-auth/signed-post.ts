import { createHmac } from 'node:crypto'
import type { Context } from '../../../server/context.ts'

const limitBytes = 65_536

/** A POST signed as Standard Webhooks has it: id, time and body under the secret `whsec_...`. Throws `OutsideError`. */
export async function postSigned(
  ctx: Context,
  wanted: { url: string; secret: string; id: string; timeoutMs: number; body: Record<string, unknown> },
): Promise<{ status: number; text: string }> {
  const text = JSON.stringify(wanted.body)
  const at = String(Math.floor(ctx.now() / 1000))
  const key = Buffer.from(wanted.secret.replace(/^whsec_/, ''), 'base64')
  const sum = createHmac('sha256', key).update(`${wanted.id}.${at}.${text}`).digest('base64')
  const answer = await ctx.server.outbound.fetch(wanted.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': wanted.id,
      'webhook-timestamp': at,
      'webhook-signature': `v1,${sum}`,
    },
    body: text,
    limitBytes,
    timeoutMs: wanted.timeoutMs,
    follows: false,
  })
  return { status: answer.status, text: Buffer.concat(await answer.body.toArray()).toString() }
}
