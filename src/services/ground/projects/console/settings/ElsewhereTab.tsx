import SpaceBetween from '@cloudscape-design/components/space-between'
import type { DevProjectView } from '../project-calls.ts'
import { Alliance } from './Alliance.tsx'
import { Mappings } from './Mappings.tsx'

/** What other systems and stores know the project by. */
export function ElsewhereTab({ project }: { project: DevProjectView }) {
  const { projectId } = project
  return (
    <SpaceBetween size="l">
      <Mappings projectId={projectId} />
      <Alliance projectId={projectId} />
    </SpaceBetween>
  )
}
