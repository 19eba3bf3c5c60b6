import type { PageSpec } from '../console/page-spec.ts'
import type { SessionPort } from '../console/session.ts'
import { pages as apps } from './distribute/apps/console/pages.tsx'
import { pages as packages } from './distribute/packages/console/pages.tsx'
import { pages as review } from './distribute/review/console/pages.tsx'
import { pages as store } from './distribute/store/console/pages.tsx'
import { pages as versions } from './distribute/versions/console/pages.tsx'
import { pages as projects } from './ground/projects/console/pages.tsx'
import { pages as session } from './ground/session/console/pages.tsx'
import { pages as teams } from './ground/teams/console/pages.tsx'
import { sessionPort as teamsSessionPort } from './ground/teams/console/session-port.ts'

/** One line per service: its pages, which hold only metadata and lazy imports. */
export const allPages: PageSpec[] = [
  ...session,
  ...teams,
  ...projects,
  ...apps,
  ...packages,
  ...versions,
  ...review,
  ...store,
]

/** Who signs people in, refreshes and signs them out. */
export const sessionPort: SessionPort = teamsSessionPort
