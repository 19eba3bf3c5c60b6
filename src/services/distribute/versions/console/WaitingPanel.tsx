import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { limits } from '../rules.ts'
import type { VersionView } from './version-calls.ts'
import { ZonedTime } from './ZonedTime.tsx'

/** Approved and not yet out: when it goes, or that somebody must let it go. */
export function WaitingPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { approvedAt, onShelfTime } = version
  return (
    <Container header={<Header variant="h2">{t('waiting.title')}</Header>}>
      <KeyValuePairs
        columns={2}
        minColumnWidth={220}
        items={[
          { label: t('waiting.approved'), value: <When at={approvedAt} /> },
          {
            label: t('waiting.goes'),
            value:
              onShelfTime === null ? (
                t('waiting.byHand', { days: limits.pendingMs / 86_400_000 })
              ) : (
                <ZonedTime at={onShelfTime} />
              ),
          },
        ]}
      />
    </Container>
  )
}
