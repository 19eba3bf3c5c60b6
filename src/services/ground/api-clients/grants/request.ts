import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { errors } from '../contract.ts'
import { limits } from '../rules.ts'

const purpose = 'client grant'

interface Asked {
  clientId: string
  permissions: string[]
  expiresAt: number
  requestId: string
}

/** The address at which the leader of another team is asked: signed, so nothing of it is kept until he says yes. */
export function requestUrl(ctx: Context, client: { clientId: string }, permissions: string[]) {
  const expiresAt = ctx.now() + limits.grantUrlMs
  const asked: Asked = { clientId: client.clientId, permissions, expiresAt, requestId: ctx.newId() }
  const payload = Buffer.from(JSON.stringify(asked)).toString('base64url')
  const token = `${payload}.${ctx.server.masterKey.sign(purpose, payload)}`
  return { url: `${ctx.server.config.publicUrl}/#/api-clients/grant?token=${token}`, expiresAt }
}

/** What an address asks for. Refuses 422 for one that was not made here or has run out. */
export function readRequest(ctx: Context, token: string): Asked {
  const [payload = '', mac = '', rest] = token.split('.')
  if (rest !== undefined || !ctx.server.masterKey.verify(purpose, payload, mac)) refuse(errors.grantOver)
  const asked = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Asked
  if (asked.expiresAt <= ctx.now()) refuse(errors.grantOver)
  return asked
}
