import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import i18next from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { dateTimeText, When } from '../../../../console/kit/When.tsx'
import { signOut } from '../../../../console/shell/session-actions.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AgreementText } from './AgreementText.tsx'
import { api, type StandingView } from './agreement-calls.ts'
import { useWords } from './words.ts'

interface SigningDialogProps {
  standing: StandingView
  /** How many wait, this one included. */
  count: number
  onLater: () => void
}

/** Shows the text that has to be signed. Within the grace it can wait; after it one can only read. */
export default function SigningDialog({ standing, count, onLater }: SigningDialogProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const { agrType, branchId, country, isBlocking, graceUntil } = standing
  const [language, setLanguage] = useState<string>(words.languageKey)
  const [hasRead, setRead] = useState(false)
  const found = useCall(api.templateInfo, { query: { agrType, branchId, country, language } })
  const sign = useAction(api.sign, { errors: 'form' })
  useEffect(() => void i18next.loadNamespaces('ground/agreements'), [])
  const text = found.data
  const agree = () => {
    if (!text) return
    const { version, bodyHash } = text
    const one = { agrType, branchId, country: text.country, language: text.language, version, bodyHash, isAgree: true }
    // Refused: most likely the text was changed meanwhile.
    void sign.run({ body: { signInfo: [one] } }).then(done => void (done ?? found.refetch()))
  }
  return (
    <Modal
      visible
      size="large"
      header={standing.name[words.language]}
      onDismiss={onLater}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {isBlocking && (
              <Button data-action="signOut" onClick={() => void signOut()}>
                {t('sign.signOut')}
              </Button>
            )}
            <Button variant="link" data-action="later" onClick={onLater}>
              {isBlocking ? t('sign.readOnly') : t('sign.later')}
            </Button>
            <Button
              variant="primary"
              data-action="agree"
              disabled={!hasRead || !text}
              loading={sign.isRunning}
              onClick={agree}
            >
              {t('sign.agree')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type={isBlocking ? 'error' : 'warning'}>
          {isBlocking ? t('sign.blocked') : t('sign.grace', { date: dateTimeText(graceUntil ?? 0, words.language) })}
          {count > 1 && ` ${t('sign.more', { count: count - 1 })}`}
        </Alert>
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {text && (
          <>
            <Box variant="h3" padding="n">
              <span translate="no">{text.title}</span>
            </Box>
            <span className="lg-soft">
              {t('text.version', { version: text.version })} · <When at={text.effectiveAt} />
            </span>
            <AgreementText {...text} onLanguage={setLanguage} />
            <Checkbox checked={hasRead} data-action="read" onChange={({ detail }) => setRead(detail.checked)}>
              {t('sign.hasRead')}
            </Checkbox>
          </>
        )}
        {sign.error && <Alert type="error">{errorText(sign.error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
