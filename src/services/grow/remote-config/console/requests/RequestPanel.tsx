import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import type { ChangeRequestView } from '../../change-requests/contract.ts'
import { changesApi } from '../config-calls.ts'
import { DifferenceList } from '../DifferenceList.tsx'
import { ConflictList } from './ConflictList.tsx'
import { RequestDialog, type Verb } from './RequestDialog.tsx'
import { requestTones } from './request-tones.ts'

/** One change request: what it changes, who agreed, and what may be done now. */
export function RequestPanel({ changeRequestId, onBack }: { changeRequestId: string; onBack: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const params = { changeRequestId }
  const found = useCall(changesApi.getChangeRequest, { params })
  const [verb, setVerb] = useState<Verb | null>(null)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { data } = found
  const buttons = data.allowedActions.map(one => (
    <Button
      key={one}
      data-action={one}
      variant={one === 'approve' || one === 'publish' || one === 'submit' ? 'primary' : 'normal'}
      onClick={() => setVerb(one)}
    >
      {t(`requests.verbs.${one}`)}
    </Button>
  ))
  return (
    <SpaceBetween size="m">
      <Button variant="link" iconName="arrow-left" onClick={onBack}>
        {t('requests.back')}
      </Button>
      <Container
        header={
          <Header variant="h2" actions={<div className="lg-actions">{buttons}</div>}>
            <span translate="no">{data.title}</span>
          </Header>
        }
      >
        <Facts of={data} />
      </Container>
      {data.state === 'CONFLICT' && <Conflicts changeRequestId={changeRequestId} />}
      <Changes changeRequestId={changeRequestId} />
      {verb !== null && <RequestDialog verb={verb} of={data} onClose={() => setVerb(null)} />}
    </SpaceBetween>
  )
}

function Facts({ of }: { of: ChangeRequestView }) {
  const { t } = useTranslation('grow/remote-config')
  return (
    <SpaceBetween size="xs">
      <StatusBadge tone={requestTones[of.state]} text={t(`requests.states.${of.state}`)} />
      <div className="lg-soft">
        {of.createdBy && <span translate="no">{of.createdBy.name} · </span>}
        <When at={of.createdAt} show="both" /> · {t('requests.onVersion', { version: of.baseVersion })} ·{' '}
        {t('requests.approvedLong', { approvals: of.approvals, needed: of.approvalsNeeded })}
      </div>
      {of.dueAt !== null && (
        <div>
          {t('requests.dueAt')}: <When at={of.dueAt} show="both" />
        </div>
      )}
      {of.description !== '' && <Box>{of.description}</Box>}
      {of.votes.length > 0 && (
        <ul className="rcs-votes" aria-label={t('requests.votes')}>
          {of.votes.map(one => (
            <li key={`${one.round} ${one.votedAt} ${one.by?.accountId ?? ''}`}>
              <StatusBadge
                tone={one.verdict === 'APPROVE' ? 'good' : 'bad'}
                text={t(`requests.verdicts.${one.verdict}`)}
              />
              <span>
                <span translate="no">{one.by?.name ?? '–'}</span>{' '}
                <span className="lg-soft">
                  <When at={one.votedAt} show="both" />
                  {one.round !== of.round && ` · ${t('requests.earlier')}`}
                </span>
                {one.reason !== '' && <div>{one.reason}</div>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </SpaceBetween>
  )
}

function Changes({ changeRequestId }: { changeRequestId: string }) {
  const { t } = useTranslation('grow/remote-config')
  const found = useCall(changesApi.listRequestedChanges, { params: { changeRequestId }, query: { pageSize: 100 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  return <DifferenceList list={found.data.list} total={found.data.total} />
}

function Conflicts({ changeRequestId }: { changeRequestId: string }) {
  const { t } = useTranslation('grow/remote-config')
  const found = useCall(changesApi.listConflicts, { params: { changeRequestId }, query: { pageSize: 100 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  return <ConflictList list={found.data.list} total={found.data.total} />
}
