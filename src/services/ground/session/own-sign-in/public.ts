import type { Context } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { identityProvidersFor } from '../queries.ts'
import { keepDoors, type SwitchDoors } from './switches.ts'

/** Hands in what says whether a switch is on, once for a server, before anybody signs in. */
export function connectSwitches(server: Server, doors: SwitchDoors): void {
  keepDoors(server, doors)
}

/** Whether people can sign in at a provider: one is there and enabled. */
export async function hasSignInProvider(ctx: Context): Promise<boolean> {
  return (await identityProvidersFor(ctx)).length > 0
}
