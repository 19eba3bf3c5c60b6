import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Asks before unsaved work is left behind: by a link, the back button, or closing the tab. */
export function UnsavedGuard({ isDirty, what }: { isDirty: boolean; what: string }) {
  const { t } = useTranslation('distribute/versions')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal
      visible
      header={t('unsaved.title')}
      onDismiss={blocker.reset}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={blocker.proceed}>
              {t('unsaved.leave')}
            </Button>
            <Button variant="primary" onClick={blocker.reset}>
              {t('unsaved.stay')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {t('unsaved.text', { what })}
    </Modal>
  )
}
