import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 688px)')
let turnedAt = Number.NEGATIVE_INFINITY
query.addEventListener('change', () => {
  turnedAt = performance.now()
})

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** As the window is at this moment, which the page may not have been drawn for yet. */
export const isNarrowNow = () => query.matches

/** Milliseconds since the window became narrow or wide; infinite where it always was as it is. */
export const sinceTurnMs = () => performance.now() - turnedAt

/** The small face of the console: the menu covers the page and tables become cards. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrowNow)
}
