import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type ItemView, threads } from '../review-calls.ts'
import { refusalText } from '../review-words.ts'

/** Asks before something rejected leaves the submission. */
export function RemoveItem({
  submissionId,
  item,
  onClose,
}: {
  submissionId: string
  item: ItemView
  onClose: () => void
}) {
  const { t } = useTranslation('distribute/review')
  const act = useAction(threads.removeItem, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('items.removed') })
      onClose()
    },
  })
  return (
    <Modal
      visible
      header={t('items.removeAsk', { name: item.appName })}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onClose}>
              {t('items.cancel')}
            </Button>
            <Button
              variant="primary"
              data-action="confirm-remove"
              loading={act.isRunning}
              onClick={() => void act.run({ body: { submissionId, itemId: item.itemId } })}
            >
              {t('items.remove')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <p className="review-said">{t('items.removeText')}</p>
        {act.error && <Alert type="error">{refusalText(act.error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
