import { startAuthentication, startRegistration } from '@simplewebauthn/browser'

type Question<F extends (options: { optionsJSON: never }) => unknown> = Parameters<F>[0]['optionsJSON']
type Answered = { id: string; response: unknown }

/** Asks the browser for a passkey; null when the person went away from it. Loaded only when one is used. */
export async function answerWithPasskey(question: unknown): Promise<Answered | null> {
  return startAuthentication({ optionsJSON: question as Question<typeof startAuthentication> }).catch(goneAway)
}

/** Has the browser make a passkey; null when the person went away from it. */
export async function makePasskey(question: unknown): Promise<Answered | null> {
  return startRegistration({ optionsJSON: question as Question<typeof startRegistration> }).catch(goneAway)
}

function goneAway(error: unknown): null {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError' || name === 'InvalidStateError') return null
  throw error
}
