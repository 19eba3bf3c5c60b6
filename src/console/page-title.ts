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

/** Names for steps of the way above the page on screen, by the path of their page. */
export const crumbNames = createStore<Readonly<Record<string, string>>>({})

/** Shows `name` as the breadcrumb of a page above: `useCrumbName('/apps/$appId', app.name)`. */
export function useCrumbName(path: string, name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    crumbNames.set({ ...crumbNames.get(), [path]: name })
    return () => {
      const { [path]: _gone, ...others } = crumbNames.get()
      crumbNames.set(others)
    }
  }, [path, name])
}
