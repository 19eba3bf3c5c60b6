import type { ReadConsent } from '../../../../console/consent-port.ts'
import { mode } from '../../../../console/mode.ts'
import { sessionState } from '../../../../console/session.ts'
import { keyOf, queryClient } from '../../../../console/use-call.ts'
import { consentApi } from './agreement-calls.ts'

/** What the person consents to, read once in five minutes, and anew after a change on this page. */
export const readConsent: ReadConsent = async purpose => {
  if (sessionState().status !== 'in' || mode.isDemoProject()) return undefined
  const input = { body: {} }
  const { consents } = await queryClient.fetchQuery({
    queryKey: keyOf(consentApi.queryConsents, input),
    queryFn: () => consentApi.queryConsents(input),
    staleTime: 300_000,
  })
  return consents.some(one => one.purpose === purpose && one.isAgree)
}
