import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { isEmptyInstallation } from './queries.ts'
import { issueTicket } from './tickets.ts'

/** A new token at each start while nobody has an account; the one before no longer opens anything. */
export async function makeSetUpLink(server: Server): Promise<string | null> {
  const ctx = systemContext(server, server.config.zones[0] ?? 'CN', { name: 'first run' })
  return ctx.transact(async inner => {
    await inner.transaction('home').query('LOCK TABLE accounts IN EXCLUSIVE MODE')
    if (!(await isEmptyInstallation(inner))) return null
    await inner.transaction('home').query(`DELETE FROM session_tickets WHERE purpose = 'setUp'`)
    return `${server.config.publicUrl}/#/set-up?token=${await issueTicket(inner, 'setUp', {})}`
  })
}
