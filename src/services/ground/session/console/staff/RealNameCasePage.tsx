import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../../../console/client.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { Refused, realNameCalls } from '../../real-names/contract.ts'
import { realStateTone } from '../profile/real-state.ts'
import { useDetails } from '../real-name-details.ts'

const api = client(realNameCalls)

export default function RealNameCasePage() {
  const { t } = useTranslation('ground/session')
  const { accountId } = useParams({ strict: false }) as { accountId: string }
  const file = useCall(api.readRealName, { params: { accountId } })
  const [verdict, setVerdict] = useState<'pass' | 'refuse' | null>(null)
  const details = useDetails()
  const { data } = file
  usePageTitle(data?.name)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={data?.name ?? t('realNames.case')}
        description={t('realNames.caseText')}
        status={
          data && <StatusBadge tone={realStateTone[data.state] ?? 'off'} text={t(`realName.states.${data.state}`)} />
        }
        actions={
          data?.allowedActions.includes('decide') && (
            <>
              <Button data-action="refuse" onClick={() => setVerdict('refuse')}>
                {t('realNames.refuse')}
              </Button>
              <Button variant="primary" data-action="pass" onClick={() => setVerdict('pass')}>
                {t('realNames.pass')}
              </Button>
            </>
          )
        }
      />
      {file.error && <ErrorState error={file.error} onRetry={() => void file.refetch()} />}
      {file.isPending && <StatusIndicator type="loading">{t('security.loading')}</StatusIndicator>}
      {data && (
        <Container header={<Header variant="h2">{t(`realName.kinds.${data.kind}`)}</Header>}>
          <KeyValuePairs
            columns={3}
            minColumnWidth={220}
            items={[
              { label: t('profile.loginName'), value: data.loginName },
              ...details(data),
              { label: t('realName.submittedAt'), value: <When at={data.submittedAt} /> },
              { label: t('realName.decidedAt'), value: <When at={data.decidedAt} /> },
              { label: t('realName.expiresAt'), value: <When at={data.expiresAt} /> },
              ...(data.reason ? [{ label: t('realNames.reason'), value: data.reason }] : []),
            ]}
          />
        </Container>
      )}
      {data && verdict && (
        <Decide accountId={accountId} revision={data.revision} verdict={verdict} onClose={() => setVerdict(null)} />
      )}
    </SpaceBetween>
  )
}

interface DecideProps {
  accountId: string
  revision: number
  verdict: 'pass' | 'refuse'
  onClose: () => void
}

function Decide({ accountId, revision, verdict, onClose }: DecideProps) {
  const { t } = useTranslation('ground/session')
  const form = useContractForm(verdict === 'refuse' ? Refused : realNameCalls.calls.decideRealName.body, {
    verdict,
    reason: '',
    revision,
  })
  const decide = useAction(api.decideRealName, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t(`realNames.done.${verdict}`) })
      onClose()
    },
  })
  return (
    <Modal visible header={t(`realNames.${verdict}`)} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={decide}
        submit={body => decide.run({ params: { accountId }, body })}
        submitLabel={t(`realNames.${verdict}`)}
        onCancel={onClose}
      >
        <span>{t(`realNames.ask.${verdict}`)}</span>
        <TextAreaField of={form} name="reason" label={t('realNames.reason')} />
      </ContractFormBox>
    </Modal>
  )
}
