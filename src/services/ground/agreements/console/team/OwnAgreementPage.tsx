import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo, usePageParam } from '../../../../../console/address.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { AgreementText } from '../AgreementText.tsx'
import { developerApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { OwnTextForm } from './OwnTextForm.tsx'
import { stateTones } from './states.ts'

/** One agreement of the team: its text, where it stands, and what comes next. */
export default function OwnAgreementPage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const go = useGo()
  const agreementId = usePageParam('agreementId')
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const found = useCall(developerApi.getAgreement, { query: { agreementId } }, { enabled: !isDeleting })
  const submit = useAction(developerApi.submitAgreement, {
    onDone: () => notify({ tone: 'success', text: t('own.submitted') }),
  })
  const remove = useAction(developerApi.deleteAgreement, { invalidates: [], onDone: () => go('/team/agreements') })
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
  const can = (action: (typeof row.allowedActions)[number]) => row.allowedActions.includes(action)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={row.title}
        status={<StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />}
        description={
          <>
            {t(`kinds.${row.kind}`)} · {words.country(row.country)} · {words.tongue(row.language)} ·{' '}
            {t('text.version', { version: row.version })}
            {row.effectiveAt !== null && (
              <>
                {' '}
                · {t('effective.since')} <When at={row.effectiveAt} />
              </>
            )}
          </>
        }
        actions={
          !isEditing && (
            <>
              {can('delete') && (
                <Button data-action="delete" onClick={() => setDeleting(true)}>
                  {t('action.delete')}
                </Button>
              )}
              {(can('update') || can('revise')) && (
                <Button data-action={can('revise') ? 'revise' : 'update'} onClick={() => setEditing(true)}>
                  {can('revise') ? t('own.revise') : t('action.edit')}
                </Button>
              )}
              {can('submit') && (
                <Button
                  variant="primary"
                  data-action="submit"
                  loading={submit.isRunning}
                  onClick={() => void submit.run({ body: { agreementId, revision: row.revision } })}
                >
                  {t('own.submit')}
                </Button>
              )}
            </>
          )
        }
      />
      {row.state === 'rejected' && (
        <Alert type="error" header={t('own.rejected')}>
          <span translate="no">{row.note}</span>
        </Alert>
      )}
      <Container>
        {isEditing ? (
          <OwnTextForm key={row.revision} row={row} onClose={() => setEditing(false)} />
        ) : (
          <AgreementText {...row} isWhole />
        )}
      </Container>
      {isDeleting && (
        <ConfirmByName
          title={t('own.deleteTitle')}
          name={row.title}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setDeleting(false)}
          onConfirm={() => void remove.run({ query: { agreementId } }, { revision: row.revision })}
        >
          {t('own.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
