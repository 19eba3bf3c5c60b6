import './api-clients.css'
import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { saveText } from './save-text.ts'

interface SecretOnceProps {
  title: string
  /** What is copied and shown. */
  secret: string
  /** What the file holds, and how it is called. */
  file: { name: string; content: object }
  onClose: () => void
}

/** What is told once: to copy, or to keep as a file. It closes by its buttons only, so that no stray click loses it. */
export function SecretOnce({ title, secret, file, onClose }: SecretOnceProps) {
  const { t } = useTranslation('ground/api-clients')
  return (
    <Modal
      visible
      header={title}
      onDismiss={({ detail }) => detail.reason !== 'overlay' && onClose()}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              iconName="download"
              data-action="download"
              onClick={() => saveText(`${JSON.stringify(file.content, null, 2)}\n`, file.name)}
            >
              {t('secret.download')}
            </Button>
            <Button variant="primary" data-action="secret-kept" onClick={onClose}>
              {t('secret.kept')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('secret.once')}</Alert>
        <div className="clients-secret" translate="no">
          <CopyToClipboard
            variant="inline"
            textToCopy={secret}
            textToDisplay={secret.length > 300 ? `${secret.slice(0, 120)}…` : secret}
            copyButtonAriaLabel={t('secret.copy')}
            copySuccessText={t('secret.copied')}
            copyErrorText={t('secret.notCopied')}
          />
        </div>
      </SpaceBetween>
    </Modal>
  )
}
