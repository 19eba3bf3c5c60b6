import { refuse } from '../../../../kernel/errors.ts'
import { leavesAWayIn, ownSignInSwitches, type SwitchName } from '../../../../kernel/switches.ts'
import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { session } from '../contract.ts'
import { identityProvidersFor } from '../queries.ts'
import { ownSignInSwitch } from './rules.ts'

/** What accounts must know of the operator's switches. */
export interface SwitchDoors {
  isOn(ctx: Context, name: SwitchName): Promise<boolean>
}

// The menu knows teams, which know accounts, and not the other way round: the door is handed in when the server starts.
const doors = new WeakMap<Server, SwitchDoors>()

export function keepDoors(server: Server, given: SwitchDoors): void {
  doors.set(server, given)
}

async function isOn(ctx: Context, name: SwitchName): Promise<boolean> {
  const door = doors.get(ctx.server)
  if (!door) throw new Error('no door to the switches is connected')
  return door.isOn(ctx, name)
}

/** Whether the console's own sign-in is on for pages that say they are shown so. */
export function isOwnSignInOn(ctx: Context, said: string | undefined): Promise<boolean> {
  return isOn(ctx, ownSignInSwitch(said))
}

/** Refuses when the change before it in this transaction took the last provider while own sign-in is off everywhere. */
export async function refuseLastProvider(ctx: Context): Promise<void> {
  const on = new Set<SwitchName>()
  for (const name of ownSignInSwitches) if (await isOn(ctx, name)) on.add(name)
  const hasProvider = (await identityProvidersFor(ctx)).length > 0
  if (!leavesAWayIn(name => on.has(name), hasProvider)) refuse(session.errors.lastProvider)
}
