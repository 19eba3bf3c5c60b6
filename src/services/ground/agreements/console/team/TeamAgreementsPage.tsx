import '../agreements.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { developerApi } from '../agreement-calls.ts'
import { type Opened, SigningDialogs } from '../SigningDialogs.tsx'
import { StandingActions } from '../StandingActions.tsx'
import { StandingLines } from '../StandingLines.tsx'
import { OwnAgreements } from './OwnAgreements.tsx'
import { RightsWaiting } from './RightsWaiting.tsx'

/** What the team has to sign with the store, what waits for it, and its own agreements with its users. */
export default function TeamAgreementsPage() {
  const { t } = useTranslation('ground/agreements')
  const [open, setOpen] = useState<Opened | null>(null)
  const found = useCall(developerApi.listTeamSigns, {})
  const sign = useAction(developerApi.signForTeam, { errors: 'form', onDone: () => setOpen(null) })
  const close = () => {
    sign.reset()
    setOpen(null)
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('team.title')} description={t('team.text')} />
      <Container
        header={
          <Header variant="h2" description={may('agreements.sign') ? t('team.storeText') : t('team.leaderOnly')}>
            {t('team.store')}
          </Header>
        }
      >
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data?.signInfo.length === 0 && <EmptyState title={t('team.none')} text={t('team.noneText')} />}
        <StandingLines
          lines={found.data?.signInfo ?? []}
          more={line => (
            <div>
              {line.signedAt !== null && (
                <span className="lg-soft">
                  {t('mine.agreedAt')} <When at={line.signedAt} /> ·{' '}
                  <span className="agr-digest">{line.bodyHash?.slice(0, 16)}…</span>
                </span>
              )}
            </div>
          )}
          actions={line => <StandingActions line={line} maySign={may('agreements.sign')} onOpen={setOpen} />}
        />
      </Container>
      <RightsWaiting />
      <OwnAgreements />
      <SigningDialogs open={open} sign={sign} isOfTeam onClose={close} />
    </SpaceBetween>
  )
}
