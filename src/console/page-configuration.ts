import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { SwitchName } from '../kernel/switches.ts'
import type { ZoneId } from '../kernel/zones.ts'
import { menuSource, type PageConfiguration } from './menu-port.ts'
import { projectZone, type SessionState, sessionState, useSession } from './session.ts'
import { queryClient } from './use-call.ts'

function wanted(teamId: string | null, zone?: ZoneId): UseQueryOptions<PageConfiguration> {
  return {
    queryKey: [menuSource().service, 'page configuration', teamId, zone],
    queryFn: async () => {
      const { readConfiguration: read } = await menuSource().loadConfiguration()
      return read({ isOfTeam: teamId !== null, zone })
    },
    staleTime: 60_000,
  }
}

const teamOf = (session: SessionState) => (session.status === 'in' ? session.teamId : null)

/** As it is known now for the team of this tab, read once a minute at most. */
export function readConfiguration(): Promise<PageConfiguration> {
  return queryClient.fetchQuery(wanted(teamOf(sessionState()), projectZone.get()) as never)
}

/**
 * Whether a switch is on for the team of this tab in the zone on screen, or another. Until that is known it counts as on:
 * nothing is taken away that the server may allow.
 */
export function useSwitches(zone?: ZoneId): (name: SwitchName) => boolean {
  const { data } = useQuery(wanted(teamOf(useSession()), zone ?? projectZone.get()), queryClient)
  return name => data?.switches[name] ?? true
}

/** The same for a visitor, on pages before a sign-in: they ask nothing again while somebody comes in. */
export function useVisitorSwitches(): (name: SwitchName) => boolean {
  const { data } = useQuery(wanted(null), queryClient)
  return name => data?.switches[name] ?? true
}
