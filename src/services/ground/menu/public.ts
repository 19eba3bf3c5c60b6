import type { Context } from '../../../server/context.ts'
import { switchboardOf } from './switches.ts'

/** Whether a feature is switched on for the team of the call; one that nobody switched is off. */
export async function isFeatureOn(ctx: Context, feature: string): Promise<boolean> {
  return (await switchboardOf(ctx)).isOn(feature)
}
