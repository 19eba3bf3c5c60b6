import { and, desc, eq, gt } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { projectOf } from '../../projects/public.ts'
import { errors } from '../contract.ts'
import { grant } from '../granting.ts'
import { insertClient, lockClients, updateRow } from '../making.ts'
import { type ClientRow, clientOf, grantableHere } from '../queries.ts'
import { limits } from '../rules.ts'
import { apiClients } from '../tables.home.ts'
import { signToken, watermark } from '../tokens/issue.ts'
import { debugCredentials } from './contract.ts'

/** A debug credential is a client of one token: nobody can get a second one with it. */
export default implement(debugCredentials, {
  getDebugCredential: async (ctx, { query }) => toCredential(await clientOf(ctx, 'debug', query.credentialId)),

  createDebugCredential: async (ctx, { body }) => {
    const made = await ctx.transact(async inner => {
      const project = await projectOf(inner, body.projectId)
      await lockClients(inner)
      const live = await liveOf(inner)
      if (live.length >= limits.debugCredentials) refuse(errors.tooManyClients, { limit: limits.debugCredentials })
      const permissions = grantableHere(inner)
      const row = await insertClient(inner, {
        kind: 'debug',
        name: `debug ${project.name}`.slice(0, limits.nameLength),
        zones: [project.zone],
        projectId: project.projectId,
        expiresAt: inner.now() + limits.debugSeconds * 1000,
      })
      const given = { projects: [project.projectId], apps: [] }
      await grant(inner, row, { permissions, scope: { given, projectOfApp: {} } })
      return { row, permissions, zone: project.zone }
    })
    const { row, permissions, zone } = made
    const accessToken = await signToken(ctx, {
      clientId: row.clientId,
      subject: ctx.accountId,
      teamId: row.teamId,
      zone,
      permissions,
      seconds: limits.debugSeconds,
      more: { watermark, project: body.projectId },
    })
    return { credential: toCredential(row), accessToken, watermark }
  },

  revokeDebugCredential: async (ctx, { query }) => {
    const row = await clientOf(ctx, 'debug', query.credentialId, 'update')
    await updateRow(ctx, row, { state: 'DISABLED' })
    ctx.audit({ action: 'apiClient.disable', entity: 'apiClient', entityId: row.clientId }, 'home')
    return {}
  },

  listDebugCredentials: async ctx => ({ list: (await liveOf(ctx)).map(toCredential) }),
})

async function liveOf(ctx: Context): Promise<ClientRow[]> {
  return ctx.home
    .select()
    .from(apiClients)
    .where(
      and(
        eq(apiClients.teamId, ctx.teamId),
        eq(apiClients.kind, 'debug'),
        eq(apiClients.createdBy, ctx.accountId),
        gt(apiClients.expiresAt, ctx.now()),
      ),
    )
    .orderBy(desc(apiClients.clientId))
    .limit(limits.debugCredentials * 2)
}

function toCredential({ clientId, projectId, zones, state, createdAt, expiresAt }: ClientRow) {
  return {
    credentialId: clientId,
    projectId: projectId ?? '0',
    zone: zones[0] ?? ('CN' as const),
    isRevoked: state !== 'ACTIVE',
    createdAt,
    expiresAt: expiresAt ?? createdAt,
  }
}
