import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { pageOfHolder } from '../address.ts'
import { tellGroup } from '../groups.ts'
import { behind, type LinkRecord, loadGroup, lockGroup, type Page, paged } from '../queries.ts'
import { limits } from '../rules.ts'
import { links } from '../tables.ts'
import { betaInvitations as contract, type Link } from './contract.ts'
import { linkLifeCycle } from './rules.ts'

const { errors } = contract

/** A link for strangers goes to external groups alone: what an internal one gets, nobody has reviewed. */
export async function createLink(
  ctx: Context,
  groupId: string,
  wish: { limit: number; expiresAt?: number },
): Promise<LinkRecord> {
  const { group } = await lockGroup(ctx, groupId)
  if (group.kind === 'INTERNAL') refuse(errors.internalByLink)
  const now = ctx.now()
  const { limit, expiresAt = now + limits.inviteMs } = wish
  if (expiresAt <= now || expiresAt > now + limits.inviteMs) refuse(errors.tooLong)
  const [before] = await ctx.db
    .select()
    .from(links)
    .where(and(eq(links.groupId, groupId), eq(links.state, 'LIVE')))
  if (before && before.expiresAt <= now) await moveLink(ctx, before, 'expire')
  const { teamId, appId } = group
  const [link] = await ctx.db
    .insert(links)
    .values({
      ...{ linkId: ctx.newId(), teamId, appId, groupId, state: 'LIVE' as const, limit, expiresAt },
      ...{ createdBy: ctx.accountId, createdAt: now, updatedAt: now },
    })
    .returning()
    .catch((error: unknown): never => {
      if (isDuplicate(error, 'beta_links_live')) refuse(errors.liveLink)
      throw error
    })
  if (!link) throw new Error('no row came back')
  tellGroup(ctx, group, 'createLink', { linkId: link.linkId, limit, expiresAt })
  return link
}

export async function revokeLink(ctx: Context, groupId: string, linkId: string): Promise<void> {
  await loadGroup(ctx, groupId)
  const [link] = await ctx.db
    .select()
    .from(links)
    .where(and(eq(links.linkId, linkId), eq(links.groupId, groupId)))
  if (!link) refuse(commonErrors.notFound, { entity: 'link', id: linkId })
  await moveLink(ctx, link, 'revoke')
}

async function moveLink(ctx: Context, link: LinkRecord, action: 'revoke' | 'expire'): Promise<void> {
  const { linkId, teamId, appId, groupId, state, revision } = link
  await transition(ctx, {
    cycle: linkLifeCycle,
    table: 'beta_links',
    idColumn: 'link_id',
    row: { id: linkId, state, revision },
    action,
    data: { appId, groupId },
    teamId,
    isConsequence: action === 'expire',
  })
}

/** Ends the links whose time has come. */
export async function sweepLinks(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(links)
    .where(and(eq(links.state, 'LIVE'), lte(links.expiresAt, ctx.now())))
    .limit(200)
    .for('update', { skipLocked: true })
  for (const link of due) await moveLink(ctx, link, 'expire')
}

export async function pageOfLinks(ctx: Context, { groupId, cursor, pageSize = 20 }: Page & { groupId: string }) {
  const own = eq(links.groupId, groupId)
  const rows = await ctx.db
    .select()
    .from(links)
    .where(and(own, behind(links.linkId, cursor)))
    .orderBy(desc(links.linkId))
    .limit(pageSize + 1)
  const { list, nextCursor } = paged(rows, pageSize, row => row.linkId)
  return { total: await ctx.db.$count(links, own), list: list.map(row => toLink(ctx, row)), nextCursor }
}

export function toLink(ctx: Context, row: LinkRecord): Static<typeof Link> {
  const isOpen = row.state === 'LIVE' && row.expiresAt > ctx.now()
  const state = row.state === 'LIVE' && !isOpen ? 'EXPIRED' : row.state
  return {
    ...row,
    state,
    page: isOpen ? pageOfHolder(ctx, { kind: 'link', linkId: row.linkId }) : null,
    allowedActions: allowedActions(linkLifeCycle, state, permission => ctx.may(permission)).filter(
      action => action === 'revoke',
    ),
  }
}

/** Takes a place of a link; refuses when it is full. Of many at once no more come in than there are places. */
export async function takePlace(ctx: Context, link: LinkRecord): Promise<void> {
  const [taken] = await ctx.db
    .update(links)
    .set({ used: sql`${links.used} + 1` })
    .where(and(eq(links.linkId, link.linkId), eq(links.state, 'LIVE'), sql`${links.used} < ${links.limit}`))
    .returning({ used: links.used })
  if (!taken) refuse(errors.groupFull, { limit: link.limit })
}
