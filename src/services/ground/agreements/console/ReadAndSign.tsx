import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { AgreementText } from './AgreementText.tsx'
import { api, type StandingView, type TextView } from './agreement-calls.ts'
import { useWords } from './words.ts'

interface ReadAndSignProps {
  line: Pick<StandingView, 'agrType' | 'branchId' | 'country' | 'name'>
  isRunning: boolean
  error: CallError | null
  onSign: (text: TextView) => void
  onClose: () => void
}

/** The text in force, to be read and agreed to. */
export function ReadAndSign({ line, isRunning, error, onSign, onClose }: ReadAndSignProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const [language, setLanguage] = useState<string>(words.languageKey)
  const { agrType, branchId, country } = line
  const found = useCall(api.templateInfo, { query: { agrType, branchId, country, language } })
  return (
    <DialogBox
      title={line.name[words.language]}
      size="large"
      verb={t('sign.agree')}
      action="sign"
      isRunning={isRunning}
      canSubmit={found.data !== undefined}
      refusal={error ? errorText(error) : null}
      onSubmit={() => found.data && onSign(found.data)}
      onClose={onClose}
    >
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.error && <Alert type="error">{errorText(found.error)}</Alert>}
      {found.data && (
        <>
          <Box variant="h3" padding="n">
            <span translate="no">{found.data.title}</span>{' '}
            <span className="lg-soft">{t('text.version', { version: found.data.version })}</span>
          </Box>
          <AgreementText {...found.data} onLanguage={setLanguage} />
        </>
      )}
    </DialogBox>
  )
}
