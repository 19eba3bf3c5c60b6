import { type SwitchName, switchNames, usesNewerStorage } from '../../../../kernel/switches.ts'
import { siteOfZone, zoneIds } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { switchboardOf } from '../switches.ts'
import { pageConfiguration } from './contract.ts'

export default implement(pageConfiguration, {
  getPageConfiguration: ctx => configurationOf(ctx),
  getTeamConfiguration: ctx => configurationOf(ctx),
})

async function configurationOf(ctx: Context) {
  const { isOn } = await switchboardOf(ctx)
  const switches = Object.fromEntries(switchNames.map(name => [name, isOn(name)])) as Record<SwitchName, boolean>
  const storage = [null, ...zoneIds.map(siteOfZone)].map(siteId => ({
    siteId,
    isNewer: usesNewerStorage(siteId, zone => isOn('storageSwitch', zone)),
  }))
  const analyticsScript = switches.googleAnalyticsSwitch ? (ctx.server.config.analyticsScript ?? null) : null
  return { switches, storage, analyticsScript }
}
