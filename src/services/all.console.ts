import type { PageSpec } from '../console/page-spec.ts'
import { pages as session } from './ground/session/console/pages.tsx'

export { sessionCalls } from './ground/session/console/session-calls.ts'

/** One line per service: its pages, which hold only metadata and lazy imports. */
export const allPages: PageSpec[] = [...session]
