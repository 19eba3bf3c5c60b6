import { type ComponentType, lazy } from 'react'
import { maySee, useFace } from './face.ts'
import { HomeMap } from './HomeMap.tsx'
import type { PageSpec } from './page-spec.ts'
import { allRegistered } from './registry.ts'

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
  if (!own) return <HomeMap />
  const Page = pageOf(own)
  return <Page />
}
