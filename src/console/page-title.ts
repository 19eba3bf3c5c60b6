import { useEffect } from 'react'
import { createStore } from './store.ts'

/** The name of the thing on screen, where the page's own title is too general. */
export const pageTitle = createStore<string | null>(null)

/** Shows `name` in the tab and as the last breadcrumb while the page stands, e.g. an app's name. */
export function usePageTitle(name: string | undefined): void {
  useEffect(() => {
    pageTitle.set(name ?? null)
    return () => pageTitle.set(null)
  }, [name])
}
