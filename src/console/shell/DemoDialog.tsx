import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { demoRefusal, leaveDemo } from '../demo.ts'

/** A write in the demo project: why not, and the way to where it can be done. */
export default function DemoDialog() {
  const { t } = useTranslation()
  const close = () => demoRefusal.set(false)
  return (
    <Modal
      visible
      header={t('demo.title')}
      onDismiss={close}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={close}>
              {t('demo.goOn')}
            </Button>
            <Button variant="primary" data-action="sign-in" onClick={leaveDemo}>
              {t('demo.signIn')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {t('demo.offer')}
    </Modal>
  )
}
