import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'

export interface SecretAddress {
  name: string
  address: string
  fingerprint: string
}

/** The address with its secret, as a picture for a phone and as text; it is shown this once. */
export function NewAddress({ name, address, fingerprint, onClose }: SecretAddress & { onClose: () => void }) {
  const { t } = useTranslation('distribute/store')
  const link = `${address}?fingerprint=${fingerprint}`
  return (
    <Modal
      visible
      header={t('groups.addressOf', { name })}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('groups.kept')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('groups.once')}</Alert>
        <div className="groups-address">
          <img
            className="groups-qr"
            alt={t('groups.qr')}
            src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
          />
          <div>
            <p>{t('groups.scan')}</p>
            <code className="groups-link" data-address>
              {link}
            </code>
            <CopyToClipboard
              copyButtonText={t('copy.go')}
              copySuccessText={t('copy.done')}
              copyErrorText={t('copy.failed')}
              textToCopy={link}
            />
          </div>
        </div>
      </SpaceBetween>
    </Modal>
  )
}
