import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { accountContacts } from '../session/public.ts'
import { notices as contract } from './contract.ts'
import { htmlOfMail, listKeptMails, readKeptMail } from './kept-mails.ts'
import { listNotices, own, toNotice, unreadOf } from './queries.ts'
import { type Cells, categories, channels, isLocked, isOn, isTimeZone, missingChannels } from './rules.ts'
import { type Choices, choicesOf } from './settings.ts'
import { noticeSettings } from './tables.home.ts'
import { notices } from './tables.ts'
import { readUnsubscribe } from './unsubscribe.ts'

export default implement(contract, {
  getSettings: async ctx => settingsAnswer(ctx, (await choicesOf(ctx, [ctx.accountId]))(ctx.accountId)),

  putSettings: async (ctx, { body }) => {
    const before = (await choicesOf(ctx, [ctx.accountId]))(ctx.accountId)
    if (body.revision !== before.revision) refuse(commonErrors.stale, { revision: before.revision })
    if (!isTimeZone(body.timeZone))
      throw badField('/timeZone', 'timeZone', 'is no IANA time zone such as Asia/Shanghai')
    const cells = changedCells(before.cells, body.settings)
    const { digest, digestAt, timeZone } = body
    const row = { cells, digest, digestAt, timeZone, updatedAt: ctx.now(), revision: before.revision + 1 }
    const [kept] = await ctx.home
      .insert(noticeSettings)
      .values({ accountId: ctx.accountId, ...row })
      .onConflictDoUpdate({
        target: noticeSettings.accountId,
        set: row,
        setWhere: eq(noticeSettings.revision, before.revision),
      })
      .returning()
    if (!kept) refuse(commonErrors.stale, { revision: before.revision + 1 })
    await ctx.db
      .update(notices)
      .set({ mailDueAt: ctx.now() })
      .where(and(eq(notices.accountId, ctx.accountId), eq(notices.mail, 'digest')))
    ctx.audit({ action: 'notices.settings', entity: 'account', entityId: ctx.accountId, after: row }, 'home')
    return settingsAnswer(ctx, row)
  },

  listNotices: (ctx, { query }) => listNotices(ctx, query),

  countUnread: async ctx => {
    const [row] = await unreadOf(ctx.transaction(ctx.zone), { accountId: ctx.accountId })
    return { unread: Number(row?.unread ?? 0), latestId: row?.latestId ?? null }
  },

  markRead: async (ctx, { params, body }) => {
    const [row] = await ctx.db
      .update(notices)
      .set({ readAt: body.read ? sql`coalesce(${notices.readAt}, ${ctx.now()})` : null })
      .where(own(ctx, eq(notices.noticeId, params.noticeId)))
      .returning()
    if (!row) refuse(commonErrors.notFound, { entity: 'notice', id: params.noticeId })
    return toNotice(row)
  },

  markAllRead: async (ctx, { body }) => {
    const marked = await ctx.db
      .update(notices)
      .set({ readAt: ctx.now() })
      .where(
        own(
          ctx,
          isNull(notices.readAt),
          body.category ? eq(notices.category, body.category) : undefined,
          body.upTo ? lte(notices.noticeId, body.upTo) : undefined,
        ),
      )
    return { marked: marked.rowCount ?? 0 }
  },

  deleteNotice: async (ctx, { params }) => {
    // The row stays until its time is over: a mail of it may still be under way.
    const gone = await ctx.db
      .update(notices)
      .set({ isInInbox: false })
      .where(own(ctx, eq(notices.noticeId, params.noticeId)))
    if (gone.rowCount === 0) refuse(commonErrors.notFound, { entity: 'notice', id: params.noticeId })
    return {}
  },

  showUnsubscribe: async (ctx, { query }) => {
    readUnsubscribe(ctx.server.masterKey, query.token)
    const location = `${ctx.server.config.publicUrl}/#/unsubscribe?token=${encodeURIComponent(query.token)}`
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: null }
  },

  unsubscribe: async (ctx, { query, stream }) => {
    stream.resume()
    const { accountId, what } = readUnsubscribe(ctx.server.masterKey, query.token)
    const chosen = (await choicesOf(ctx, [accountId]))(accountId)
    const ended = categories.filter(
      category => (what === 'digest' || what === category) && !isLocked(category, 'email'),
    )
    const cells = { ...chosen.cells, ...Object.fromEntries(ended.map(category => [`${category}.email`, false])) }
    const row = { ...chosen, cells, updatedAt: ctx.now(), revision: chosen.revision + 1 }
    await ctx.home
      .insert(noticeSettings)
      .values({ accountId, ...row })
      .onConflictDoUpdate({
        target: noticeSettings.accountId,
        set: {
          cells: sql`${noticeSettings.cells} || ${JSON.stringify(cells)}::jsonb`,
          updatedAt: ctx.now(),
          revision: sql`${noticeSettings.revision} + 1`,
        },
      })
    ctx.audit({ action: 'notices.unsubscribe', entity: 'account', entityId: accountId, after: { what } }, 'home')
    return { what }
  },

  listMails: (ctx, { query }) => listKeptMails(ctx.server, query),
  getMail: (ctx, { params }) => readKeptMail(ctx.server, params.mailId),
  getMailHtml: (ctx, { params }) => htmlOfMail(ctx.server, params.mailId),
})

async function settingsAnswer(ctx: Context, chosen: Choices) {
  const { cells, digest, digestAt, timeZone, revision } = chosen
  const [contact] = await accountContacts(ctx, [ctx.accountId])
  const address = contact?.email ?? null
  return {
    settings: categories.flatMap(category =>
      channels.map(channel => ({
        category,
        channel,
        enabled: isOn(cells, category, channel),
        locked: isLocked(category, channel),
      })),
    ),
    digest,
    digestAt,
    timeZone,
    channels: channels.map(channel => {
      if (missingChannels.includes(channel)) {
        return { channel, available: false, reason: 'noProvider' as const, address: null }
      }
      if (channel !== 'email') return { channel, available: true, reason: null, address: null }
      return { channel, available: address !== null, reason: address === null ? ('noAddress' as const) : null, address }
    }),
    revision,
  }
}

type Sent = Static<typeof contract.calls.putSettings.body>['settings']

/** What is sent over what was; only what differs from the usual is kept. Refuses cells that cannot be as they are sent. */
function changedCells(before: Cells, sent: Sent): Record<string, boolean> {
  const cells: Record<string, boolean> = { ...before }
  const seen = new Set<string>()
  sent.forEach(({ category, channel, enabled }, at) => {
    const name = `${category}.${channel}` as const
    if (seen.has(name)) throw badField(`/settings/${at}`, 'unique', `names ${name} twice`)
    seen.add(name)
    if (isLocked(category, channel) && !enabled) {
      throw badField(`/settings/${at}/enabled`, 'locked', `${category} by ${channel} cannot be turned off`)
    }
    if (missingChannels.includes(channel) && enabled) {
      throw badField(`/settings/${at}/enabled`, 'available', `${channel} is not available on this machine`)
    }
    if (isLocked(category, channel) || missingChannels.includes(channel)) return
    if (enabled === isOn({}, category, channel)) delete cells[name]
    else cells[name] = enabled
  })
  return cells
}
