import { may, projectZone, teamZone } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { scopeCalls } from './file-calls.ts'

/** Apps to choose from, by name; those of the files on screen by their ids; and the zones that the apps are in. */
export function useApps(appIds: readonly (string | null | undefined)[]) {
  const canRead = may('teams.read')
  const ids = [...new Set(appIds.filter(id => id != null))].sort()
  const list = useCall(scopeCalls.listScopes, { query: { kind: 'app', pageSize: 100 } }, { enabled: canRead })
  const named = useCall(
    scopeCalls.listScopes,
    { query: { kind: 'app', pageSize: 100, ids: ids.join(',') } },
    { enabled: canRead && ids.length > 0, keepBefore: true },
  )
  const own = teamZone() ?? 'CN'
  const zone = projectZone.get() ?? own
  const apps = list.data?.list ?? []
  const zones = [...new Set([own, zone, ...apps.map(app => app.zone as ZoneId)])]
  const names = new Map([...apps, ...(named.data?.list ?? [])].map(app => [app.id, app.name]))
  return { zone, zones, names, apps: apps.filter(app => app.zone === zone) }
}
