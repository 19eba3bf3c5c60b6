import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { decisions } from '../../rules.ts'
import { AgreementText } from '../AgreementText.tsx'
import { developerApi } from '../agreement-calls.ts'
import { DiffView } from '../DiffView.tsx'
import { stateTones } from '../team/states.ts'
import { useWords } from '../words.ts'
import { Decide } from './Decide.tsx'

/** One agreement of a team as staff reads it, beside the one in force. */
export default function DecidePage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const agreementId = usePageParam('agreementId')
  const [decision, setDecision] = useState<(typeof decisions)[number] | null>(null)
  const found = useCall(developerApi.getSubmitted, { query: { agreementId } })
  const row = found.data
  usePageTitle(row?.title)
  if (found.error) {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('own.one')} />
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </SpaceBetween>
    )
  }
  if (!row) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const allowed: readonly string[] = row.allowedActions
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={row.title}
        status={<StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />}
        description={
          <>
            <span translate="no">{row.teamName ?? row.teamId}</span> · {t(`kinds.${row.kind}`)} ·{' '}
            {words.country(row.country)} · {words.tongue(row.language)} · {t('text.version', { version: row.version })}
            {row.effectiveAt !== null && (
              <>
                {' '}
                · {t('effective.since')} <When at={row.effectiveAt} />
              </>
            )}
          </>
        }
        actions={[...decisions]
          .reverse()
          .filter(one => allowed.includes(one))
          .map(one => (
            <Button
              key={one}
              variant={one === 'approve' ? 'primary' : 'normal'}
              data-action={one}
              onClick={() => setDecision(one)}
            >
              {t(`desk.${one}`)}
            </Button>
          ))}
      />
      {row.note !== '' && (
        <Alert type="info" header={t('desk.note')}>
          <span translate="no">{row.note}</span>
        </Alert>
      )}
      <Container header={<Header variant="h2">{t('text.body')}</Header>}>
        <AgreementText {...row} isWhole />
      </Container>
      {row.before !== null && row.state !== 'effective' && (
        <Container header={<Header variant="h2">{t('desk.changes')}</Header>}>
          <DiffView before={row.before} after={row.body} label={t('desk.changes')} />
        </Container>
      )}
      {decision && <Decide row={row} decision={decision} onClose={() => setDecision(null)} />}
    </SpaceBetween>
  )
}
