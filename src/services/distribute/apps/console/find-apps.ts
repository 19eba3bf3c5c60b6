import { hrefOf } from '../../../../console/address.ts'
import type { FindThings } from '../../../../console/page-spec.ts'
import { may, teamZone } from '../../../../console/session.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { api, projectCalls } from './app-calls.ts'

/** Apps stand in the zones of their projects; each of these is asked. */
const find: FindThings = async (search, signal) => {
  const own = teamZone() ?? 'CN'
  const projects = may('projects.read')
    ? (await projectCalls.listProjects({ query: { pageSize: 100 } }, { signal })).list
    : []
  const zones = [...new Set<ZoneId>([own, ...projects.map(project => project.zone)])]
  const found = await Promise.all(
    zones.map(async zone => {
      const { list } = await api.listApps({ query: { search: search.slice(0, 100), pageSize: 5 } }, { signal, zone })
      return list.map(({ appId, name, packageName }) => ({
        key: appId,
        name,
        detail: packageName ?? '',
        href: hrefOf('/apps/$appId', { appId }, zone === own ? {} : { zone }),
      }))
    }),
  )
  return found.flat().slice(0, 8)
}

export default find
