import type { Context } from '../../../server/context.ts'

/** Lets one change of the team's certificates and devices at a time pass, so that limits hold when several come at once. */
export async function inTurn(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(215, hashtext($1))', [ctx.teamId])
}
