import { and, eq, like, or } from 'drizzle-orm'
import { type ZoneId, zoneOfSite } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener } from '../../../server/work.ts'
import { accountsOf } from '../session/public.ts'
import { membersWith, teamNamed } from '../teams/public.ts'
import type { Category } from './rules.ts'
import { noticeSettings } from './tables.home.ts'
import { digests, notices } from './tables.ts'
import {
  accountTexts,
  decisionTexts,
  type Facts,
  keeperTexts,
  memberTexts,
  providerTexts,
  type Words,
} from './texts.ts'
import { writeNotices } from './write.ts'

/**
 * What happened to accounts and teams, told by events of the home database. The notices are of a zone: they are written
 * before the receipt at home, and their cause keeps a repetition from writing them twice.
 */
export const accountEvents: Listener = {
  name: 'notices.accounts',
  on: ['session.*', 'support.*'],
  run: async (ctx, event) => {
    const state = `${event.type} ${event.data['to']}`
    const words = accountTexts[event.type] ?? decisionTexts[state] ?? decisionTexts[event.type]
    const accountId = accountOf(event)
    const [account] = words && accountId ? await accountsOf(ctx, [accountId]) : []
    if (!words || !account) return
    const facts: Facts = { team: '', person: account.name, detail: detailOf(event) }
    await write(ctx, event, zoneOf(ctx, account.siteId), {
      accountIds: [account.accountId],
      category: words.category ?? 'security',
      words,
      facts,
      ofTeamId: null,
      href: words.href ?? accountPage,
    })
  },
}

export const teamEvents: Listener = {
  name: 'notices.teams',
  on: ['team.*'],
  run: async (ctx, event) => {
    const [ofMember, ofKeepers] = [memberTexts[event.type], keeperTexts[event.type]]
    const teamId = typeof event.data['teamId'] === 'string' ? event.data['teamId'] : event.teamId
    const accountId = accountOf(event)
    const team = (ofMember || ofKeepers) && teamId ? await teamNamed(ctx, teamId) : null
    if (!team || !accountId) return
    const [account] = await accountsOf(ctx, [accountId])
    const facts: Facts = { team: team.name, person: account?.name ?? '', detail: '' }
    const zone = zoneOf(ctx, team.siteId)
    const category: Category = event.type.startsWith('team.leader_') ? 'security' : 'operations'
    const told = { category, facts, ofTeamId: team.teamId }
    if (ofMember && account) {
      await write(ctx, event, zone, { ...told, accountIds: [accountId], words: ofMember, href: '/team' })
    }
    if (ofKeepers && account) {
      const keepers = await membersWith(ctx, team.teamId, { permission: 'teams.members' })
      const accountIds = keepers.filter(one => one !== accountId && event.actor !== `user:${one}`)
      // The member is named in it: by this id it is found when his account is erased.
      const about = { ...event, entityId: accountId }
      await write(ctx, about, zone, { ...told, accountIds, words: ofKeepers, href: '/team/members' })
    }
  },
}

/** Between a team and who serves it: each side is told, but for who did it. */
export const providerEvents: Listener = {
  name: 'notices.providers',
  on: Object.keys(providerTexts),
  run: async (ctx, event) => {
    const words = providerTexts[event.type]
    const { teamId, clientTeamId, spId } = event.data
    const client = await namedTeam(ctx, clientTeamId ?? teamId)
    const provider = await namedTeam(ctx, spId ?? teamId)
    if (!words || !client || !provider) return
    const told = event.type === 'team.provider_invited' ? [provider] : [client, provider]
    for (const team of told) {
      const other = team === client ? provider : client
      const keepers = await membersWith(ctx, team.teamId, { permission: 'teams.providers' })
      await write(ctx, event, zoneOf(ctx, team.siteId), {
        accountIds: keepers.filter(one => event.actor !== `user:${one}`),
        category: 'operations',
        words,
        facts: { team: team.name, person: other.name, detail: '' },
        ofTeamId: team.teamId,
        href: '/team/providers',
      })
    }
  },
}

/** Of an erased account stays neither what it was told nor what others were told of it by name. */
export const erasedAccounts: Listener = {
  name: 'notices.erased',
  on: ['session.account_forgotten'],
  run: async (ctx, { entityId: accountId }) => {
    await ctx.db.delete(notices).where(or(eq(notices.accountId, accountId), isTold(accountId)))
    await ctx.db.delete(digests).where(eq(digests.accountId, accountId))
    await ctx.home.delete(noticeSettings).where(eq(noticeSettings.accountId, accountId))
  },
}

const isTold = (accountId: string) => and(eq(notices.entityId, accountId), like(notices.kind, 'team.%'))

const namedTeam = (ctx: Context, teamId: unknown) => (typeof teamId === 'string' ? teamNamed(ctx, teamId) : null)

const accountPage = '/security'

async function write(
  ctx: Context,
  event: Event,
  zone: ZoneId,
  told: {
    accountIds: readonly string[]
    category: Category
    words: Words
    facts: Facts
    ofTeamId: string | null
    href: string
  },
): Promise<void> {
  const { words, facts, ...rest } = told
  const notice = { ...rest, kind: event.type, title: words.title(facts), text: words.text(facts) }
  await writeNotices(ctx, zone, { ...notice, entityId: event.entityId, cause: `event ${event.eventId}` })
}

/** The zone where somebody's notices are kept; one that this installation part does not serve has them in its first. */
function zoneOf(ctx: Context, siteId: number): ZoneId {
  const zone = zoneOfSite(siteId)
  return ctx.server.config.zones.includes(zone) ? zone : ctx.zone
}

function accountOf(event: Event): string | null {
  const named = event.data['accountId']
  if (typeof named === 'string') return named
  return event.entity === 'account' ? event.entityId : null
}

function detailOf({ data }: Event): string {
  const parts = [data['userAgent'], data['ip'], data['reason'], data['answer']].filter(
    part => typeof part === 'string' && part !== '',
  )
  return parts.join(' · ')
}
