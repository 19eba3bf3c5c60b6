import { and, eq, isNull } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { implement } from '../../../server/implement.ts'
import { teamNamed } from '../teams/public.ts'
import { apiClients as contract } from './contract.ts'
import { changeClient, createClient, removeClient } from './making.ts'
import { clientOf, listClients, toClient } from './queries.ts'
import { apiClients, clientGrants } from './tables.home.ts'

export default implement(contract, {
  listClients: (ctx, { query }) => listClients(ctx, 'team', query),
  getClient: async (ctx, { query }) => toClient(ctx, await clientOf(ctx, 'team', query.clientId)),
  createClient: (ctx, { body }) => createClient(ctx, 'team', body),
  updateClient: (ctx, { body }) => changeClient(ctx, 'team', body),
  deleteClient: (ctx, { query }) => removeClient(ctx, 'team', query.clientId),

  getClientBrief: (ctx, { query }) =>
    ctx.transact(async inner => {
      const { clientId } = query
      const granted = await inner.home
        .select({ clientId: clientGrants.clientId })
        .from(clientGrants)
        .where(
          and(eq(clientGrants.clientId, clientId), eq(clientGrants.teamId, inner.teamId), isNull(clientGrants.endedAt)),
        )
      const [row] = await inner.home
        .select()
        .from(apiClients)
        .where(and(eq(apiClients.clientId, clientId), eq(apiClients.kind, 'team')))
      const isKnown = row && (row.teamId === inner.teamId || granted.length > 0)
      if (!isKnown) refuse(commonErrors.notFound, { entity: 'client', id: clientId })
      const team = await teamNamed(inner, row.teamId)
      const { name, teamId, state } = row
      return { clientId, name, teamId, teamName: team?.name ?? '', state, isOwn: teamId === inner.teamId }
    }, 'all'),
})
