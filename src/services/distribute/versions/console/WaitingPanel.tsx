import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { When } from '../../../../console/kit/When.tsx'
import { limits } from '../rules.ts'
import type { VersionView } from './version-calls.ts'
import { ZonedTime } from './ZonedTime.tsx'

/** Approved and not yet out: when it goes, or that somebody must let it go. */
export function WaitingPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { approvedAt, onShelfTime, appId, heldBy } = version
  const goes =
    onShelfTime === null ? t('waiting.byHand', { days: limits.pendingMs / 86_400_000 }) : <ZonedTime at={onShelfTime} />
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
              heldBy === null ? (
                goes
              ) : (
                <>
                  {t('waiting.together')}.{' '}
                  <Link href={hrefOf('/apps/$appId/submission', { appId }, { submissionId: heldBy })}>
                    {t('waiting.submission')}
                  </Link>
                </>
              ),
          },
        ]}
      />
    </Container>
  )
}
