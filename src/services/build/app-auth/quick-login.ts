import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { readJson } from '../../../server/http/json-body.ts'
import { errors } from './contract.ts'
import { refuseProof } from './providers/proof.ts'
import { phoneOf } from './rules.ts'
import { postSigned } from './signed-post.ts'
import { quickLogins } from './tables.ts'

/** Asks the carrier, or what stands for it, whose phone a one-tap token is of. Outside of transactions. */
export async function phoneOfCarrier(
  ctx: Context,
  wanted: { projectId: string; carrier: string; token: string },
): Promise<string> {
  const { projectId, carrier, token } = wanted
  const [row] = await ctx.transact(inner =>
    inner.db
      .select()
      .from(quickLogins)
      .where(
        and(eq(quickLogins.projectId, projectId), eq(quickLogins.carrier, carrier), eq(quickLogins.enabled, true)),
      ),
  )
  if (!row) refuse(errors.providerOff, { provider: carrier.slice(0, 20) })
  const secret = ctx.server.masterKey.open('app auth carrier', `${projectId} ${carrier} ${row.checkUrl}`, row.sealedKey)
  const id = ctx.newId()
  try {
    const { status, text } = await postSigned(ctx, {
      ...{ url: row.checkUrl, secret, id, timeoutMs: 5000 },
      body: { type: 'quick_login.check', appId: row.appId, token },
    })
    const read = status === 200 ? (readJson(text) as { phone?: unknown } | null) : null
    const phone = typeof read?.phone === 'string' ? phoneOf(read.phone) : null
    if (phone !== null) return phone
  } catch (error) {
    ctx.log.info({ carrier, reason: (error as Error).message }, 'a carrier did not answer')
  }
  return refuseProof('the carrier does not know the token')
}
