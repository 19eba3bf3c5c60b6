import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../store-calls.ts'

/** The public key of an app that checks its licence; it is made when somebody first looks. */
export function LicenceKey({ appId }: { appId: string }) {
  const { t } = useTranslation('distribute/store')
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useCall(api.getLicenceKey, { query: { appId } }, { enabled: isOpen })
  return (
    <ExpandableSection
      variant="container"
      headerText={t('licence.title')}
      headerDescription={t('licence.text')}
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isOpen && !data && !error && <Spinner />}
      {data && (
        <SpaceBetween size="s">
          <pre className="reach-key" translate="no">
            {data.pem.trim()}
          </pre>
          <CopyToClipboard
            copyButtonText={t('copy.go')}
            copySuccessText={t('copy.done')}
            copyErrorText={t('copy.failed')}
            textToCopy={data.pem}
          />
        </SpaceBetween>
      )}
    </ExpandableSection>
  )
}
