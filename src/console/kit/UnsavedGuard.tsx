import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Asks before unsaved work is left behind: by a link, the back button, or closing the tab. */
export function UnsavedGuard({ isDirty, what }: { isDirty: boolean; what: string }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const { history } = useRouter()
  useEffect(() => {
    if (!isDirty) return
    // The router can hold back its own steps, not those the browser makes for a plain link; so those become its own.
    const follow = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
      const address = (event.target as Element).closest('a[href^="#"]')?.getAttribute('href')
      if (!isPlain || !address) return
      event.preventDefault()
      history.push(address.slice(1))
    }
    document.addEventListener('click', follow, { capture: true })
    return () => document.removeEventListener('click', follow, { capture: true })
  }, [isDirty, history])
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
