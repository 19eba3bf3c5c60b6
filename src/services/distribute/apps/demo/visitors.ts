import { siteOfZone } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { openVisitorPlace } from '../../../ground/teams/visitors/public.ts'
import { makeDemo } from './make.ts'

/**
 * At each start: the demo project that people without a session may look around in, in the first zone of this process,
 * unless some zone has it already or the operator wants none.
 */
export async function prepareVisitors(server: Server): Promise<void> {
  const [zone] = server.config.zones
  if (zone === undefined || server.config.demo === 'off') return
  const system = systemContext(server, zone, { name: 'demo' })
  const wanted = { countryCode: zone, siteId: siteOfZone(zone) }
  const { teamId, accountId, projectIds } = await system.transact(ctx => openVisitorPlace(ctx, wanted))
  if (projectIds.length > 0) return
  await systemContext(server, zone, { name: 'demo', teamId }).transact(ctx => makeDemo(ctx, accountId))
}
