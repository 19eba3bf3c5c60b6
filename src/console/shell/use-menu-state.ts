import { useState } from 'react'
import { isNarrowNow, sinceTurnMs, useIsNarrow } from './use-is-narrow.ts'

/** How long the layout goes by measures of before the window was turned. */
const turnMs = 300

/** Whether the side menu is open: wide and narrow each for itself, so that a window turned twice shows it as it was. */
export function useMenuState() {
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useState({ wide: true, narrow: false })
  const width = isNarrow ? 'narrow' : 'wide'
  const set = (next: boolean) => setOpen(before => ({ ...before, [width]: next }))
  return {
    isOpen: open[width],
    /** A link of the menu was followed: where it covers the page it goes. */
    follow: () => isNarrow && set(false),
    /** The layout also closes its menu by itself while the window is turned; nobody asked for that. */
    change: (next: boolean) => {
      const isTurning = isNarrowNow() !== isNarrow || sinceTurnMs() < turnMs
      if (next || !isTurning) set(next)
    },
  }
}
