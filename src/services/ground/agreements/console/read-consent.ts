import type { ReadConsent } from '../../../../console/consent-port.ts'
import { mode } from '../../../../console/mode.ts'
import { sessionState } from '../../../../console/session.ts'
import { keyOf, queryClient } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { consents } from '../consents/contract.ts'
import { consentApi } from './agreement-calls.ts'

/**
 * What the person consents to, as far as it is known here: nothing waits for it unless it is to be asked for first. Read in the background once in five
 * minutes, and anew after a change on this page.
 */
export const readConsent: ReadConsent = async (purpose, how) => {
  if (sessionState().status !== 'in' || mode.isDemoProject()) return undefined
  const input = { body: {} }
  const queryKey = keyOf(consentApi.queryConsents, input)
  const queryFn = () => consentApi.queryConsents(input)
  const asked = queryClient.prefetchQuery({ queryKey, queryFn, staleTime: 300_000 })
  if (how === 'asked') await asked
  const known = queryClient.getQueryData<Answer<typeof consents.calls.queryConsents>>(queryKey)
  return known?.consents.some(one => one.purpose === purpose && one.isAgree)
}
