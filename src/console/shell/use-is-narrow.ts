import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 688px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** The small face of the console: the menu covers the page and tables become cards. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
