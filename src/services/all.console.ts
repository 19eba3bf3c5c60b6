import type { PageSpec } from '../console/page-spec.ts'
import type { SessionPort } from '../console/session.ts'
import { pages as session } from './ground/session/console/pages.tsx'
import { sessionPort as teamsSessionPort } from './ground/teams/console/session-port.ts'

/** One line per service: its pages, which hold only metadata and lazy imports. */
export const allPages: PageSpec[] = [...session]

/** Who signs people in, refreshes and signs them out. */
export const sessionPort: SessionPort = teamsSessionPort
