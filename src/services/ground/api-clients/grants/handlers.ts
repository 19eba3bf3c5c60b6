import { and, eq, isNull, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { projectsFound } from '../../projects/public.ts'
import { accountsOf } from '../../session/public.ts'
import { teamNamed } from '../../teams/public.ts'
import { errors } from '../contract.ts'
import { checkGrantable, endGrantOf, grant, grantScope } from '../granting.ts'
import { clientOf, type GrantRow, grantableHere, listGrants } from '../queries.ts'
import { apiClients, clientGrants } from '../tables.home.ts'
import { clientGrantCalls } from './contract.ts'
import { readRequest, requestUrl } from './request.ts'

export default implement(clientGrantCalls, {
  listGrantRecords: (ctx, { query }) =>
    ctx.transact(async inner => {
      const { clientId, isLive, cursor, pageSize = 20 } = query
      const matches = and(
        or(eq(clientGrants.teamId, inner.teamId), eq(clientGrants.clientTeamId, inner.teamId)),
        clientId ? eq(clientGrants.clientId, clientId) : undefined,
        isLive ? isNull(clientGrants.endedAt) : undefined,
      )
      const { rows, total } = await listGrants(inner, matches, cursor, pageSize)
      const list = rows.slice(0, pageSize)
      return {
        total,
        list: await toRecords(inner, list),
        nextCursor: rows.length > pageSize ? (list.at(-1)?.grantId ?? null) : null,
      }
    }, 'all'),

  listGrantResources: async (ctx, { query }) => {
    const { search, cursor, pageSize = 20 } = query
    const after = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor) ? { after: cursor } : {}
    const found = await projectsFound(ctx, { ...(search ? { search } : {}), ...after, limit: pageSize + 1 })
    const list = found.list.slice(0, pageSize)
    const nextCursor = found.list.length > pageSize ? (list.at(-1)?.projectId ?? null) : null
    return {
      permissions: grantableHere(ctx).map(permission => ({ permission, group: permission.split('.')[0] ?? '' })),
      zones: [...ctx.server.config.zones],
      projects: { total: found.total, list, nextCursor },
    }
  },

  getGrantUrl: async (ctx, { query }) => {
    ctx.assertScope({})
    const client = await clientOf(ctx, 'team', query.clientId)
    const permissions = [...new Set(query.permissions.split(',').map(one => one.trim()))].filter(one => one !== '')
    if (permissions.length === 0) throw badField('/permissions', 'minItems', 'names no permission', 'query')
    checkGrantable(ctx, permissions)
    return requestUrl(ctx, client, permissions)
  },

  readGrantRequest: (ctx, { query }) =>
    ctx.transact(async inner => {
      const asked = readRequest(inner, query.token)
      const client = await clientAsked(inner, asked.clientId)
      const team = await teamNamed(inner, client.teamId)
      return {
        clientId: client.clientId,
        clientName: client.name,
        clientTeamId: client.teamId,
        clientTeamName: team?.name ?? '',
        permissions: asked.permissions,
        expiresAt: asked.expiresAt,
      }
    }, 'all'),

  acceptGrant: (ctx, { body }) =>
    ctx.transact(async inner => {
      const asked = readRequest(inner, body.token)
      const more = body.permissions.filter(one => !asked.permissions.includes(one))
      if (more.length > 0) throw badField('/permissions', 'asked', `were not asked for: ${more.join(', ')}`)
      const client = await clientAsked(inner, asked.clientId)
      checkGrantable(inner, body.permissions)
      const scope = await grantScope(inner, body.scope)
      try {
        const row = await grant(inner, client, { permissions: body.permissions, scope, requestId: asked.requestId })
        const [record] = await toRecords(inner, [row])
        return record ?? refuse(commonErrors.internal)
      } catch (error) {
        if (isDuplicate(error, 'client_grants_request')) refuse(errors.grantUsed)
        throw error
      }
    }, 'all'),

  endGrant: async (ctx, { query }) => {
    const { grantId } = query
    const [row] = await ctx.home
      .select()
      .from(clientGrants)
      .where(and(eq(clientGrants.grantId, grantId), eq(clientGrants.teamId, ctx.teamId), isNull(clientGrants.endedAt)))
    if (!row || row.clientTeamId === ctx.teamId) refuse(commonErrors.notFound, { entity: 'grant', id: grantId })
    await endGrantOf(ctx, row.clientId)
    ctx.audit(
      { action: 'apiClient.grant_end', entity: 'apiClient', entityId: row.clientId, after: { grantId } },
      'home',
    )
    return {}
  },
})

/** The client of a request, of whatever team but the caller's own. The scope of rows must be all. */
async function clientAsked(ctx: Context, clientId: string) {
  const [client] = await ctx.home
    .select()
    .from(apiClients)
    .where(and(eq(apiClients.clientId, clientId), eq(apiClients.kind, 'team')))
  if (!client) refuse(errors.grantOver)
  if (client.teamId === ctx.teamId) refuse(errors.ownTeam)
  return client
}

async function toRecords(ctx: Context, rows: readonly GrantRow[]) {
  const people = await accountsOf(ctx, [...new Set(rows.map(row => row.grantedBy))])
  const names = new Map(people.map(one => [one.accountId, one.name]))
  return rows.map(row => ({
    ...row,
    isOwnTeam: row.teamId === row.clientTeamId,
    isGiven: row.teamId === ctx.teamId,
    scope: row.scope.given,
    grantedBy: { accountId: row.grantedBy, name: names.get(row.grantedBy) ?? '' },
  }))
}
