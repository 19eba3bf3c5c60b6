import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { latest } from '../../rules.ts'
import { QualifierChoice } from '../controls/QualifierChoice.tsx'
import type { FunctionView } from '../function-calls.ts'
import { InstanceList } from './InstanceList.tsx'
import { ManagerBox } from './ManagerBox.tsx'
import { RulesBox } from './RulesBox.tsx'
import { useCopies } from './use-copies.ts'

/** How many copies there are now and may be, when, and what they may do. */
export function ScalingTab({ of }: { of: FunctionView }) {
  const [qualifier, setQualifier] = useState<string>(latest)
  const { functionId } = of
  const found = useCopies(functionId, qualifier)
  return (
    <SpaceBetween size="l">
      <QualifierChoice of={of} value={qualifier} onChange={setQualifier} />
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !found.data && <PendingPage />}
      {found.data && (
        <SpaceBetween size="l">
          <InstanceList functionId={functionId} qualifier={qualifier} />
          <RulesBox functionId={functionId} qualifier={qualifier} />
          <ManagerBox
            key={`${qualifier} ${found.data.config.revision}`}
            functionId={functionId}
            found={found.data.config}
          />
        </SpaceBetween>
      )}
    </SpaceBetween>
  )
}
