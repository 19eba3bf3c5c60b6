import {
  keepPreviousData,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { Answer, CallSpec } from '../kernel/contract.ts'
import type { ZoneId } from '../kernel/zones.ts'
import { type CallError, isCallError } from './call-error.ts'
import type { Call, CallInput } from './client.ts'
import { currentTeamId, projectZone } from './session.ts'

/** A refusal is final; only silence and 5xx are tried again, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && (!isCallError(error) || error.status === 0 || error.status >= 500),
    },
  },
})

/** `[service, call name, team, zone, input]`: a change of team or zone never shows another one's rows. */
export function keyOf<S extends CallSpec>(call: Call<S>, input: CallInput<S>, zone?: ZoneId): readonly unknown[] {
  return [call.service, call.callName, currentTeamId(), zone ?? projectZone.get(), input]
}

export type CallQuery<T> = Pick<
  UseQueryOptions<T, CallError>,
  'enabled' | 'staleTime' | 'refetchInterval' | 'refetchOnWindowFocus' | 'retry'
> & {
  zone?: ZoneId
  /** Keep the rows of the page before on screen while the next ones load. */
  keepBefore?: boolean
}

/** The answer of a reading call, cached under the call's name. */
export function useCall<S extends CallSpec>(
  call: Call<S>,
  input: CallInput<S>,
  options: CallQuery<Answer<S>> = {},
): UseQueryResult<Answer<S>, CallError> {
  const { zone, keepBefore, ...query } = options
  return useQuery<Answer<S>, CallError>({
    queryKey: keyOf(call, input, zone),
    queryFn: ({ signal }) => call(input, { signal, ...(zone && { zone }) }),
    ...(keepBefore && { placeholderData: keepPreviousData }),
    ...query,
  })
}
