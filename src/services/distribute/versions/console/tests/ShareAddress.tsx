import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'

/** The address of an open test, as a picture for a phone and as text. */
export function ShareAddress({ address, onClose }: { address: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  return (
    <Modal visible header={t('tests.address')} onDismiss={onClose}>
      <SpaceBetween size="m">
        <p className="version-said">{t('tests.addressText')}</p>
        <img
          className="version-tests-qr"
          alt={t('tests.qr')}
          src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(address, { border: 2 }))}`}
        />
        <code className="version-tests-link">{address}</code>
        <CopyToClipboard
          copyButtonText={t('tests.copy')}
          copySuccessText={t('tests.copied')}
          copyErrorText={t('state.failed')}
          textToCopy={address}
        />
      </SpaceBetween>
    </Modal>
  )
}
