import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'

/** The one time that a key can be read. */
export function ShownKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const { t } = useTranslation('ground/projects')
  return (
    <Modal
      visible
      header={t('keys.shown')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('keys.shownText')}</Alert>
        <CopyToClipboard
          variant="inline"
          textToCopy={apiKey}
          textToDisplay={apiKey}
          copyButtonAriaLabel={t('keys.copy')}
          copySuccessText={t('keys.copied')}
          copyErrorText={t('keys.notCopied')}
        />
      </SpaceBetween>
    </Modal>
  )
}
