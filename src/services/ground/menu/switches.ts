import { randomBytes } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { leavesAWayIn, type SwitchName, switchNames } from '../../../kernel/switches.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { hasSignInProvider } from '../session/own-sign-in/public.ts'
import { menuErrors } from './contract.ts'
import { type AskedFor, getsIt, isFeatureOnFor, isForAll, overseasFeature, switchReason, unsetSwitch } from './rules.ts'
import { featureSwitches } from './tables.home.ts'
import { userGroupTeams } from './tables.ts'

export type SwitchRow = typeof featureSwitches.$inferSelect

const allSwitches = planned(db => db.select().from(featureSwitches).orderBy(featureSwitches.feature))

/** Every switch by its feature. */
export async function switchesOf(ctx: Context): Promise<ReadonlyMap<string, SwitchRow>> {
  const rows = await allSwitches(ctx.transaction('home'), {})
  return new Map(rows.map(row => [row.feature, row]))
}

/** The same for the operator's list, with the named ones that nobody has set, by name. */
export async function listedSwitches(ctx: Context) {
  const rows = await switchesOf(ctx)
  const unset = switchNames.filter(name => !rows.has(name)).map(unsetSwitch)
  return [...rows.values(), ...unset].toSorted((one, other) => (one.feature < other.feature ? -1 : 1))
}

interface TeamInPlace {
  teamId: string
  zone: ZoneId
}

const placeOf = (ctx: Context): TeamInPlace => ({ teamId: ctx.teamId, zone: ctx.zone })

/** Where a team's groups and configuration are asked for (specification, section 6). */
function homeOfGroups(ctx: Context, row: SwitchRow | undefined, team: TeamInPlace): ZoneId {
  const isOverseas = row !== undefined && getsIt(switchReason(row, row.seed, { ...team, groups: [] }))
  return isOverseas || !ctx.server.config.zones.includes('CN') ? team.zone : 'CN'
}

/**
 * Where the groups and configuration of the team of the call are asked for: its own zone where the overseas switch is
 * on, else China; its own too where this process does not serve China.
 */
export async function overseasZone(ctx: Context): Promise<ZoneId> {
  return homeOfGroups(ctx, (await switchesOf(ctx)).get(overseasFeature), placeOf(ctx))
}

/** The groups of some teams, each asked for in its zone; one query a zone. */
export async function groupsOfTeams(
  ctx: Context,
  teams: readonly TeamInPlace[],
  overseas: SwitchRow | undefined,
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>(teams.map(team => [team.teamId, []]))
  for (const [zone, there] of Map.groupBy(teams, team => homeOfGroups(ctx, overseas, team))) {
    if (!ctx.server.config.zones.includes(zone)) continue
    const ids = there.map(team => team.teamId)
    const rows = await ctx
      .transaction(zone)
      .db.select({ teamId: userGroupTeams.teamId, groupCode: userGroupTeams.groupCode })
      .from(userGroupTeams)
      .where(inArray(userGroupTeams.teamId, ids))
    for (const { teamId, groupCode } of rows) groups.get(teamId)?.push(groupCode)
  }
  return groups
}

export interface Switchboard {
  /** Whether somebody has set it. */
  has(feature: string): boolean
  /** Whether it is on for the team of the call, in its zone or in another one. */
  isOn(feature: string, zone?: ZoneId): boolean
}

/** The switches as the team of the call has them, or a visitor. Groups are read only where one is named. */
export async function switchboardOf(ctx: Context): Promise<Switchboard> {
  const switches = await switchesOf(ctx)
  const { teamId } = ctx.place
  const asksGroups = teamId !== null && [...switches.values()].some(row => row.isOn && row.groups.length > 0)
  const found = asksGroups ? await groupsOfTeams(ctx, [placeOf(ctx)], switches.get(overseasFeature)) : undefined
  const team: AskedFor = { teamId, zone: ctx.zone, groups: found?.get(teamId ?? '') ?? [] }
  return {
    has: feature => switches.has(feature),
    isOn: (feature, zone = ctx.zone) => isFeatureOnFor(feature, switches.get(feature), { ...team, zone }),
  }
}

/** Makes a switch (revision 0) or changes it; its seed is made once. */
export async function setSwitch(
  ctx: Context,
  wanted: Pick<SwitchRow, 'feature' | 'isOn' | 'percent' | 'zones' | 'note' | 'revision'> & { groups?: string[] },
): Promise<SwitchRow> {
  const { feature, revision, ...given } = wanted
  if (feature === overseasFeature && given.groups?.length) refuse(menuErrors.groupsUnread, { feature })
  if (isForAll(feature)) await checkForAll(ctx, wanted)
  const [before] = await ctx.home
    .select()
    .from(featureSwitches)
    .where(eq(featureSwitches.feature, feature))
    .for('update')
  if ((before?.revision ?? 0) !== revision) refuse(commonErrors.stale, { revision: before?.revision ?? 0 })
  const values = { ...given, groups: given.groups ?? before?.groups ?? [] }
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

const told = ({ isOn, percent, zones, groups }: SwitchRow) => ({ isOn, percent, zones, groups })

/** It is the same for all, and what it closes leaves a way in. */
async function checkForAll(
  ctx: Context,
  wanted: Pick<SwitchRow, 'feature' | 'isOn' | 'percent' | 'zones'> & { groups?: string[] },
) {
  const { feature, isOn, percent, zones, groups = [] } = wanted
  if (percent !== 100 || zones.length > 0 || groups.length > 0) refuse(menuErrors.forAllOnly, { feature })
  const board = await switchboardOf(ctx)
  const isOpen = (name: SwitchName) => (name === feature ? isOn : board.isOn(name))
  if (!leavesAWayIn(isOpen, await hasSignInProvider(ctx))) refuse(menuErrors.noWayIn, { feature })
}
