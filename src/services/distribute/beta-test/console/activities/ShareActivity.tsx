import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'

/** Where people join, as a picture for a phone and as text. */
export function ShareActivity({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  return (
    <Modal visible header={t('activities.share')} onDismiss={onClose}>
      <SpaceBetween size="m">
        <p className="beta-said">{t('activities.shareText')}</p>
        <img
          className="beta-qr"
          alt={t('links.qr')}
          src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(address, { border: 2 }))}`}
        />
        <code className="beta-link">{address}</code>
        <CopyToClipboard
          copyButtonText={t('links.copy')}
          copySuccessText={t('links.copied')}
          copyErrorText={t('state.failed')}
          textToCopy={address}
        />
      </SpaceBetween>
    </Modal>
  )
}
