import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { AgreementText } from './AgreementText.tsx'
import { api, developerApi } from './agreement-calls.ts'
import { useWords } from './words.ts'

interface SignedTextProps {
  signId: string
  /** Signed for the team, and not by the person. */
  isOfTeam?: boolean
  onClose: () => void
}

/** The exact text of a signature, with the proof that it is the one. */
export function SignedText({ signId, isOfTeam = false, onClose }: SignedTextProps) {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const own = useCall(api.signedText, { query: { signId } }, { enabled: !isOfTeam })
  const ofTeam = useCall(developerApi.getTeamSign, { query: { signId } }, { enabled: isOfTeam })
  const found = isOfTeam ? ofTeam : own
  const text = found.data
  return (
    <Modal
      visible
      size="large"
      header={text ? text.name[words.language] : t('mine.show')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button onClick={onClose}>{t('action.close')}</Button>
        </Box>
      }
    >
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {text && (
        <SpaceBetween size="s">
          <Box variant="h3" padding="n">
            <span translate="no">{text.title}</span>
          </Box>
          <span className="lg-soft">
            {t('text.version', { version: text.version })} · {words.country(text.country)} ·{' '}
            {text.isAgree ? t('mine.agreedAt') : t('mine.withdrawnAt')} <When at={text.signedAt} />
          </span>
          <AgreementText {...text} />
          <StatusBadge
            tone={text.isIntact ? 'good' : 'bad'}
            text={text.isIntact ? t('text.intact') : t('text.notIntact')}
          />
        </SpaceBetween>
      )}
    </Modal>
  )
}
