import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'

/** Shown this once; they can be copied or kept as a file. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const text = `${codes.join('\n')}\n`
  return (
    <Modal
      visible
      header={t('codes.title')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              iconName="download"
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download="loggia-recovery-codes.txt"
            >
              {t('codes.save')}
            </Button>
            <Button variant="primary" data-action="codes-kept" onClick={onClose}>
              {t('codes.kept')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">{t('codes.text')}</Alert>
        <ol className="session-codes">
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </SpaceBetween>
    </Modal>
  )
}
