import { may, teamZone } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { projectCalls } from './app-calls.ts'

/** The zones the team has projects in, its own first: apps stand in the database of their project's zone. */
export function useTeamZones() {
  const found = useCall(projectCalls.listProjects, { query: { pageSize: 100 } }, { enabled: may('projects.read') })
  const projects = found.data?.list ?? []
  const own = teamZone() ?? 'CN'
  const zones = [...new Set<ZoneId>(projects.map(project => project.zone))].sort(
    (one, other) => Number(other === own) - Number(one === own),
  )
  return { own, zones: zones.length > 0 ? zones : [own], projects, isPending: found.isPending, error: found.error }
}
