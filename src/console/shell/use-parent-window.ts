import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { openParentWindow } from '../parent-window.ts'
import { queryClient } from '../use-call.ts'

const isOfEmbeddedMode = (path: unknown): path is string => typeof path === 'string' && /^\/app\/[\w/?=&-]*$/.test(path)

/**
 * The embedded mode and the page around it: that page hears `pageShown` with the path and the height in pixels, and may
 * say `openPage` with a path of the embedded mode, or `reload` when it knows of news. Nobody else is heard.
 */
export function useParentWindow(): void {
  const { pathname } = useLocation()
  const { history } = useRouter()
  const [parent] = useState(() => openParentWindow())

  useEffect(() => {
    const told = new ResizeObserver(() => {
      parent.post('pageShown', { path: pathname, heightPx: document.documentElement.scrollHeight })
    })
    told.observe(document.body)
    return () => told.disconnect()
  }, [parent, pathname])

  useEffect(
    () =>
      parent.listen(({ functionName, params }) => {
        const { path } = params
        if (functionName === 'openPage' && isOfEmbeddedMode(path)) history.push(path)
        else if (functionName === 'reload') void queryClient.invalidateQueries()
      }),
    [parent, history],
  )
}
