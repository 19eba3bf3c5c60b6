let kept: { place: string; search: URLSearchParams; at: number } | null = null
const remountMs = 2_000

/**
 * What stands behind the question mark of this page's hash. Secrets are taken out of the address and the history as
 * they are read; the router then builds the page once more, which is given the same again.
 */
export function takeOwnSearch(secrets: readonly string[]): URLSearchParams {
  const [place = '', text = ''] = location.hash.split('?')
  const search = new URLSearchParams(text)
  if (secrets.some(name => search.has(name))) {
    kept = { place, search, at: performance.now() }
    history.replaceState(history.state, '', place)
    return search
  }
  const isRemount = kept !== null && kept.place === place && performance.now() - kept.at < remountMs
  return isRemount && kept ? kept.search : search
}
