/** What people may agree to (brief growth 5.1); the frame asks only for this one. */
type Purpose = 'ANALYTICS'

/**
 * Answers whether the person agreed; undefined where nobody knows. Asked for every event, so it answers from memory, unless
 * it is to be asked for first.
 */
export type ReadConsent = (purpose: Purpose, how: 'known' | 'asked') => Promise<boolean | undefined>

let read: ReadConsent | undefined

/** Takes over the service that keeps consents, once, from `main`. */
export function connectConsent(given: ReadConsent): void {
  read = given
}

/** Whether the person agreed. Unknown is no. */
export async function hasConsent(purpose: Purpose, how: 'known' | 'asked' = 'known'): Promise<boolean> {
  try {
    return (await read?.(purpose, how)) === true
  } catch {
    return false
  }
}
