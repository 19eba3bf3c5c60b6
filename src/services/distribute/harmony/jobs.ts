import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { Event, Work } from '../../../server/work.ts'
import { dropProfiles, harmonyHandover } from './handover.ts'
import { harmonyNotices } from './notices.ts'
import { certCycle, type InvalidReason, type ProfileAction, profileCycle, reminderDays, reminderDue } from './rules.ts'
import { revocations } from './tables.home.ts'
import { certs, profileDevices, profiles } from './tables.ts'

const atOnce = 200
const day = 86_400_000

export default {
  handover: harmonyHandover,
  listeners: [
    harmonyNotices,
    { name: 'harmony.revocations', on: ['cert.revoked'], run: listRevoked },
    {
      name: 'harmony.invalidate',
      on: ['cert.revoked', 'device.removed'],
      run: (ctx, event) =>
        event.type === 'cert.revoked'
          ? invalidate(ctx, eq(profiles.certId, event.entityId), 'CERT_REVOKED')
          : invalidate(ctx, inArray(profiles.profileId, profilesOn(ctx, event.entityId)), 'DEVICE_REMOVED'),
    },
    { name: 'harmony.purge', on: ['app.purged'], run: (ctx, event) => dropProfiles(ctx, [event.entityId]) },
  ],
  sweeps: [
    { name: 'harmony.expireCerts', every: '34 * * * * *', database: 'zone', run: expireCerts },
    { name: 'harmony.expireProfiles', every: '38 * * * * *', database: 'zone', run: expireProfiles },
    { name: 'harmony.remind', every: '42 */5 * * * *', database: 'zone', run: remind },
  ],
} satisfies Work

/** Revocations of all zones stand in one list. */
async function listRevoked(ctx: Context, event: Event): Promise<void> {
  const { authorityId, serial, expireAt, at } = event.data
  await ctx.home
    .insert(revocations)
    .values({
      certId: event.entityId,
      authorityId: String(authorityId),
      serial: String(serial),
      revokedAt: Number(at),
      expireAt: Number(expireAt),
    })
    .onConflictDoNothing()
}

const profilesOn = (ctx: Context, deviceId: string) =>
  ctx.db
    .select({ profileId: profileDevices.profileId })
    .from(profileDevices)
    .where(eq(profileDevices.deviceId, deviceId))

const columns = {
  profileId: profiles.profileId,
  teamId: profiles.teamId,
  appId: profiles.appId,
  name: profiles.name,
  type: profiles.type,
  state: profiles.state,
  revision: profiles.revision,
  expireAt: profiles.expireAt,
  reminded: profiles.reminded,
}
type Row = Pick<typeof profiles.$inferSelect, keyof typeof columns>

async function invalidate(ctx: Context, which: ReturnType<typeof eq>, reason: InvalidReason): Promise<void> {
  const rows = await ctx.db
    .select(columns)
    .from(profiles)
    .where(and(which, eq(profiles.state, 'VALID')))
    .orderBy(profiles.profileId)
    .for('update')
  for (const row of rows) {
    await moveProfile(ctx, row, 'invalidate', { reason })
    await ctx.db.update(profiles).set({ invalidReason: reason }).where(eq(profiles.profileId, row.profileId))
  }
}

async function moveProfile(ctx: Context, row: Row, action: ProfileAction, data: Record<string, unknown>) {
  const { profileId, teamId, appId, name, type, state, revision } = row
  await transition(ctx, {
    cycle: profileCycle,
    table: 'harmony_profiles',
    idColumn: 'profile_id',
    row: { id: profileId, state, revision },
    action,
    data: { appId, provisionName: name, provisionType: type, ...data },
    note: data,
    teamId,
    isConsequence: true,
  })
}

async function expireProfiles(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select(columns)
    .from(profiles)
    .where(and(eq(profiles.state, 'VALID'), lte(profiles.expireAt, ctx.now())))
    .orderBy(profiles.profileId)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const row of due) await moveProfile(ctx, row, 'expire', {})
}

async function expireCerts(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(certs)
    .where(and(eq(certs.state, 'VALID'), lte(certs.expireAt, ctx.now())))
    .orderBy(certs.certId)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const { certId, teamId, state, revision, name, type } of due) {
    await transition(ctx, {
      cycle: certCycle,
      table: 'harmony_certs',
      idColumn: 'cert_id',
      row: { id: certId, state, revision },
      action: 'expire',
      data: { certName: name, certType: type },
      teamId,
      isConsequence: true,
    })
  }
}

async function remind(ctx: Context): Promise<void> {
  await remindOf(ctx, 'cert')
  await remindOf(ctx, 'profile')
}

/** Tells of what will end, once for each of the days; one table after the other, by the same rule. */
async function remindOf(ctx: Context, entity: 'cert' | 'profile'): Promise<void> {
  const now = ctx.now()
  const table = entity === 'cert' ? certs : profiles
  const idColumn = entity === 'cert' ? certs.certId : profiles.profileId
  const isDue = or(
    ...reminderDays.map(days => {
      const isNew = or(
        isNull(table.reminded),
        inArray(
          table.reminded,
          reminderDays.filter(one => one > days),
        ),
      )
      return and(lte(table.expireAt, now + days * day), isNew)
    }),
  )
  const due = await ctx.db
    .select({
      id: idColumn,
      teamId: table.teamId,
      name: table.name,
      type: table.type,
      expireAt: table.expireAt,
      reminded: table.reminded,
      ...(entity === 'profile' && { appId: profiles.appId }),
    })
    .from(table)
    .where(and(eq(table.state, 'VALID'), isDue))
    .orderBy(table.expireAt)
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const { id, teamId, name, type, expireAt, reminded, appId } of due) {
    const days = reminderDue(expireAt, reminded, now)
    if (days === null) continue
    await ctx.db.update(table).set({ reminded: days }).where(eq(idColumn, id))
    const named =
      entity === 'cert' ? { certName: name, certType: type } : { appId, provisionName: name, provisionType: type }
    const daysLeft = Math.max(1, Math.ceil((expireAt - now) / day))
    ctx.emit({ type: `${entity}.expiring`, entity, entityId: id, teamId, data: { ...named, expireAt, daysLeft } })
  }
}
