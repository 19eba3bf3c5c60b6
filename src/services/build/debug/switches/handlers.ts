import { switchNames, usesNewerStorage } from '../../../../kernel/switches.ts'
import { siteOfZone } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { featuresOf } from '../../../ground/menu/public.ts'
import { cloudSwitches } from '../contract.ts'
import { switchTarget } from '../rules.ts'
import { issueToken, sessionOfToken } from '../tokens.ts'

export default implement(cloudSwitches, {
  issueSwitchToken: ctx => issueToken(ctx, { target: switchTarget, scopes: ['switches.read'] }),
  readCloudSwitches: ctx => switchesOf(ctx),

  readSwitchesByToken: async (ctx, _input, { request }) => {
    await sessionOfToken(ctx, request, 'switches.read')
    return switchesOf(ctx)
  },
})

async function switchesOf(ctx: Context) {
  const isOn = await featuresOf(ctx)
  return {
    zone: ctx.zone,
    isNewerStorage: usesNewerStorage(siteOfZone(ctx.zone), () => isOn('storageSwitch')),
    switches: Object.fromEntries(switchNames.map(name => [name, isOn(name)])),
  }
}
