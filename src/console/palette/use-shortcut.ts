import { useEffect } from 'react'
import { palette } from './open-palette.ts'

/** Ctrl+K, or Cmd+K where the keyboard has one, opens and closes the palette. */
export function usePaletteShortcut(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
      if (!isShortcut) return
      event.preventDefault()
      palette.set(!palette.get())
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
