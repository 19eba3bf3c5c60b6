import { type ComponentType, lazy } from 'react'
import { maySee } from './face.ts'
import type { PageSpec } from './page-spec.ts'
import { useSession } from './session.ts'

const NoPermissionPage = lazy(() => import('./NoPermissionPage.tsx'))

/** Puts the no-permission page in place of one the person may not see. */
export function PageGate({ page, Page }: { page: PageSpec; Page: ComponentType }) {
  useSession()
  return maySee(page) ? <Page /> : <NoPermissionPage needs={page.may} />
}
