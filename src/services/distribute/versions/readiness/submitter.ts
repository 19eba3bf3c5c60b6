import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isFeatureOn } from '../../../ground/menu/public.ts'
import { isRealNameVerified } from '../../../ground/session/real-names/public.ts'
import { versions as contract } from '../contract.ts'
import { isRealNameMissing, type Submitter } from './rules.ts'

/** Who would submit in this call; null where the store itself looks. */
export async function submitterOf(ctx: Context): Promise<Submitter | null> {
  const { accountId } = ctx.caller
  if (accountId === null) return null
  const mayBeUnverified = await isFeatureOn(ctx, 'unrealNameSwitch')
  return { mayBeUnverified, isVerified: mayBeUnverified || (await isRealNameVerified(ctx, accountId)) }
}

/** Refuses who may not hand anything in for review before their real name was verified. */
export async function mustBeVerified(ctx: Context): Promise<void> {
  if (isRealNameMissing(await submitterOf(ctx))) refuse(contract.errors.realNameNeeded)
}
