import './teams.css'
import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'

interface FirstPasswordProps {
  loginName: string
  password: string
  onClose: () => void
}

/** The first password of a new account, once. It closes by its button only, so that no stray click loses it. */
export function FirstPassword({ loginName, password, onClose }: FirstPasswordProps) {
  const { t } = useTranslation('ground/teams')
  const copy = (what: string, text: string) => (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={t('first.copy', { what })}
      copySuccessText={t('first.copied')}
      copyErrorText={t('first.copyFailed')}
    />
  )
  return (
    <Modal
      visible
      header={t('first.title')}
      onDismiss={({ detail }) => detail.reason !== 'overlay' && onClose()}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('first.kept')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('first.once')}</Alert>
        <div className="teams-password">
          <Box variant="awsui-key-label">{t('add.loginName')}</Box>
          {copy(t('add.loginName'), loginName)}
        </div>
        <div className="teams-password">
          <Box variant="awsui-key-label">{t('first.password')}</Box>
          {copy(t('first.password'), password)}
        </div>
      </SpaceBetween>
    </Modal>
  )
}
