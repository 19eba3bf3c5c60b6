import Button from '@cloudscape-design/components/button'
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
import { api, type StandingView } from '../agreement-calls.ts'
import { ReadAndSign } from '../ReadAndSign.tsx'
import { SignedText } from '../SignedText.tsx'
import { StandingLines } from '../StandingLines.tsx'
import { Withdraw } from '../Withdraw.tsx'
import { ConsentToggles } from './ConsentToggles.tsx'
import { SignedList } from './SignedList.tsx'

type Open = { how: 'sign' | 'withdraw'; line: StandingView }

/** What a person has agreed to: the texts, their digests, and the way back where there is one. */
export default function MyAgreementsPage() {
  const { t } = useTranslation('ground/agreements')
  const [open, setOpen] = useState<Open | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const found = useCall(api.query, { body: {} })
  const sign = useAction(api.sign, { errors: 'form', onDone: () => setOpen(null) })
  const close = () => {
    sign.reset()
    setOpen(null)
  }
  const withdraw = ({ agrType, branchId, country, language, version }: StandingView) =>
    language !== null &&
    void sign.run({ body: { signInfo: [{ agrType, branchId, country, language, version, isAgree: false }] } })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('mine.title')} description={t('mine.text')} />
      <Container header={<Header variant="h2">{t('mine.agreements')}</Header>}>
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data?.signInfo.length === 0 && <EmptyState title={t('mine.none')} text={t('mine.noneText')} />}
        <StandingLines
          lines={found.data?.signInfo ?? []}
          actions={line => (
            <>
              {line.signId !== null && (
                <Button data-action="signedText" onClick={() => setShown(line.signId)}>
                  {t('mine.show')}
                </Button>
              )}
              {line.isAgree && line.isWithdrawable && (
                <Button data-action="withdraw" onClick={() => setOpen({ how: 'withdraw', line })}>
                  {t('mine.withdraw')}
                </Button>
              )}
              {(!line.isAgree || line.needSign) && (
                <Button variant="primary" data-action="sign" onClick={() => setOpen({ how: 'sign', line })}>
                  {t('mine.read')}
                </Button>
              )}
            </>
          )}
        />
      </Container>
      <ConsentToggles />
      <SignedList onShow={setShown} />
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
      {shown !== null && <SignedText signId={shown} onClose={() => setShown(null)} />}
    </SpaceBetween>
  )
}
