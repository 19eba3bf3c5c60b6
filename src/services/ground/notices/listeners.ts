import { type ZoneId, zoneOfSite } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener } from '../../../server/work.ts'
import { accountsOf } from '../session/public.ts'
import { membersWith, teamNamed } from '../teams/public.ts'
import type { Category } from './rules.ts'
import { accountTexts, type Facts, keeperTexts, memberTexts } from './texts.ts'
import { writeNotices } from './write.ts'

/**
 * What happened to accounts and teams, told by events of the home database. The notices are of a zone: they are written
 * before the receipt at home, and their cause keeps a repetition from writing them twice.
 */
export const accountEvents: Listener = {
  name: 'notices.accounts',
  on: ['session.*'],
  run: async (ctx, event) => {
    const words = accountTexts[event.type]
    const accountId = accountOf(event)
    const [account] = words && accountId ? await accountsOf(ctx, [accountId]) : []
    if (!words || !account) return
    const facts: Facts = { team: '', person: account.name, detail: deviceOf(event) }
    await write(ctx, event, zoneOf(ctx, account.siteId), {
      accountIds: [account.accountId],
      category: 'security',
      words,
      facts,
      ofTeamId: null,
      href: accountPage,
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
      await write(ctx, event, zone, { ...told, accountIds, words: ofKeepers, href: '/team/members' })
    }
  },
}

const accountPage = '/security'

async function write(
  ctx: Context,
  event: Event,
  zone: ZoneId,
  told: {
    accountIds: readonly string[]
    category: Category
    words: (typeof accountTexts)[string]
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

function deviceOf({ data }: Event): string {
  const parts = [data['userAgent'], data['ip']].filter(part => typeof part === 'string' && part !== '')
  return parts.join(' · ')
}
