import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { isInRollout, unitOf } from '../../../kernel/bucketing.ts'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { featureSwitches } from './tables.home.ts'

export type SwitchRow = typeof featureSwitches.$inferSelect

const allSwitches = planned(db => db.select().from(featureSwitches).orderBy(featureSwitches.feature))

/** Every switch by its feature. */
export async function switchesOf(ctx: Context): Promise<ReadonlyMap<string, SwitchRow>> {
  const rows = await allSwitches(ctx.transaction('home'), {})
  return new Map(rows.map(row => [row.feature, row]))
}

/** Whether a switch is on for the team of the call: set, of its zone, and the team within the rollout. */
export function isOnFor(ctx: Context, row: SwitchRow | undefined): boolean {
  if (!row?.isOn) return false
  if (row.zones.length > 0 && !row.zones.includes(ctx.zone)) return false
  return isInRollout(row.seed, unitOf(ctx.teamId), row.percent)
}

/**
 * Where the team's groups and configuration are asked for (specification, section 6): its own zone where the overseas
 * switch is on, else China; its own too where this process does not serve China.
 */
export async function overseasZone(ctx: Context): Promise<ZoneId> {
  const isOverseas = isOnFor(ctx, (await switchesOf(ctx)).get('overseasSwitch'))
  return isOverseas || !ctx.server.config.zones.includes('CN') ? ctx.zone : 'CN'
}

/** Makes a switch (revision 0) or changes it; its seed is made once. */
export async function setSwitch(
  ctx: Context,
  wanted: Pick<SwitchRow, 'feature' | 'isOn' | 'percent' | 'zones' | 'note' | 'revision'>,
): Promise<SwitchRow> {
  const { feature, revision, ...values } = wanted
  const [before] = await ctx.home
    .select()
    .from(featureSwitches)
    .where(eq(featureSwitches.feature, feature))
    .for('update')
  if ((before?.revision ?? 0) !== revision) refuse(commonErrors.stale, { revision: before?.revision ?? 0 })
  const row: SwitchRow = {
    feature,
    ...values,
    seed: before?.seed ?? randomBytes(12).toString('base64url'),
    updatedAt: ctx.now(),
    revision: revision + 1,
  }
  const [written] = await ctx.home
    .insert(featureSwitches)
    .values(row)
    .onConflictDoUpdate({
      target: featureSwitches.feature,
      set: { ...values, updatedAt: row.updatedAt, revision: row.revision },
      setWhere: eq(featureSwitches.revision, revision),
    })
    .returning()
  if (!written) refuse(commonErrors.stale, { revision: revision + 1 })
  const change = { before: before ? told(before) : null, after: told(written) }
  ctx.audit({ action: 'switch.set', entity: 'switch', entityId: feature, ...change }, 'home')
  ctx.emit({ type: 'switch.set', entity: 'switch', entityId: feature, data: told(written) }, 'home')
  return written
}

const told = ({ isOn, percent, zones }: SwitchRow) => ({ isOn, percent, zones })
