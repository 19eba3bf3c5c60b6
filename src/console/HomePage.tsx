import { type ComponentType, lazy, Suspense } from 'react'
import { maySee, useFace } from './face.ts'
import { HomeMap } from './HomeMap.tsx'
import { menuPort } from './menu-port.ts'
import type { PageSpec } from './page-spec.ts'
import { allRegistered } from './registry.ts'

const HomePanels = lazy(async () => (await menuPort()).loadHomePanels())
const loaded = new Map<string, ComponentType>()

function pageOf(spec: PageSpec): ComponentType {
  const Page = loaded.get(spec.path) ?? lazy(spec.load)
  loaded.set(spec.path, Page)
  return Page
}

/** What a service registers as `/home/<face>` is that face's home; a face without one gets the map of its pages. */
export default function HomePage() {
  const face = useFace()
  const own = allRegistered().find(page => page.path === `/home/${face}` && maySee(page))
  const Page = own ? pageOf(own) : HomeMap
  return (
    <>
      <Page />
      {face === 'developer' && (
        <Suspense>
          <HomePanels />
        </Suspense>
      )}
    </>
  )
}
