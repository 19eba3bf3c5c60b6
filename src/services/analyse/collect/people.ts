import { createHash, randomBytes } from 'node:crypto'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { dayMs, dayOf, limits, networkOf } from './rules.ts'
import { collectSalts } from './tables.ts'

/** Today's salt by zone; those of days before are not remembered. */
const salts = new WeakMap<Server, Map<ZoneId, { day: string; salt: string }>>()

async function saltOfToday(ctx: Context): Promise<string> {
  const day = dayOf(ctx.now())
  const known = salts.get(ctx.server) ?? new Map<ZoneId, { day: string; salt: string }>()
  salts.set(ctx.server, known)
  const found = known.get(ctx.zone)
  if (found?.day === day) return found.salt
  const row = { day, salt: randomBytes(32).toString('base64url'), madeAt: ctx.now() }
  // Whoever comes second gets the first one's: the update changes nothing and gives the row back.
  const [kept] = await ctx.db
    .insert(collectSalts)
    .values(row)
    .onConflictDoUpdate({ target: collectSalts.day, set: { day } })
    .returning()
  const { salt } = kept ?? row
  known.set(ctx.zone, { day, salt })
  return salt
}

/**
 * Who somebody without a consent is today: 64 bits of SHA-256 over the day's salt, the console's host, the network and the
 * browser. When the salt is gone nobody can work it out again, also not from a known address.
 */
export async function dailyPersonOf(ctx: Context, userAgent: string): Promise<(domain: string) => string> {
  const salt = await saltOfToday(ctx)
  const network = networkOf(ctx.place.ip)
  return domain => createHash('sha256').update([salt, domain, network, userAgent].join('\n')).digest('hex').slice(0, 16)
}

/** The team of a ticket is proven for the day it was made on and the next one. */
export function ticketOf(ctx: Context): { ticket: string; expiresAt: number } {
  const day = Math.floor(ctx.now() / dayMs)
  const said = `${ctx.teamId}.${day}`
  return { ticket: `${said}.${ctx.server.masterKey.sign('report ticket', said)}`, expiresAt: (day + 2) * dayMs }
}

/** The team that a ticket proves; null where it proves none. */
export function teamOfTicket(ctx: Context, ticket: string | undefined): string | null {
  const [, teamId = '', day = '', mac = ''] = /^([1-9]\d{0,18})\.(\d{1,6})\.([\w-]{43})$/.exec(ticket ?? '') ?? []
  const age = Math.floor(ctx.now() / dayMs) - Number(day)
  const isOfNow = day !== '' && age >= 0 && age <= 1
  return isOfNow && ctx.server.masterKey.verify('report ticket', `${teamId}.${day}`, mac) ? teamId : null
}

/** Destroys the salts of days that are over, in the memory of this process too. */
export async function dropSalts(ctx: Context): Promise<void> {
  const known = salts.get(ctx.server)
  if (known?.get(ctx.zone)?.day !== dayOf(ctx.now())) known?.delete(ctx.zone)
  await ctx.transaction(ctx.zone).query({
    name: 'collect drop salts',
    text: 'DELETE FROM collect_salts WHERE made_at < $1',
    values: [ctx.now() - limits.saltMs],
  })
}
