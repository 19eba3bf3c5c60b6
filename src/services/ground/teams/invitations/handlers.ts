import { and, desc, eq, gt, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { accountContacts, accountsOf, createAccount, findAccount } from '../../session/public.ts'
import { members } from '../members/contract.ts'
import { assertGrantable, assertRoom } from '../members/granting.ts'
import { loadTeam, lockTeam, ownRolesOf } from '../queries.ts'
import { limits } from '../rules.ts'
import { members as memberRows, invitations as rows } from '../tables.home.ts'
import { accept, assertInvited } from './accept.ts'
import { invitations as contract, invitationsV2 } from './contract.ts'
import {
  assertOpen,
  type InvitationRow,
  invitationOf,
  loadInvitation,
  moveInvitation,
  stateNow,
  toInvitation,
} from './moves.ts'
import { type MailLanguage, maskedAddress, readAddress } from './rules.ts'
import { hashOf, linkOf, newToken } from './token.ts'

const { errors } = contract
const resendPauseMs = 30_000

const handlers: Handlers<typeof contract> = {
  listInvitations: async (ctx, { query }) => {
    const { pageSize = 20, cursor, state, search } = query
    const matches = and(
      eq(rows.teamId, ctx.teamId),
      inState(ctx, state),
      search?.trim() ? at(search.trim()) : undefined,
    )
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(matches, /^[0-9]{1,19}$/.test(cursor ?? '') ? lt(rows.invitationId, cursor ?? '') : undefined))
      .orderBy(desc(rows.invitationId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    const names = await namesOf(ctx, list)
    return {
      total: await ctx.home.$count(rows, matches),
      list: list.map(row => toInvitation(ctx, row, names.get(row.invitedBy) ?? '')),
      nextCursor: found.length > pageSize ? (list.at(-1)?.invitationId ?? null) : null,
    }
  },

  createInvitation: async (ctx, { body }) => {
    const to = readAddress(body.address)
    if (!to) throw badField('/address', 'address', 'is neither a mail address nor a phone number with + and country')
    return ctx.transact(async inner => {
      await lockTeam(inner)
      const scope = await assertGrantable(inner, body)
      await assertRoom(inner)
      await assertNew(inner, to.key, to.address)
      const known = await findAccount(inner, to.address)
      const language = body.language ?? (await languageOf(inner, known?.accountId))
      const token = newToken()
      const now = ctx.now()
      const [row] = await inner.home
        .insert(rows)
        .values({
          invitationId: inner.newId(),
          teamId: inner.teamId,
          channel: to.channel,
          address: to.address,
          addressKey: to.key,
          roles: [...body.roles],
          scope,
          language,
          state: 'open',
          invitedBy: inner.accountId,
          ...(to.channel === 'phone' && { tokenHash: hashOf(token), sent: 1 }),
          expiresAt: now + limits.invitationMs,
          createdAt: now,
          updatedAt: now,
        })
        .returning()
        .catch(error => {
          if (isDuplicate(error, 'invitations_open')) refuse(errors.alreadyInvited, { address: to.address })
          throw error
        })
      if (!row) throw new Error('no row came back')
      const said = { entity: 'invitation', entityId: row.invitationId }
      inner.audit({ action: 'invitation.create', ...said, after: { roles: row.roles, scope: row.scope } }, 'home')
      const data = { teamId: row.teamId, invitedBy: row.invitedBy, accountId: known?.accountId ?? null }
      inner.emit({ type: 'team.member_invited', ...said, data }, 'home')
      return sendOut(inner, row, token)
    })
  },

  resendInvitation: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const row = await loadInvitation(inner, body.invitationId)
      assertOpen(inner, row)
      await assertGrantable(inner, row)
      const waitMs = row.updatedAt + resendPauseMs - ctx.now()
      if (waitMs > 0) refuse(errors.resentOften, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      await moveInvitation(inner, row, 'resend')
      const token = newToken()
      const [after] = await inner.home
        .update(rows)
        .set({
          expiresAt: ctx.now() + limits.invitationMs,
          ...(row.channel === 'phone' ? { tokenHash: hashOf(token), sent: row.sent + 1 } : { tokenHash: null }),
        })
        .where(eq(rows.invitationId, row.invitationId))
        .returning()
      return sendOut(inner, after ?? row, token)
    }),

  cancelInvitation: async (ctx, { query }) => {
    const row = await loadInvitation(ctx, query.invitationId)
    assertOpen(ctx, row)
    await moveInvitation(ctx, row, 'cancel')
    return {}
  },

  readInvitation: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const row = await invitationOf(inner, body.token)
      const team = await loadTeam(inner, row.teamId)
      const own = new Map((await ownRolesOf(inner, row.teamId)).map(role => [role.roleId, role.name]))
      const names = await namesOf(inner, [row])
      return {
        teamName: team.name,
        invitedByName: names.get(row.invitedBy) ?? '',
        address: maskedAddress(row.address),
        roles: row.roles.map(role => own.get(role) ?? role),
        state: stateNow(inner, row),
        expiresAt: row.expiresAt,
        hasAccount: (await findAccount(inner, row.address)) !== null,
      }
    }, 'all'),

  acceptInvitation: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const row = await invitationOf(inner, body.token, 'lock')
      assertOpen(inner, row)
      await assertInvited(inner, row, ctx.accountId)
      const { teamId, name } = await accept(inner, row, ctx.accountId)
      return { teamId, teamName: name }
    }, 'all'),

  acceptWithNewAccount: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const row = await invitationOf(inner, body.token, 'lock')
      assertOpen(inner, row)
      if (await findAccount(inner, row.address)) refuse(errors.accountExists)
      const { siteId } = await loadTeam(inner, row.teamId)
      const { name, password } = body
      const accountId = await createAccount(inner, { loginName: row.address, name, password, siteId })
      const team = await accept(inner, row, accountId)
      return { teamId: team.teamId, teamName: team.name, loginName: row.address }
    }, 'all'),

  declineInvitation: async (ctx, { body }) =>
    ctx.transact(async inner => {
      const row = await invitationOf(inner, body.token, 'lock')
      assertOpen(inner, row)
      await moveInvitation(inner, row, 'decline')
      return {}
    }, 'all'),
}

