import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { risk } from '../risk.ts'

/** The server's own words about a risk, and nothing else (specification, section 8). */
export default function RiskDialog({ text }: { text: string }) {
  const { t } = useTranslation()
  const close = () => risk.set(null)
  return (
    <Modal
      visible
      header={t('risk.title')}
      onDismiss={close}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={close}>
            {t('risk.understood')}
          </Button>
        </Box>
      }
    >
      {text}
    </Modal>
  )
}
