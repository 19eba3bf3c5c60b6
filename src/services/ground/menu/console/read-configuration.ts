import { client } from '../../../../console/client.ts'
import type { ReadConfiguration } from '../../../../console/menu-port.ts'
import { pageConfiguration } from '../page-configuration/contract.ts'

const api = client(pageConfiguration)

/** Of its own file, and of a contract of its own: the sign-in page loads it. */
export const readConfiguration: ReadConfiguration = ({ isOfTeam, zone }) => {
  const at = zone === undefined ? {} : { zone }
  return isOfTeam ? api.getTeamConfiguration({}, at) : api.getPageConfiguration({}, at)
}