export default implement(contract, handlers)
export const secondGeneration = implement(invitationsV2, handlers)

/** By mail a job makes the token and sends it, so that nobody here ever holds it; by phone the inviter passes it on. */
async function sendOut(ctx: Context, row: InvitationRow, token: string) {
  const names = await namesOf(ctx, [row])
  const invitation = toInvitation(ctx, row, names.get(row.invitedBy) ?? '')
  if (row.channel === 'phone') return { invitation, link: linkOf(ctx.server.config.publicUrl, token) }
  const { invitationId, revision } = row
  ctx.startJob(
    { kind: 'teams.invite', subject: invitationId, input: { invitationId, revision }, deadlineMs: 3_600_000 },
    'home',
  )
  return { invitation, link: null }
}

/** Room for one more, and nobody who is in the team or invited. The team must be locked. */
async function assertNew(ctx: Context, addressKey: string, address: string): Promise<void> {
  const now = ctx.now()
  const stillOpen = and(eq(rows.teamId, ctx.teamId), eq(rows.state, 'open'))
  const ended = await ctx.home
    .select()
    .from(rows)
    .where(and(stillOpen, lte(rows.expiresAt, now)))
  for (const row of ended) await moveInvitation(ctx, row, 'expire')
  const count = await ctx.home.$count(rows, stillOpen)
  if (count >= limits.openInvitations) refuse(errors.tooManyInvitations, { limit: limits.openInvitations })
  const [open] = await ctx.home
    .select({ id: rows.invitationId })
    .from(rows)
    .where(and(stillOpen, eq(rows.addressKey, addressKey)))
  if (open) refuse(errors.alreadyInvited, { address })
  const account = await findAccount(ctx, address)
  if (!account) return
  const [member] = await ctx.home
    .select({ status: memberRows.status })
    .from(memberRows)
    .where(and(eq(memberRows.teamId, ctx.teamId), eq(memberRows.accountId, account.accountId)))
  if (member && member.status !== 'removed') refuse(members.errors.alreadyMember, { loginName: address })
}

/** What the invited person chose for mails, where there is an account; else what the inviter did. */
async function languageOf(ctx: Context, invited: string | undefined): Promise<MailLanguage> {
  const contacts = await accountContacts(ctx, [ctx.accountId, ...(invited === undefined ? [] : [invited])])
  const chosenBy = (accountId: string | undefined) => contacts.find(one => one.accountId === accountId)?.language
  return chosenBy(invited) ?? chosenBy(ctx.accountId) ?? ctx.place.language
}

async function namesOf(ctx: Context, list: readonly InvitationRow[]): Promise<Map<string, string>> {
  const accounts = await accountsOf(ctx, [...new Set(list.map(row => row.invitedBy))])
  return new Map(accounts.map(one => [one.accountId, one.name]))
}

function inState(ctx: Context, state: InvitationRow['state'] | undefined): SQL | undefined {
  if (state === undefined) return undefined
  const now = ctx.now()
  if (state === 'open') return and(eq(rows.state, 'open'), gt(rows.expiresAt, now))
  if (state === 'expired') return or(eq(rows.state, 'expired'), and(eq(rows.state, 'open'), lte(rows.expiresAt, now)))
  return eq(rows.state, state)
}

function at(search: string): SQL {
  return sql`${rows.addressKey} LIKE ${`%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`
}
