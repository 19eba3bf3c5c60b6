import { hasConsent } from '../consent-port.ts'
import { browserPage } from '../jsonp.ts'
import { readConfiguration } from '../page-configuration.ts'

interface ScriptWays {
  /** Whether the person agreed to analytics. */
  hasAgreed: () => Promise<boolean>
  /** The script that the operator named, while its switch is on. */
  address: () => Promise<string | null>
  load: (address: string) => void
}

/**
 * Looks whether the operator's analytics may run and loads their script, once for a page. Nothing waits for it, and nothing
 * is said when it cannot be read or loaded.
 */
export function analyticsScript(ways: ScriptWays): () => Promise<void> {
  let isLoaded = false
  return async () => {
    if (isLoaded) return
    const agreed = await ways.hasAgreed().catch(() => false)
    const address = agreed ? await ways.address().catch(() => null) : null
    if (isLoaded || address === null) return
    isLoaded = true
    ways.load(address)
  }
}

function whenQuiet(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 10_000 })
  else setTimeout(act, 0)
}

/** The ways of this page. */
export const pageScript = (): (() => Promise<void>) =>
  analyticsScript({
    hasAgreed: () => hasConsent('ANALYTICS', 'asked'),
    address: async () => (await readConfiguration()).analyticsScript,
    load: address => whenQuiet(() => browserPage().load(address, () => undefined)),
  })
