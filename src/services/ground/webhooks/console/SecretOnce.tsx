import './webhooks.css'
import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'

/** A new secret, once. It closes by its button only, so that no stray click loses it. */
export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('ground/webhooks')
  return (
    <Modal
      visible
      header={t('secret.title')}
      onDismiss={({ detail }) => detail.reason !== 'overlay' && onClose()}
      footer={
        <Box float="right">
          <Button variant="primary" data-action="secret-kept" onClick={onClose}>
            {t('secret.kept')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('secret.once')}</Alert>
        <div className="webhooks-secret">
          <CopyToClipboard
            variant="inline"
            textToCopy={secret}
            copyButtonAriaLabel={t('secret.copy')}
            copySuccessText={t('secret.copied')}
            copyErrorText={t('secret.copyFailed')}
          />
        </div>
        <span className="lg-soft">{t('secret.how')}</span>
      </SpaceBetween>
    </Modal>
  )
}
