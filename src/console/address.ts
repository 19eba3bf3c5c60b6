import { useParams, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { mode } from './mode.ts'
import { zoneOfLink } from './page-zone.ts'

type Values = Readonly<Record<string, string>>

/** The hash address of a page: `hrefOf('/apps/$appId', { appId })` gives `#/apps/42`. For links of every kind. */
export function hrefOf(path: string, params: Values = {}, search: Values = {}): string {
  return `#${mode.basePath()}${placeOf(path, params, search)}`
}

/** The same as routes know it. */
function placeOf(path: string, params: Values, search: Values): string {
  const filled = path.replace(/\$(\w+)/g, (whole, name: string) => {
    const value = params[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })
  const query = new URLSearchParams({ ...zoneOfLink(path), ...search }).toString()
  return filled + (query && `?${query}`)
}

/** A link that somebody wrote: one to a page of the console stays below where the console is. */
export function linkOf(href: string): string {
  return href.startsWith('#/') ? hrefOf(href.slice(1)) : href
}

/** Goes to a page after an action: `const go = useGo(); go('/apps/$appId', { appId })`. */
export function useGo(): (path: string, params?: Values, search?: Values) => void {
  const { history } = useRouter()
  return useCallback((path, params = {}, search = {}) => history.push(placeOf(path, params, search)), [history])
}

/** One parameter of the page's path; the page's own spec promises that it is there. */
export function usePageParam(name: string): string {
  const params = useParams({ strict: false }) as Record<string, string | undefined>
  const value = params[name]
  if (value === undefined) throw new Error(`the address of this page has no ${name}`)
  return value
}
