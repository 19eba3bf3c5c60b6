import '../agreements.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { developerApi, type TeamStandingView } from '../agreement-calls.ts'
import { ReadAndSign } from '../ReadAndSign.tsx'
import { SignedText } from '../SignedText.tsx'
import { StandingLines } from '../StandingLines.tsx'
import { Withdraw } from '../Withdraw.tsx'
import { OwnAgreements } from './OwnAgreements.tsx'
import { RightsWaiting } from './RightsWaiting.tsx'

/** What the team has to sign with the store, what waits for it, and its own agreements with its users. */
export default function TeamAgreementsPage() {
  const { t } = useTranslation('ground/agreements')
  const [open, setOpen] = useState<{ how: 'sign' | 'withdraw'; line: TeamStandingView } | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const found = useCall(developerApi.listTeamSigns, {})
  const sign = useAction(developerApi.signForTeam, { errors: 'form', onDone: () => setOpen(null) })
  const close = () => {
    sign.reset()
    setOpen(null)
  }
  const withdraw = ({ agrType, branchId, country, language, version }: TeamStandingView) =>
    language !== null &&
    void sign.run({ body: { signInfo: [{ agrType, branchId, country, language, version, isAgree: false }] } })
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
          actions={line => (
            <>
              {line.signId !== null && (
                <Button data-action="signedText" onClick={() => setShown(line.signId)}>
                  {t('mine.show')}
                </Button>
              )}
              <Can call={developerApi.signForTeam}>
                {line.isAgree && line.isWithdrawable && (
                  <Button data-action="withdraw" onClick={() => setOpen({ how: 'withdraw', line })}>
                    {t('mine.withdraw')}
                  </Button>
                )}
                {(!line.isAgree || line.needSign) && (
                  <Button variant="primary" data-action="signForTeam" onClick={() => setOpen({ how: 'sign', line })}>
                    {t('mine.read')}
                  </Button>
                )}
              </Can>
            </>
          )}
        />
      </Container>
      <RightsWaiting />
      <OwnAgreements />
      {open?.how === 'sign' && (
        <ReadAndSign
          line={open.line}
          isRunning={sign.isRunning}
          error={sign.error}
          onSign={({ agrType, branchId, country, language, version, bodyHash }) =>
            void sign.run({
              body: { signInfo: [{ agrType, branchId, country, language, version, bodyHash, isAgree: true }] },
            })
          }
          onClose={close}
        />
      )}
      {open?.how === 'withdraw' && (
        <Withdraw
          line={open.line}
          isRunning={sign.isRunning}
          error={sign.error}
          onWithdraw={() => withdraw(open.line)}
          onClose={close}
        />
      )}
      {shown !== null && <SignedText signId={shown} isOfTeam onClose={() => setShown(null)} />}
    </SpaceBetween>
  )
}
