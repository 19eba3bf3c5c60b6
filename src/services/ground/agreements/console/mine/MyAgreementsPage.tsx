import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../agreement-calls.ts'
import { type Opened, SigningDialogs } from '../SigningDialogs.tsx'
import { StandingActions } from '../StandingActions.tsx'
import { StandingLines } from '../StandingLines.tsx'
import { ConsentToggles } from './ConsentToggles.tsx'
import { SignedList } from './SignedList.tsx'

/** What a person has agreed to: the texts, their digests, and the way back where there is one. */
export default function MyAgreementsPage() {
  const { t } = useTranslation('ground/agreements')
  const [open, setOpen] = useState<Opened | null>(null)
  const found = useCall(api.query, { body: {} })
  const sign = useAction(api.sign, { errors: 'form', onDone: () => setOpen(null) })
  const close = () => {
    sign.reset()
    setOpen(null)
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('mine.title')} description={t('mine.text')} />
      <Container header={<Header variant="h2">{t('mine.agreements')}</Header>}>
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data?.signInfo.length === 0 && <EmptyState title={t('mine.none')} text={t('mine.noneText')} />}
        <StandingLines
          lines={found.data?.signInfo ?? []}
          actions={line => <StandingActions line={line} onOpen={setOpen} />}
        />
      </Container>
      <ConsentToggles />
      <SignedList onShow={signId => setOpen({ how: 'text', signId })} />
      <SigningDialogs open={open} sign={sign} onClose={close} />
    </SpaceBetween>
  )
}
