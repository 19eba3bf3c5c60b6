import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { latest } from '../../rules.ts'
import { QualifierChoice } from '../controls/QualifierChoice.tsx'
import { type FunctionView, governanceApi } from '../function-calls.ts'
import { BalanceBox } from './BalanceBox.tsx'
import { BreakerBox } from './BreakerBox.tsx'
import { RetryBox } from './RetryBox.tsx'

/** How calls of a version or an alias are held back, made again and spread. */
export function GovernanceTab({ of }: { of: FunctionView }) {
  const [qualifier, setQualifier] = useState<string>(latest)
  return (
    <SpaceBetween size="l">
      <QualifierChoice of={of} value={qualifier} onChange={setQualifier} />
      <OfQualifier key={qualifier} functionId={of.functionId} qualifier={qualifier} />
    </SpaceBetween>
  )
}

interface OfQualifierProps {
  functionId: string
  qualifier: string
}

function OfQualifier({ functionId, qualifier }: OfQualifierProps) {
  const asked = { params: { functionId }, query: { qualifier } }
  const breaker = useCall(governanceApi.getCircuitBreaker, asked, { refetchInterval: 2_000, staleTime: 0 })
  const retry = useCall(governanceApi.getRetry, asked)
  const balance = useCall(governanceApi.getLoadBalancer, asked)
  const error = breaker.error ?? retry.error ?? balance.error
  if (error) return <ErrorState error={error} onRetry={() => void breaker.refetch()} />
  if (!breaker.data || !retry.data || !balance.data) return <PendingPage />
  return (
    <SpaceBetween size="l">
      <BreakerBox functionId={functionId} found={breaker.data} />
      <RetryBox key={`retry ${retry.data.revision}`} functionId={functionId} found={retry.data} />
      <BalanceBox key={`balance ${balance.data.revision}`} functionId={functionId} found={balance.data} />
    </SpaceBetween>
  )
}
