import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { settingsApi } from './auth-calls.ts'
import { HostForm } from './HostForm.tsx'
import { ProductForm } from './ProductForm.tsx'

export function SettingsTab({ projectId }: { projectId: string }) {
  const product = useCall(settingsApi.getProduct, { query: { projectId } })
  const host = useCall(settingsApi.getHost, { query: { projectId } })
  const error = product.error ?? host.error
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([product.refetch(), host.refetch()])} />
  if (!product.data || !host.data) {
    return (
      <Box textAlign="center">
        <Spinner />
      </Box>
    )
  }
  return (
    <SpaceBetween size="l">
      <ProductForm key={`p${product.data.revision}`} product={product.data} />
      <HostForm key={`h${host.data.revision}`} host={host.data} />
    </SpaceBetween>
  )
}
