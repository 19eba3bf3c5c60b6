/** What the loader needs of a page; `browserPage` is the one there is. */
export interface ScriptPage {
  /** Loads a script and answers whether that worked. `remove` takes it away again. */
  load: (address: string, done: (isLoaded: boolean) => void) => { remove: () => void }
  /** Where callbacks stand: the page's globals. */
  globals: Record<string, unknown>
  /** A GET whose answer nobody reads; true when one came. */
  get: (address: string) => Promise<boolean>
  /** The page's own origin. */
  origin: string
}

export interface JsonpOptions {
  /** Other origins whose scripts may run here; the page's policy names the same. */
  allowed?: readonly string[]
  timeoutMs?: number
}

const usualTimeoutMs = 10_000
let made = 0

/**
 * Loads an address as a script that calls back with its answer. Rejects with exactly `crossDomain error` when the script does
 * not load (specification, section 8), with `timeout` when it never calls, and leaves nothing behind. Only our own origin
 * and those allowed may be loaded: a script may do everything.
 */
export function loadJsonp(address: string, page: ScriptPage, options: JsonpOptions = {}): Promise<unknown> {
  const { allowed = [], timeoutMs = usualTimeoutMs } = options
  const target = new URL(address, page.origin)
  if (target.origin !== page.origin && !allowed.includes(target.origin)) {
    return Promise.reject(new Error(`scripts of ${target.origin} may not run here`))
  }
  made += 1
  const callback = `loggiaJsonp${made}`
  target.searchParams.set('callback', callback)
  target.searchParams.set('_', `${Date.now()}${made}`)
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      script.remove()
      delete page.globals[callback]
      act()
    }
    const timer = setTimeout(() => settle(() => reject(new Error('timeout'))), timeoutMs)
    page.globals[callback] = (answer: unknown) => settle(() => resolve(answer))
    const script = page.load(target.href, isLoaded => {
      if (!isLoaded) settle(() => reject(new Error('crossDomain error')))
      // A script that came and did not call is of somebody else.
      else if (callback in page.globals) settle(() => reject(new Error('the script did not call back')))
    })
  })
}

/** The same, and a plain GET where the script does not load. False when neither way worked; nothing is thrown. */
export async function loadOrGet(address: string, page: ScriptPage, options: JsonpOptions = {}): Promise<boolean> {
  try {
    await loadJsonp(address, page, options)
    return true
  } catch (error) {
    if ((error as Error).message !== 'crossDomain error') return false
    return page.get(address).catch(() => false)
  }
}

/** The page that this code runs in. */
export const browserPage = (): ScriptPage => ({
  origin: location.origin,
  globals: globalThis as unknown as Record<string, unknown>,
  load: (address, done) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.onload = () => done(true)
    script.onerror = () => done(false)
    document.head.append(script)
    return script
  },
  get: async address => {
    const signal = AbortSignal.timeout(usualTimeoutMs)
    return (await fetch(address, { credentials: 'omit', keepalive: true, signal })).ok
  },
})
