import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { rowsOfPages, spreadsheet } from '../../../../server/spreadsheet.ts'
import { projectHere } from '../product.ts'
import { endSessions, type UserRow } from '../sessions.ts'
import { appUsers } from '../tables.ts'
import { deleteUsers, userOf } from '../users.ts'
import { createUser, updateUser } from './changing.ts'
import { appUserDesk } from './contract.ts'
import { exportColumns } from './export-columns.data.ts'
import { pageOfUsers, summaryOf, usersNamed, wholeUser } from './queries.ts'

export default implement(appUserDesk, {
  getUser: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    return wholeUser(ctx, query.projectId, query.uid)
  },

  createUser: (ctx, { body }) => createUser(ctx, body),

  updateUser: (ctx, { body }) => {
    const { projectId, uid, revision, ...person } = body
    return updateUser(ctx, { projectId, uid, revision, person })
  },

  deleteUser: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    await remove(ctx, projectId, [await userOf(ctx, projectId, query.uid)], query.eraseData ?? true)
    return {}
  },

  endUserSession: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const { uid } = await userOf(ctx, projectId, query.uid)
    const { familyId } = query
    const ended = await endSessions(ctx, { uids: [uid], ...(familyId ? { familyId } : {}) }, 'REVOKED')
    ctx.audit({ action: 'appUser.end_sessions', entity: 'appUser', entityId: uid, after: { ended } })
    return { ended }
  },

  getUserSummary: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    return summaryOf(ctx, projectId, query.days ?? 30)
  },

  listUsers: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    return pageOfUsers(ctx, query)
  },

  exportUsers: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const { format, language = 'en', ...filters } = query
    ctx.audit({ action: 'appUser.export', entity: 'project', entityId: projectId, after: { format } })
    const words = exportColumns[language]
    const at = (instant: number | null) => (instant === null ? '' : new Date(instant).toISOString())
    return spreadsheet(format, {
      fileName: `users-${projectId}`,
      columns: words,
      rows: rowsOfPages(
        cursor =>
          ctx.transact(inner => pageOfUsers(inner, { ...filters, pageSize: 100, ...(cursor ? { cursor } : {}) })),
        one => [
          one.uid,
          one.displayName,
          one.email ?? '',
          one.phone ?? '',
          one.providers.join(' '),
          one.state,
          at(one.createdAt),
          at(one.lastSignInAt),
        ],
      ),
    })
  },

  getCpUser: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    return { list: await usersNamed(ctx, query) }
  },

  modifyUser: (ctx, { body }) => {
    const { projectId, uid, patch, revokeTokens } = body
    return updateUser(ctx, { projectId, uid, person: patch, ...(revokeTokens ? { revokeTokens } : {}) })
  },

  deleteUsers: async (ctx, { body }) => {
    const { projectId } = await projectHere(ctx, body.projectId)
    const rows = await ctx.db
      .select()
      .from(appUsers)
      .where(and(eq(appUsers.projectId, projectId), inArray(appUsers.uid, body.uids), ne(appUsers.state, 'DELETED')))
    await remove(ctx, projectId, rows, body.eraseData ?? true)
    const found = new Set(rows.map(row => row.uid))
    return { deleted: rows.length, missing: body.uids.filter(uid => !found.has(uid)) }
  },
})

async function remove(ctx: Context, projectId: string, rows: readonly UserRow[], eraseData: boolean): Promise<void> {
  await deleteUsers(ctx, projectId, rows, eraseData)
  for (const { uid } of rows)
    ctx.audit({ action: 'appUser.delete', entity: 'appUser', entityId: uid, after: { projectId, eraseData } })
}
