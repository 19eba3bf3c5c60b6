import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { menuPort, useMenu } from '../menu-port.ts'
import { mode } from '../mode.ts'

const told = new Map<string, number>()
const againAfterMs = 10 * 60_000

/** Tells the menu's service which of its pages was opened, at most every ten minutes for each. */
export function useMenuUse(): void {
  const page = useMatches().findLast(match => match.staticData.page)?.staticData.page
  const { data: menu } = useMenu()
  const path = page && menu?.open.includes(page.path) ? page.path : undefined
  useEffect(() => {
    if (!path || mode.isDemoProject() || Date.now() - (told.get(path) ?? 0) < againAfterMs) return
    told.set(path, Date.now())
    // What was opened is a convenience: a page never fails because of it.
    menuPort()
      .then(port => port.recordUse(path))
      .catch(() => undefined)
  }, [path])
}
