import './profile.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { useDetails } from '../real-name-details.ts'
import { realNameApi } from './profile-calls.ts'
import { RealNameForm } from './RealNameForm.tsx'
import { realStateTone } from './real-state.ts'

export default function RealNamePage() {
  const { t } = useTranslation('ground/session')
  const realName = useCall(realNameApi.getRealName, {})
  const [isOpen, setOpen] = useState(false)
  const details = useDetails()
  const withdraw = useAction(realNameApi.withdrawRealName, {
    onDone: () => {
      notify({ tone: 'success', text: t('realName.withdrawn') })
    },
  })
  const { data } = realName
  const submit = data?.allowedActions.includes('submit') && (
    <Button variant="primary" data-action="submit" onClick={() => setOpen(true)}>
      {t(data.state === 0 ? 'realName.submit' : 'realName.submitAgain')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('realName.title')}
        description={t('realName.text')}
        status={
          data && <StatusBadge tone={realStateTone[data.state] ?? 'off'} text={t(`realName.states.${data.state}`)} />
        }
        actions={
          <>
            {data?.allowedActions.includes('withdraw') && (
              <Button data-action="withdraw" loading={withdraw.isRunning} onClick={() => void withdraw.run({})}>
                {t('realName.withdraw')}
              </Button>
            )}
            {data?.kind && submit}
          </>
        }
      />
      {realName.error && <ErrorState error={realName.error} onRetry={() => void realName.refetch()} />}
      {realName.isPending && <StatusIndicator type="loading">{t('security.loading')}</StatusIndicator>}
      {data?.state === 4 && (
        <Alert type="error" header={t('realName.refused')}>
          {data.reason}
        </Alert>
      )}
      {data?.state === 5 && <Alert type="warning">{t('realName.expired')}</Alert>}
      {data && !data.kind && <EmptyState title={t('realName.none')} text={t('realName.noneText')} action={submit} />}
      {data?.kind && (
        <Container header={<Header variant="h2">{t(`realName.kinds.${data.kind}`)}</Header>}>
          <KeyValuePairs
            columns={3}
            minColumnWidth={220}
            items={[
              ...details(data),
              { label: t('realName.submittedAt'), value: <When at={data.submittedAt} /> },
              { label: t('realName.decidedAt'), value: <When at={data.decidedAt} /> },
              { label: t('realName.expiresAt'), value: <When at={data.expiresAt} /> },
            ]}
          />
        </Container>
      )}
      {isOpen && data && <RealNameForm revision={data.revision} onClose={() => setOpen(false)} />}
    </SpaceBetween>
  )
}
